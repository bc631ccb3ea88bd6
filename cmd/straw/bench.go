package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	kernels "straw"
	"straw/internal/term"
)

// figures are the results of bench, in the contract's names.
type figures struct {
	PPTPS    float64 `json:"pp_tps"`
	TGTPS    float64 `json:"tg_tps"`
	PPN      int     `json:"pp_n"`
	TGN      int     `json:"tg_n"`
	Threads  int     `json:"threads"`
	Kernels  string  `json:"kernels"`
	PeakRSS  int64   `json:"peak_rss"`
	Budget   *int64  `json:"budget"` // null: everything in memory; 0: mapped
	Read     int64   `json:"bytes_read_per_token"`
	BoundTPS float64 `json:"bound_tps"`
	LoadMS   float64 `json:"load_ms"`
}

func (a *app) benchCommand() *cobra.Command {
	var e engineFlags
	var pp, tg, repeat int
	var asJSON bool
	var profileTo string
	cmd := &cobra.Command{
		Use:   "bench [FILE]",
		Short: "Tokens a second of prompt and generation, memory, bytes read",
		Long: `Evaluates a prompt of --pp tokens at once, then --tg tokens one by one; the figures are medians of the
repeats. The bound is how many tokens a second the memory (or, where weights are streamed, the file)
allows: what was measured of its reading speed, divided by the bytes of weights a token needs.`,
		Example:           "  straw bench model.gguf\n  straw bench model.gguf --pp 512 --tg 128 --threads 4 --json",
		Args:              args(0, 1, ""),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case pp < 0 || tg < 0 || pp+tg == 0:
				return usagef("--pp %d --tg %d: 0 or more is needed, and not 0 both", pp, tg)
			case repeat < 1:
				return usagef("--repeat %d: 1 or more is needed", repeat)
			}
			end, err := profile(profileTo)
			if err != nil {
				return err
			}
			defer end()
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			if e.ctx == 0 {
				e.ctx = max(pp, tg)
			}
			m, err := a.load(ctx, first(args), &e)
			if err != nil {
				return err
			}
			defer m.close()
			r, err := a.bench(ctx, m, pp, tg, repeat)
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
	f.IntVar(&pp, "pp", 256, "`N` tokens of prompt")
	f.IntVar(&tg, "tg", 64, "`N` tokens generated")
	f.IntVar(&repeat, "repeat", 3, "each is measured `N` times")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	e.add(f, "f16")
	f.Lookup("ctx").Usage = "context of `N` tokens (default the larger of --pp and --tg)"
	f.StringVar(&profileTo, "cpuprofile", "", "write a CPU profile to `FILE`")
	f.MarkHidden("cpuprofile")
	return cmd
}

func (a *app) bench(ctx context.Context, m *model, pp, tg, repeat int) (figures, error) {
	r := figures{PPN: pp, TGN: tg, Threads: m.threads, Kernels: kernels.Name(), LoadMS: places(milliseconds(m.opening), 3)}
	if m.budget >= 0 {
		r.Budget = &m.budget
	}
	// The ids hardly matter to the speed; these wander over the whole vocabulary, the same in every run.
	n := m.Arch.VocabSize()
	ids := make([]int, max(pp, tg))
	for i := range ids {
		ids[i] = int((uint64(i)*2654435761 + 1) % uint64(n))
	}
	line := term.NewProgress(a.err)
	defer line.Clear()
	var prompt, gen []float64
	if pp > 0 { // what is slow only once is not measured
		if _, err := m.Logits(ctx, ids[:min(pp, 8)], false); err != nil {
			return r, err
		}
	}
	for i := range repeat {
		if pp > 0 {
			line.Set(fmt.Sprintf("prompt, %d of %d", i+1, repeat))
			begin := time.Now()
			if _, err := m.Logits(ctx, ids[:pp], false); err != nil {
				return r, err
			}
			prompt = append(prompt, float64(pp)/time.Since(begin).Seconds())
		}
		if tg > 0 {
			m.Reset()
			read := m.Stats().BytesRead
			begin := time.Now()
			for j, id := range ids[:tg] {
				line.Set(fmt.Sprintf("generation, %d of %d: token %d of %d", i+1, repeat, j+1, tg))
				if _, err := m.Extend(ctx, id); err != nil {
					return r, err
				}
			}
			gen = append(gen, float64(tg)/time.Since(begin).Seconds())
			r.Read = (m.Stats().BytesRead - read) / int64(tg)
		}
	}
	r.PPTPS, r.TGTPS = places(median(prompt), 3), places(median(gen), 3)
	r.PeakRSS = peakMemory()
	line.Set("reading speed")
	speed, err := m.readingSpeed(ctx)
	if err != nil {
		return r, err
	}
	if w := m.weightBytes(); w > 0 {
		r.BoundTPS = places(speed/float64(w), 3)
	}
	return r, nil
}

// median of v, 0 of nothing.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
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
		[]string{"bound", rateText(r.BoundTPS), size(m.weightBytes()) + " of weights a token, " + where},
		[]string{"read a token", size(r.Read), "from the file"},
		[]string{"peak memory", size(r.PeakRSS), ""},
		[]string{"load", fmt.Sprintf("%.1f ms", r.LoadMS), ""},
		[]string{"kernels", r.Kernels, fmt.Sprintf("%d threads", r.Threads)})
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout), []term.Column{{Title: "what"}, {Title: "figure", Right: true}, {Title: "of", Give: true}}, rows)
}
