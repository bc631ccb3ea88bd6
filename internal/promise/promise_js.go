// Package promise waits for the browser's promises. Only programs for GOOS=js have it.
package promise

import (
	"context"
	"syscall/js"
)

// Rejected is the value a promise was rejected with, most often an Error of JavaScript.
type Rejected struct{ Value js.Value }

// Name is the error's name, such as "TypeError"; empty where the value has none.
func (r *Rejected) Name() string { return r.member("name") }

// Error is the error's message.
func (r *Rejected) Error() string {
	if text := r.member("message"); text != "" {
		return text
	}
	return r.Name()
}

func (r *Rejected) member(name string) string {
	if r.Value.Type() == js.TypeObject {
		if v := r.Value.Get(name); v.Type() == js.TypeString {
			return v.String()
		}
	}
	return ""
}

// Await waits until the promise is settled or ctx is done; its error is then *Rejected or ctx's cause. It blocks its
// goroutine, so it must not be called on the one that runs a js.Func: the event loop stands still until that returns.
func Await(ctx context.Context, promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	var fulfilled, rejected js.Func
	settle := func(o outcome) {
		fulfilled.Release()
		rejected.Release()
		settled <- o
	}
	first := func(args []js.Value) js.Value {
		if len(args) == 0 {
			return js.Undefined()
		}
		return args[0]
	}
	fulfilled = js.FuncOf(func(_ js.Value, args []js.Value) any {
		settle(outcome{value: first(args)})
		return nil
	})
	rejected = js.FuncOf(func(_ js.Value, args []js.Value) any {
		settle(outcome{err: &Rejected{first(args)}})
		return nil
	})
	promise.Call("then", fulfilled, rejected)
	select {
	case o := <-settled:
		return o.value, o.err
	case <-ctx.Done(): // the functions are released whenever the promise is settled
		return js.Undefined(), context.Cause(ctx)
	}
}
