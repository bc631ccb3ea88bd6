package pageserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Drain is how long requests that are being answered may still take when a server stops.
const Drain = 5 * time.Second

// Serve listens on addr ("host:port"; port 0 picks one), calls ready with the address that became of it, and answers
// until ctx is done. Requests under way may finish then. An error of ready ends it at once. A server of this machine
// only is guarded (Guard).
func Serve(ctx context.Context, addr string, h http.Handler, ready func(net.Addr) error) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("listen on %s: another program has this port; choose another, or port 0 for any", addr)
		}
		if op, ok := errors.AsType[*net.OpError](err); ok {
			err = op.Err
		}
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	if bound, ok := listener.Addr().(*net.TCPAddr); ok && bound.IP.IsLoopback() {
		host, _, _ := net.SplitHostPort(addr)
		h = Guard(h, host)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	if err := ready(listener.Addr()); err != nil {
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
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), Drain)
	defer cancel()
	if server.Shutdown(drain) != nil {
		server.Close()
	}
	return nil
}

// Guard refuses requests whose Host is not this machine by one of its own names, or name. A web site can make its own
// host name point to 127.0.0.1 and so have its visitors' browsers ask this server; the Host tells.
func Guard(h http.Handler, name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !local(r.Host, name) {
			http.Error(w, "this server answers to localhost and 127.0.0.1 only", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func local(hostPort, name string) bool {
	host := hostPort
	if h, _, err := net.SplitHostPort(hostPort); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || name != "" && host == strings.ToLower(name) {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
