package api

import (
	"context"
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
			if err := f(generating{ctx, i}); err != nil {
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
