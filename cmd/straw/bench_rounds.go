package main

import (
	"context"
	"slices"
	"time"

	"straw/engine"
	"straw/internal/session"
)

// benchmark is what is measured, and how often.
type benchmark struct {
	pp, tg int // tokens of prompt, tokens generated
	repeat int
}

// span is time: on the clock, and of this process on all processors.
type span struct{ wall, cpu time.Duration }

// measured is the span that f takes.
func measured(f func() error) (span, error) {
	begin, used := time.Now(), processorTime()
	err := f()
	return span{time.Since(begin), processorTime() - used}, err
}

// round is one measurement.
type round struct {
	pp, tg         int
	prompt, gen    span
	read           int64               // bytes from the file a token, generated or else of the prompt
	layers         []engine.LayerStats // what those tokens cost
	tokensOfLayers int                 // how many these were
}

// suit takes away what m cannot do; that is an error if it was asked for.
func (b *benchmark) suit(m *model, asked bool) error {
	if !m.Arch.Output.None && !m.Arch.Whole {
		return nil
	}
	if b.tg > 0 && asked {
		return &session.UsageError{Message: "model " + m.Arch.Name + " sees a text as a whole and generates nothing: ask for --tg 0"}
	}
	if b.tg = 0; b.pp == 0 {
		return &session.UsageError{Message: "model " + m.Arch.Name + " has a prompt only: --pp 1 or more is needed"}
	}
	return nil
}

// benchIDs are n tokens of m. Which ones hardly matters to the speed; these wander over the whole vocabulary, the same in
// every run.
func benchIDs(m *model, n int) []int {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = int((uint64(i)*2654435761 + 1) % uint64(m.Arch.VocabSize()))
	}
	return ids
}

// warm does what is slow only once.
func (b *benchmark) warm(ctx context.Context, m *model) error {
	if b.pp > 0 {
		return prompt(ctx, m, benchIDs(m, min(b.pp, 8)))
	}
	return b.start(ctx, m)
}

// prompt evaluates ids at once.
func prompt(ctx context.Context, m *model, ids []int) (err error) {
	if m.Arch.Output.None {
		_, err = m.Embed(ctx, ids, m.Arch.Output.Pooling)
	} else {
		_, err = m.Logits(ctx, ids, false)
	}
	return err
}

// start makes m ready to generate from nothing; a decoder needs something that the encoder has seen.
func (b *benchmark) start(ctx context.Context, m *model) error {
	if m.Arch.Encoder.Layers > 0 {
		return prompt(ctx, m, benchIDs(m, 1))
	}
	m.Reset()
	return nil
}

// run measures once. progress is told what begins.
func (b *benchmark) run(ctx context.Context, m *model, progress func(string)) (r round, err error) {
	r.pp, r.tg = b.pp, b.tg
	ids := benchIDs(m, max(b.pp, b.tg))
	before := m.Stats()
	if b.pp > 0 {
		progress("prompt")
		if r.prompt, err = measured(func() error { return prompt(ctx, m, ids[:b.pp]) }); err != nil {
			return r, err
		}
		r.tokensOfLayers = b.pp
	}
	if b.tg > 0 {
		progress("generation")
		if err := b.start(ctx, m); err != nil {
			return r, err
		}
		before = m.Stats()
		r.gen, err = measured(func() error {
			for _, id := range ids[:b.tg] {
				if _, err := m.Extend(ctx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return r, err
		}
		r.tokensOfLayers = b.tg
	}
	after := m.Stats()
	r.read = (after.BytesRead - before.BytesRead) / int64(r.tokensOfLayers)
	for i, l := range after.Layers {
		o := before.Layers[i]
		r.layers = append(r.layers, engine.LayerStats{Compute: l.Compute - o.Compute, Wait: l.Wait - o.Wait, Bytes: l.Bytes - o.Bytes, Read: l.Read - o.Read})
	}
	return r, nil
}

// rates are tokens a second, of the clock and of processor time a thread; 0 where nothing was measured.
type rates struct {
	PPTPS float64 `json:"pp_tps"`
	TGTPS float64 `json:"tg_tps"`
	PPCPU float64 `json:"pp_cpu_tps"`
	TGCPU float64 `json:"tg_cpu_tps"`
}

// ratesOf is the medians of all.
func ratesOf(all []round, threads int) rates {
	of := func(n func(*round) int, s func(*round) span) (wall, cpu float64) {
		var walls, cpus []float64
		for i := range all {
			r := &all[i]
			if s(r).wall > 0 {
				walls = append(walls, float64(n(r))/s(r).wall.Seconds())
			}
			if s(r).cpu > 0 {
				cpus = append(cpus, float64(n(r)*threads)/s(r).cpu.Seconds())
			}
		}
		return places(median(walls), 3), places(median(cpus), 3)
	}
	var r rates
	r.PPTPS, r.PPCPU = of(func(r *round) int { return r.pp }, func(r *round) span { return r.prompt })
	r.TGTPS, r.TGCPU = of(func(r *round) int { return r.tg }, func(r *round) span { return r.gen })
	return r
}

// median of v, 0 of nothing.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
