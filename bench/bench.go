// Bench compares straw with llama.cpp on one machine in one run: the same files, threads and context, measurements in
// turns A B A B, ratios of neighbours. llama.cpp comes as npm builds it (package.json pins it); models that are not there
// are made, with random weights of real shapes. `make bench` sets all of that up.
//
// One thread is compared by processor time, which other programs hardly disturb; more threads by the clock, where only a
// quiet machine gives figures that mean something: each row says how many cores others kept busy.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const usage = `usage: go run ./bench [options] [MODEL...]

MODEL is a GGUF file, or SHAPE:TYPE of a model that is made when it is not there, as llama-1b:Q4_K_M.
Shapes: qwen2.5-0.5b, llama-1b. Types: those of straw quantize. "all" is both shapes in the five types
of docs/performance.md. Without MODEL: qwen2.5-0.5b:Q8_0 qwen2.5-0.5b:Q4_K_M.

`

// config is what is asked for.
type config struct {
	models  []string
	threads []int
	pairs   int // 0: 3 for one thread, else 9
	pp, tg  int
	context int
	straw   string // program
	peer    string // folder of peer.mjs
	dir     string // of models
	record  string // file that rows are added to
	report  string // file of rows to print
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	c, err := parse(args, log)
	if err != nil {
		return err
	}
	if c.report != "" {
		rows, err := readRows(c.report)
		if err != nil {
			return err
		}
		return report(out, rows)
	}
	var rows []row
	for _, name := range c.models {
		m, err := findModel(ctx, name, c.dir, log)
		if err != nil {
			return err
		}
		for _, threads := range c.threads {
			r, err := compare(ctx, c, m, threads, log)
			if err != nil {
				return fmt.Errorf("%s, %d threads: %w", m.label(), threads, err)
			}
			rows = append(rows, r)
			if err := c.keep(&r); err != nil {
				return err
			}
		}
	}
	return table(out, rows)
}

func parse(args []string, log io.Writer) (*config, error) {
	c := &config{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(log)
	f.Usage = func() {
		fmt.Fprint(log, usage)
		f.PrintDefaults()
	}
	threads := f.String("threads", "1,2", "numbers of threads, each compared on its own")
	f.IntVar(&c.pairs, "pairs", 0, "measurements of each program (default 3 with one thread, else 9)")
	f.IntVar(&c.pp, "pp", 128, "tokens of prompt; 0: none")
	f.IntVar(&c.tg, "tg", 32, "tokens generated; 0: none")
	f.IntVar(&c.context, "ctx", 512, "tokens of context")
	f.StringVar(&c.straw, "straw", ".cache/bench/straw", "straw's `program`")
	f.StringVar(&c.peer, "peer", "bench", "`folder` of peer.mjs and its node_modules")
	f.StringVar(&c.dir, "dir", ".cache/bench", "`folder` of models, where those that are missing are made")
	f.StringVar(&c.record, "record", "", "add a JSON object a row to `FILE`")
	f.StringVar(&c.report, "report", "", "measure nothing: print the rows recorded in `FILE` as Markdown, with the targets")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	for text := range strings.SplitSeq(*threads, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-threads %q: numbers of 1 or more, separated by commas", *threads)
		}
		c.threads = append(c.threads, n)
	}
	if c.pp < 0 || c.tg < 0 || c.pp+c.tg == 0 || max(c.pp, c.tg) > c.context {
		return nil, fmt.Errorf("-pp %d -tg %d: 0 or more, not 0 both, and no more than -ctx %d", c.pp, c.tg, c.context)
	}
	c.models = f.Args()
	if len(c.models) == 0 {
		c.models = []string{"qwen2.5-0.5b:Q8_0", "qwen2.5-0.5b:Q4_K_M"}
	}
	if i := slices.Index(c.models, "all"); i >= 0 {
		c.models = slices.Replace(c.models, i, i+1, everyModel()...)
	}
	return c, nil
}

// keep adds a row to the record, if there is one.
func (c *config) keep(r *row) error {
	if c.record == "" {
		return nil
	}
	f, err := os.OpenFile(c.record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	err = json.NewEncoder(f).Encode(r)
	return errors.Join(err, f.Close())
}

// readRows is the rows of a record; of those that were measured twice, the last.
func readRows(name string) ([]row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []row
	for d := json.NewDecoder(f); ; {
		var r row
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		rows = slices.DeleteFunc(rows, func(o row) bool { return o.Model == r.Model && o.Threads == r.Threads })
		rows = append(rows, r)
	}
}
