package worker

import (
	"context"
	"io"
)

// Output is a file being written by the host. It is whole after Close, and as if never begun after Abort.
type Output interface {
	io.Writer
	Close() error
	Abort()
}

// Creator begins a file: object is a handle or stream of the host. over writes over the first bytes of what a handle's file holds, the rest stays.
type Creator func(ctx context.Context, object any, over bool) (Output, error)

// Reader reads object, which is a file of the host.
type Reader func(ctx context.Context, object any) (io.Reader, error)
