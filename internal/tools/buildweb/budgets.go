package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// budget is a limit of DESIGN.md on the brotli size of some assets together.
type budget struct {
	what  string
	limit int // bytes; 0: shown, not limited
	of    func(name string) bool
}

var budgets = []budget{
	{"HTML, CSS and scripts", 100_000, func(name string) bool {
		switch filepath.Ext(name) {
		case ".html", ".css", ".js", ".svg":
			return true
		}
		return false
	}},
	{"viewer.wasm", 1_000_000, func(name string) bool { return name == "viewer.wasm" }},
	{"runner.wasm, on Run only", 0, func(name string) bool { return name == "runner.wasm" }},
	{"kernels, on Run only", 60_000, func(name string) bool { // what one browser loads: the largest kind
		return strings.HasPrefix(name, "simd") && filepath.Ext(name) == ".wasm"
	}},
	{"demo model, on demand only", 0, func(name string) bool { return name == "demo.gguf" }},
}

// report prints a line an asset and a line a budget, and returns how many budgets are exceeded.
func report(w io.Writer, weights []weight) (over int) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "asset\tbytes\tgzip\tbrotli\t")
	for _, a := range weights {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t\n", a.name, a.raw, a.gzip, a.br)
	}
	t.Flush()
	fmt.Fprintln(w)
	for _, b := range budgets {
		sum, n := 0, 0
		for _, a := range weights {
			if b.of(a.name) {
				sum += a.br
				n++
			}
		}
		switch {
		case n == 0:
			fmt.Fprintf(w, "%-28s not in this build\n", b.what)
		case b.limit == 0:
			fmt.Fprintf(w, "%-28s %8.1f KB brotli\n", b.what, float64(sum)/1000)
		case sum > b.limit:
			over++
			fmt.Fprintf(w, "%-28s %8.1f KB brotli: over the budget of %d KB\n", b.what, float64(sum)/1000, b.limit/1000)
		default:
			fmt.Fprintf(w, "%-28s %8.1f KB brotli of %d KB\n", b.what, float64(sum)/1000, b.limit/1000)
		}
	}
	return over
}
