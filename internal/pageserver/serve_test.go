package pageserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// drain is longer than any request of these tests takes.
const drain = 10 * time.Second

// start serves h until the test ends, or until stop.
func start(t *testing.T, addr string, h http.Handler) (url string, stop context.CancelFunc, ended chan error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	bound, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- Serve(ctx, h, Options{Addr: addr, Drain: drain, Ready: func(a net.Addr) error { bound <- a; return nil }})
	}()
	select {
	case a := <-bound:
		return "http://" + a.String(), stop, ended
	case err := <-ended:
		t.Fatal(err)
		return "", nil, nil
	}
}

func TestServe(t *testing.T) {
	url, stop, ended := start(t, "127.0.0.1:0", New(site()))
	if strings.HasSuffix(url, ":0") {
		t.Errorf("the port picked is not told: %s", url)
	}
	r, err := http.Get(url + "/viewer.wasm")
	if err != nil {
		t.Fatal(err)
	}
	if got := body(r); got != "\x00asm" {
		t.Errorf("got %q", got)
	}
	r.Body.Close()
	addr := strings.TrimPrefix(url, "http://")
	if err := Serve(context.Background(), New(site()), Options{Addr: addr}); err == nil || !strings.Contains(err.Error(), "listen on "+addr+": another program has this port") {
		t.Errorf("the same port twice: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped: %v", err)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("it still answers")
	}
}

func TestServeRefusals(t *testing.T) {
	for _, addr := range []string{"nonsense", "127.0.0.1:99999", "127.0.0.1"} {
		if err := Serve(context.Background(), nil, Options{Addr: addr}); err == nil || !strings.HasPrefix(err.Error(), "listen on "+addr+": ") {
			t.Errorf("%s: got %v", addr, err)
		}
	}
	broken := errors.New("nobody reads it")
	if err := Serve(context.Background(), nil, Options{Addr: "127.0.0.1:0", Ready: func(net.Addr) error { return broken }}); err != broken {
		t.Errorf("got %v", err)
	}
}

// An answer under way is finished before a server ends.
func TestServeDrains(t *testing.T) {
	asked, finish := make(chan struct{}), make(chan struct{})
	url, stop, ended := start(t, "127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "the first half, ")
		close(asked)
		<-finish
		fmt.Fprint(w, "the second")
	}))
	got := make(chan string, 1)
	go func() {
		r, err := http.Get(url)
		if err != nil {
			got <- err.Error()
			return
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		got <- fmt.Sprint(string(b), err)
	}()
	<-asked
	stop()
	time.AfterFunc(20*time.Millisecond, func() { close(finish) })
	if s := <-got; s != "the first half, the second<nil>" {
		t.Errorf("got %q", s)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What takes longer than the drain is told so, and the server ends.
func TestServeEndsWhatDoesNot(t *testing.T) {
	asked, cause := make(chan struct{}), make(chan error, 1)
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		cause <- context.Cause(r.Context())
	})
	ctx, stop := context.WithCancel(t.Context())
	told := false
	err := Serve(ctx, h, Options{Addr: "127.0.0.1:0", Drain: time.Millisecond, Ends: func() { told = true }, Ready: func(at net.Addr) error {
		go http.Get("http://" + at.String())
		go func() { <-asked; stop() }()
		return nil
	}})
	if err != nil || !told || !errors.Is(<-cause, ErrEnding) {
		t.Errorf("got %v, told %v", err, told)
	}
}

func TestKnown(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8080": true, "localhost.": true, "straw.localhost:1": true, "127.0.0.1:8080": true,
		"127.5.5.5": true, "[::1]:8080": true, "[::1]": true, "::1": true, "box.lan:80": true, "BOX.lan": true, "192.168.1.5": true,
		"": false, "evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"evillocalhost": false,
	} {
		if got := Known(host, []string{"", "box.lan"}); got != want {
			t.Errorf("%q: got %v", host, got)
		}
	}
}
