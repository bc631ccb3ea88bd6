package pageserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Options of a server.
type Options struct {
	Addr  string               // "host:port"; port 0 picks one
	Drain time.Duration        // how long requests that are being answered may still take when the server ends
	Ready func(net.Addr) error // is told the address that became of Addr; its error ends the server at once
	Ends  func()               // is told, if it is there, that no more requests come but those at hand
}

// ErrEnding is the cause of the contexts of requests that took longer than Drain.
var ErrEnding = errors.New("the server ends")

const (
	headerTime  = 10 * time.Second // for a client to send what it asks for
	requestTime = 40 * time.Second // and what belongs to it; a handler that reads that may give it another time
	pieceTime   = 30 * time.Second // for a client to take a piece of the answer; a handler counts anew for each
	idleTime    = 2 * time.Minute
	headerBytes = 64 << 10
	farewell    = 2 * time.Second // for requests to end after Drain
)

// Serve answers until ctx is done. Requests under way may finish then, within o.Drain; what is left after that is ended.
func Serve(ctx context.Context, h http.Handler, o Options) error {
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("listen on %s: another program has this port; choose another, or port 0 for any", o.Addr)
		}
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return fmt.Errorf("listen on %s: %w", o.Addr, err)
	}
	requests, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, WriteTimeout: pieceTime, IdleTimeout: idleTime, MaxHeaderBytes: headerBytes,
		BaseContext: func(net.Listener) context.Context { return requests }}
	if err := o.Ready(listener.Addr()); err != nil {
		listener.Close()
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	if o.Ends != nil {
		o.Ends()
	}
	shutdown := func(d time.Duration) error {
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), d)
		defer cancel()
		return server.Shutdown(drain)
	}
	if shutdown(o.Drain) != nil {
		end(ErrEnding)
		if shutdown(farewell) != nil {
			server.Close()
		}
	}
	return nil
}
