package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"straw/engine"
	"straw/internal/api"
	"straw/internal/demo"
	"straw/internal/pageserver"
	"straw/internal/session"
	"straw/internal/term"
	"straw/web"
)

// serveFlags say what is served, and to whom.
type serveFlags struct {
	engineFlags
	addr, page, key, pooling string
	cacheSize                string
	hosts                    []string
	parallel, waiting        int
	drain                    time.Duration
	quiet                    bool
}

func (a *app) serveCommand() *cobra.Command {
	var s serveFlags
	cmd := &cobra.Command{
		Use: "serve [[NAME=]FILE...]",
		Long: `Serves the page, in which GGUF files are looked into and run without leaving the machine they are on, and an
API as OpenAI's for the models in FILEs (the demo model, if there are none): /v1/chat/completions,
/v1/completions, /v1/embeddings, /v1/models; /health and /metrics. A model's name is its file's, or NAME.

It listens on 127.0.0.1 unless told otherwise; port 0 picks a free one. The address is written when the
models are ready. Requests of other sites' pages are refused. SIGINT or SIGTERM lets requests at hand finish.
Standard error has a line for each request, without what was asked or answered.`,
		Example: `  straw serve
  straw serve model.gguf --addr 127.0.0.1:0
  STRAW_API_KEY=secret straw serve small=a.gguf large=b.gguf --addr 0.0.0.0:8080 --parallel 8`,
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check(); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.serve(ctx, &s, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on")
	f.StringVar(&s.key, "api-key", "", "`KEY` that clients of the API must know (default $STRAW_API_KEY)")
	f.StringArrayVar(&s.hosts, "allow-host", nil, "one more `NAME` of this server; not needed with a key; may be given more than once")
	f.IntVar(&s.parallel, "parallel", 8, "`N` generations of a model at once, which share each pass over its weights")
	f.IntVar(&s.waiting, "queue", 64, "`N` more may wait for each model; others are told to come back")
	f.StringVar(&s.cacheSize, "cache-bytes", "256M", "`SIZE` of keys and values that each model keeps for prompts that begin alike")
	f.DurationVar(&s.drain, "drain", 10*time.Second, "how `LONG` requests at hand may take when the server ends")
	f.StringVar(&s.pooling, "pooling", "", "`HOW` token rows become one embedding: mean, cls or last (default what the file says, else mean)")
	f.BoolVar(&s.quiet, "quiet", false, "no line for each request")
	s.engineFlags.add(f, "f16")
	f.StringVar(&s.page, "page", "", "`FOLDER` with a built page, in place of the one built in")
	return cmd
}

func (s *serveFlags) check() (err error) {
	switch {
	case s.parallel < 1:
		return usagef("--parallel %d: at least 1 is needed", s.parallel)
	case s.waiting < 0:
		return usagef("--queue %d: 0 or more is needed", s.waiting)
	case s.drain < 0:
		return usagef("--drain %v: 0 or more is needed", s.drain)
	}
	if _, ok := poolings[s.pooling]; s.pooling == "none" || !ok && s.pooling != "" {
		return usagef("--pooling %q: mean, cls or last", s.pooling)
	}
	if s.kept, err = parseSize(s.cacheSize); err != nil {
		return usagef("--cache-bytes %s", err)
	}
	s.timelines = s.parallel
	if s.key == "" {
		s.key = os.Getenv("STRAW_API_KEY")
	}
	return nil
}

// serve listens at once and says that it is loading until all models are there.
func (a *app) serve(ctx context.Context, s *serveFlags, args []string) error {
	files, err := served(args)
	if err != nil {
		return err
	}
	server := api.New(api.Options{Key: s.key, Hosts: s.hosts, Parallel: s.parallel, Version: "straw-" + version, Log: a.logger(s.quiet)})
	dist, err := pageFiles(s.page)
	switch {
	case err == nil:
		server.Handle(pageserver.New(dist))
	case s.page != "":
		return err
	default:
		a.note("%v", err)
	}
	serving, fail := context.WithCancel(ctx)
	defer fail()
	type loading struct {
		models []*model
		err    error
	}
	loaded := make(chan loading, 1)
	err = pageserver.Serve(serving, server, pageserver.Options{Addr: s.addr, Drain: s.drain, Ends: server.Drain, Ready: func(at net.Addr) error {
		a.warn(at, s)
		go func() {
			models, err := a.loadAll(serving, s, files, server)
			if err == nil {
				fmt.Fprintf(a.out, "http://%s/\n", at)
				err = a.out.Flush()
			}
			if err != nil {
				fail()
			}
			loaded <- loading{models, err}
		}()
		return nil
	}})
	if err != nil {
		return err
	}
	l := <-loaded
	for _, m := range l.models {
		m.close()
	}
	if ctx.Err() != nil { // told to end, perhaps while loading
		return nil
	}
	return l.err
}

// servedFile is a model to offer.
type servedFile struct{ name, file string }

// served reads [NAME=]FILE arguments; the demo model is offered if there are none.
func served(args []string) ([]servedFile, error) {
	if len(args) == 0 {
		return []servedFile{{modelName(demo.Name), ""}}, nil
	}
	var list []servedFile
	for _, arg := range args {
		m := servedFile{modelName(arg), arg}
		if name, file, ok := strings.Cut(arg, "="); ok && name != "" && file != "" && !strings.ContainsAny(name, `/\:`) {
			m = servedFile{name, file}
		}
		for _, other := range list {
			if other.name == m.name {
				return nil, usagef("two models are named %q: give one another name, NAME=FILE", m.name)
			}
		}
		list = append(list, m)
	}
	return list, nil
}

// shardSuffix is what the first file of a split model ends with.
const shardSuffix = "-00001-of-"

// modelName is a file's name without its folder and its ending, and without what names a shard.
func modelName(file string) string {
	file, _, _ = strings.Cut(file, "?") // of a URL
	name := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".gguf")
	if at := strings.LastIndex(name, shardSuffix); at > 0 {
		name = name[:at]
	}
	return name
}

// loadAll loads the models, one after the other, and gives them to the server.
func (a *app) loadAll(ctx context.Context, s *serveFlags, files []servedFile, server *api.Server) (models []*model, err error) {
	var offered []*api.Model
	for _, f := range files {
		m, err := a.load(ctx, f.file, &s.engineFlags)
		if err != nil {
			return models, err
		}
		models = append(models, m)
		pooling := m.Arch.Output.Pooling
		switch {
		case s.pooling != "":
			pooling = poolings[s.pooling]
		case pooling == engine.PoolNone:
			pooling = engine.PoolMean
		}
		pool := session.NewPool(m.Model, session.PoolOptions{Parallel: s.parallel, Waiting: s.waiting, CacheBytes: s.kept})
		m.pool = pool
		offered = append(offered, &api.Model{Name: f.name, Pool: pool, Pooling: pooling, Bytes: m.Size})
	}
	server.Start(offered...)
	return models, nil
}

// warn says what an address that others reach means.
func (a *app) warn(at net.Addr, s *serveFlags) {
	if bound, ok := at.(*net.TCPAddr); ok && !bound.IP.IsLoopback() && s.key == "" {
		a.note("straw serve: anybody who reaches %s may use the models: --api-key asks for a key", at)
	}
}

// logger writes lines for people to a terminal, JSON to what else standard error is.
func (a *app) logger(quiet bool) *slog.Logger {
	switch {
	case quiet:
		return nil
	case term.IsTerminal(a.err):
		return slog.New(slog.NewTextHandler(a.err, nil))
	}
	return slog.New(slog.NewJSONHandler(a.err, nil))
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
