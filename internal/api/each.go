package api

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// generating is one of several generations of a request.
type generating struct {
	ctx context.Context
	i   int
}

// each calls f for 0 to n-1 at once; the first error ends the others and is returned.
func each(ctx context.Context, n int, f func(g generating) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	var once sync.Once
	var first error
	for i := range n {
		all.Go(func() {
			if err := safely(func() error { return f(generating{ctx, i}) }); err != nil {
				once.Do(func() {
					first = err
					cancel(err)
				})
			}
		})
	}
	all.Wait()
	return first
}

// safely makes a panic of f an error: a fault of one request ends no other.
func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
