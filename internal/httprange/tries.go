package httprange

import (
	"context"
	"errors"
	"strconv"
	"time"
)

const (
	maxTries = 5        // requests in a row that bring next to nothing
	progress = 64 << 10 // bytes that are more than that
	maxPause = 20 * time.Second
)

var errTrickle = errors.New("the server sends next to nothing at a time")

// busy is an answer that may be another one in a while.
type busy struct {
	*statusError
	after time.Duration // what the server asks to wait; 0: it does not say
}

func (b *busy) Unwrap() error { return b.statusError }

// retryAfter reads a Retry-After header in seconds; the form with a date counts as none.
func retryAfter(s string) time.Duration {
	seconds, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// tries decides whether an unfinished request is followed by another one.
type tries struct {
	object *object
	n      int
}

// next takes the outcome of a request that brought n bytes, too few. It returns nil when another may be sent, after a
// pause if need be.
func (t *tries) next(n int, err error) error {
	ctx := t.object.fs.ctx
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n >= progress {
		t.n = 0
	}
	pause := t.object.fs.pause << t.n
	if n > 0 {
		pause = 0
	}
	switch e := err.(type) {
	case nil: // a server may give less than asked
		err = errTrickle
	case *busy:
		if pause = max(pause, e.after); pause > maxPause {
			return err
		}
	case *unreachable:
		if !e.again && !(e.dark && t.object.answered()) {
			return err
		}
	default:
		return err
	}
	if t.n++; t.n == maxTries {
		return err
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
