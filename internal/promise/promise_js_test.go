package promise

import (
	"context"
	"errors"
	"syscall/js"
	"testing"
	"time"
)

func eval(code string) js.Value { return js.Global().Call("eval", code) }

func TestAwait(t *testing.T) {
	ctx := context.Background()
	if v, err := Await(ctx, eval(`new Promise(r => setTimeout(() => r(7), 1))`)); err != nil || v.Int() != 7 {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := Await(ctx, eval(`Promise.resolve()`)); err != nil || !v.IsUndefined() {
		t.Errorf("got %v, %v", v, err)
	}
	for code, want := range map[string][2]string{
		`Promise.reject(new TypeError("no such host"))`: {"TypeError", "no such host"},
		`Promise.reject({name: "NotFoundError"})`:       {"NotFoundError", "NotFoundError"},
		`Promise.reject(3)`:                             {"", ""},
	} {
		_, err := Await(ctx, eval(code))
		rejected, ok := errors.AsType[*Rejected](err)
		if !ok || rejected.Name() != want[0] || rejected.Error() != want[1] {
			t.Errorf("%s: got %v", code, err)
		}
	}
}

func TestAwaitCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if _, err := Await(ctx, eval(`new Promise(r => setTimeout(r, 50))`)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	time.Sleep(60 * time.Millisecond) // the promise settles without a reader
}
