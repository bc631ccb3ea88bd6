package session

import (
	"context"

	"straw/engine"
)

// turns is who decides when a timeline may use what it shares with others: the weights, and what computes.
type turns interface {
	// eval evaluates a request, perhaps in one pass with those of other timelines.
	eval(ctx context.Context, r engine.Request) ([][]float32, error)
	// do calls f while no other timeline is at work.
	do(f func() error) error
}

// alone is for a timeline that shares with none.
type alone struct{}

func (alone) eval(ctx context.Context, r engine.Request) ([][]float32, error) {
	rows, err := engine.EvalMany(ctx, []engine.Request{r})
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

func (alone) do(f func() error) error { return f() }
