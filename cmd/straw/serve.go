package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"straw/web"
)

// drainTime is how long requests in flight may take after SIGTERM or Ctrl-C.
const drainTime = 5 * time.Second

func (a *app) serveCommand() *cobra.Command {
	var addr, page string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "The web page, on this machine",
		Long: `Serves the page, in which GGUF files are looked into and run without leaving the machine they are on, with
the headers that give it threads. On 127.0.0.1 unless told otherwise; port 0 picks a free one.`,
		Example: "  straw serve\n  straw serve --addr 127.0.0.1:0\n  straw serve --page web/dist",
		Args:    args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dist, err := pageFiles(page)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.serve(ctx, addr, dist)
		},
	}
	f := cmd.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on")
	f.StringVar(&page, "page", "", "`FOLDER` with a built page, in place of the one built in")
	return cmd
}

// pageFiles is the page built in, or the one in the folder dir.
func pageFiles(dir string) (fs.FS, error) {
	if dir != "" {
		dist := os.DirFS(dir)
		if _, err := fs.Stat(dist, "index.html"); err != nil {
			return nil, fmt.Errorf("--page %s: %w: give the folder that 'make page' built (web/dist)", dir, err)
		}
		return dist, nil
	}
	dist, ok := web.Dist()
	if !ok {
		return nil, errors.New("this straw was built without the page: build it with 'make build', or give the folder of a built page with --page")
	}
	return dist, nil
}

func (a *app) serve(ctx context.Context, addr string, dist fs.FS) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	server := &http.Server{Handler: pageHandler(dist), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	fmt.Fprintf(a.out, "http://%s/\n", l.Addr())
	if err := a.out.Flush(); err != nil {
		l.Close()
		return err
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	if err := server.Shutdown(drain); err != nil {
		server.Close()
	}
	return nil
}

// pageHandler serves dist with the headers that give a page SharedArrayBuffer.
func pageHandler(dist fs.FS) http.Handler {
	files := http.FileServerFS(dist)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		files.ServeHTTP(w, r)
	})
}
