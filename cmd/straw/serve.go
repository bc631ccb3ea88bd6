package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

	"github.com/spf13/cobra"

	"straw/internal/pageserver"
	"straw/internal/term"
	"straw/web"
)

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
			return pageserver.Serve(ctx, addr, pageserver.New(dist), func(at net.Addr) error {
				fmt.Fprintf(a.out, "http://%s/\n", at)
				if err := a.out.Flush(); err != nil {
					return err
				}
				if term.IsTerminal(a.err) {
					a.note("Open it in a browser. Ctrl-C ends.")
				}
				return nil
			})
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
