package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	kernels "straw"
	"straw/internal/term"
)

// figures are the results of bench, in the contract's names.
type figures struct {
	rates
	PPN       int            `json:"pp_n"`
	TGN       int            `json:"tg_n"`
	Threads   int            `json:"threads"`
	Kernels   string         `json:"kernels"`
	PeakRSS   int64          `json:"peak_rss"`
	Budget    *int64         `json:"budget"` // null: everything in memory; 0: mapped
	Read      int64          `json:"bytes_read_per_token"`
	BoundTPS  float64        `json:"bound_tps"`
	BoundBy   string         `json:"bound_by"`             // "memory", "disk" or "compute"
	ReadSpeed float64        `json:"read_speed,omitempty"` // of a stream's readers alone, bytes a second
	Experts   *expertFigures `json:"experts,omitempty"`
	LoadMS    float64        `json:"load_ms"`
	Layers    []layerFigures `json:"layers"`
}

func (a *app) benchCommand() *cobra.Command {
	var e engineFlags
	var asJSON, jsonLines bool
	var profileTo string
	var b benchmark
	cmd := &cobra.Command{
		Use: "bench [FILE]",
		Long: `Evaluates a prompt of --pp tokens at once, then --tg tokens one by one; the figures are medians of the
repeats. The bound is how many tokens a second the memory (or, where weights are streamed, the file)
allows: what was measured of its reading speed, divided by the bytes of weights a token needs. Below
it is where a generated token's time goes, layer by layer: computing, or waiting for weights.
A model that makes embeddings has a prompt only.

With --json-lines the model stays loaded and is measured once for each line of standard input, to be
compared with another program in turns:
  {"pp": 128, "tg": 32}  ->  {"pp_tps", "tg_tps", "pp_cpu_tps", "tg_cpu_tps", "peak_rss"}
The cpu figures are tokens a second of processor time and thread.`,
		Example: `  straw bench model.gguf
  straw bench model.gguf --pp 512 --tg 128 --threads 4 --json
  straw bench model.gguf --cpuprofile cpu.prof && go tool pprof -top cpu.prof`,
		Args:              args(0, 1, ""),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case b.pp < 0 || b.tg < 0 || b.pp+b.tg == 0:
				return usagef("--pp %d --tg %d: 0 or more is needed, and not 0 both", b.pp, b.tg)
			case b.repeat < 1:
				return usagef("--repeat %d: 1 or more is needed", b.repeat)
			case jsonLines && asJSON:
				return usagef("--json-lines and --json exclude each other")
			}
			end, err := profile(profileTo)
			if err != nil {
				return err
			}
			defer end()
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			if e.ctx == 0 {
				e.ctx = max(b.pp, b.tg)
			}
			m, err := a.load(ctx, first(args), &e)
			if err != nil {
				return err
			}
			defer m.close()
			if err := b.suit(m, cmd.Flags().Changed("tg")); err != nil {
				return about(m.label, err)
			}
			if jsonLines {
				if err := b.warm(ctx, m); err != nil {
					return about(m.label, err)
				}
				return a.jsonLines(func(line []byte) (any, error) { return b.answer(ctx, m, line) })
			}
			r, err := a.bench(ctx, m, &b)
			if err != nil {
				return about(m.label, err)
			}
			if asJSON {
				return a.json(r)
			}
			a.benchTable(m, r)
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&b.pp, "pp", 256, "`N` tokens of prompt")
	f.IntVar(&b.tg, "tg", 64, "`N` tokens generated")
	f.IntVar(&b.repeat, "repeat", 3, "each is measured `N` times")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	f.BoolVar(&jsonLines, "json-lines", false, "a JSON request a line, a JSON answer a line")
	e.add(f, "f16")
	f.Lookup("ctx").Usage = "context of `N` tokens (default the larger of --pp and --tg)"
	f.StringVar(&profileTo, "cpuprofile", "", "write a CPU profile to `FILE`, for go tool pprof")
	return cmd
}

// bench measures m and the bound.
func (a *app) bench(ctx context.Context, m *model, b *benchmark) (figures, error) {
	r := figures{PPN: b.pp, TGN: b.tg, Threads: m.threads, Kernels: kernels.Name(), LoadMS: places(milliseconds(m.opening), 3)}
	if m.budget >= 0 {
		r.Budget = &m.budget
	}
	line := term.NewProgress(a.err)
	defer line.Clear()
	var all []round
	if err := b.warm(ctx, m); err != nil {
		return r, err
	}
	for i := range b.repeat {
		one, err := b.run(ctx, m, func(what string) { line.Set(fmt.Sprintf("%s, %d of %d", what, i+1, b.repeat)) })
		if err != nil {
			return r, err
		}
		all = append(all, one)
	}
	r.rates = ratesOf(all, m.threads)
	last := all[len(all)-1]
	r.PeakRSS, r.Read = peakMemory(), last.read
	r.Layers = layersOf(m, all)
	line.Set("reading speed")
	speed, err := m.readingSpeed(ctx)
	if err != nil {
		return r, err
	}
	if m.streams() {
		r.ReadSpeed = places(speed, 0)
		r.Experts = expertsOf(m)
	}
	r.BoundTPS = places(m.boundTPS(&r, speed), 3)
	r.BoundBy = boundBy(&r, m)
	return r, nil
}

// answer is a request of --json-lines, answered.
func (b *benchmark) answer(ctx context.Context, m *model, line []byte) (any, error) {
	req := struct {
		PP int `json:"pp"`
		TG int `json:"tg"`
	}{}
	if err := json.Unmarshal(line, &req); err != nil {
		return nil, err
	}
	one := benchmark{pp: req.PP, tg: req.TG}
	switch {
	case req.PP < 0 || req.TG < 0 || req.PP+req.TG == 0:
		return nil, fmt.Errorf(`"pp" %d, "tg" %d: 0 or more is needed, and not 0 both`, req.PP, req.TG)
	case max(req.PP, req.TG) > m.Context:
		return nil, fmt.Errorf(`"pp" %d, "tg" %d: the context has %d tokens (--ctx)`, req.PP, req.TG, m.Context)
	}
	if err := one.suit(m, true); err != nil {
		return nil, err
	}
	r, err := one.run(ctx, m, func(string) {})
	if err != nil {
		return nil, err
	}
	return struct {
		rates
		PeakRSS int64 `json:"peak_rss"`
	}{ratesOf([]round{r}, m.threads), peakMemory()}, nil
}

func (a *app) benchTable(m *model, r figures) {
	var rows [][]string
	if r.PPN > 0 {
		rows = append(rows, []string{"prompt", rateText(r.PPTPS), fmt.Sprintf("%d tokens at once", r.PPN)})
	}
	if r.TGN > 0 {
		rows = append(rows, []string{"generation", rateText(r.TGTPS), fmt.Sprintf("%d tokens, %.0f %% of the bound", r.TGN, 100*r.TGTPS/max(r.BoundTPS, 1e-9))})
	}
	where := "in memory"
	switch {
	case m.budget == 0:
		where = "mapped"
	case !m.resident:
		where = "streamed"
	}
	rows = append(rows,
		[]string{"bound", rateText(r.BoundTPS), size(m.weightBytes()) + " of weights a token, " + where + "; what held it up: " + r.BoundBy},
		[]string{"read a token", size(r.Read), readFrom(&r)},
		[]string{"peak memory", size(r.PeakRSS), ""},
		[]string{"load", fmt.Sprintf("%.1f ms", r.LoadMS), ""},
		[]string{"kernels", r.Kernels, plural(r.Threads, "thread")})
	width, color := term.Width(a.stdout), term.Color(a.stdout)
	term.Table(a.out, width, color, []term.Column{{Title: "what"}, {Title: "figure", Right: true}, {Title: "of", Give: true}}, rows)
	fmt.Fprintln(a.out)
	layerTable(a.out, width, color, r.Layers)
}
