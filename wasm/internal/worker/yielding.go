package worker

import (
	"context"
	"sync/atomic"
	"time"
)

// slice is how long a request may compute before messages are let in: short enough that a stop button feels immediate and that two requests seem to
// run at once, long enough that the pause (some 20 µs in Chromium) is not felt.
const slice = 8 * time.Millisecond

// Yielding is ctx for work that does not wait. Where the program has the only thread, its Err lets the host deliver messages whenever slice has gone by, and
// so can learn of a cancellation that arrives meanwhile. Elsewhere it is ctx.
func Yielding(ctx context.Context) context.Context {
	if breathe == nil {
		return ctx
	}
	y := &yielding{Context: ctx}
	y.last.Store(now())
	return y
}

// breathe lets the host's event loop go round once; nil where goroutines have threads. Set once, before any request.
var breathe func()

type yielding struct {
	context.Context
	last atomic.Int64 // when messages were last let in
}

func (y *yielding) Err() error {
	if last, t := y.last.Load(), now(); t-last >= int64(slice) && y.last.CompareAndSwap(last, t) {
		breathe()
		y.last.Store(now())
	}
	return y.Context.Err()
}

var started = time.Now()

func now() int64 { return int64(time.Since(started)) }
