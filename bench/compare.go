package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"straw/internal/term"
)

// row is one comparison. Rates are tokens a second: of processor time with one thread, of the clock with more.
type row struct {
	Model   string   `json:"model"`
	Bytes   int64    `json:"bytes"` // of the file
	Threads int      `json:"threads"`
	Pairs   int      `json:"pairs"`
	PP      versus   `json:"pp"`
	TG      versus   `json:"tg"`
	Peak    [2]int64 `json:"peak_rss"` // bytes: straw; llama.cpp without what Node needs
	Others  float64  `json:"others"`   // cores that other programs kept busy meanwhile
	Peer    string   `json:"peer"`
}

// versus is how fast both are, in the middle, and the ratios of neighbours in time.
type versus struct {
	Straw float64 `json:"straw"`
	Peer  float64 `json:"peer"`
	Ratio float64 `json:"ratio"` // the median
	Low   float64 `json:"low"`   // a quarter is below
	High  float64 `json:"high"`  // a quarter is above
}

// compare measures both programs in turns.
func compare(ctx context.Context, c *config, m *modelFile, threads int, log io.Writer) (row, error) {
	r := row{Model: m.label(), Bytes: m.size, Threads: threads, Pairs: c.pairs}
	if r.Pairs == 0 {
		r.Pairs = 9
		if threads == 1 {
			r.Pairs = 3
		}
	}
	peer, hello, err := startPeer(ctx, c.peer, m.path, threads, c.context)
	if err != nil {
		return r, err
	}
	defer peer.end()
	straw, err := startStraw(ctx, c.straw, m.path, threads, c.context)
	if err != nil {
		return r, err
	}
	defer straw.end()
	r.Peer = hello.Version
	both := []*program{straw, peer}
	for _, p := range both { // what is slow only once
		if _, err := p.measure(min(c.pp, 16), min(c.tg, 2)); err != nil {
			return r, err
		}
	}
	progress := term.NewProgress(log)
	defer progress.Clear()
	var pp, tg [2][]float64
	begin, busy, own := time.Now(), machineBusy(), 0.0
	for i := range r.Pairs {
		for j, p := range both {
			progress.Set(fmt.Sprintf("%s, threads %d: %d of %d", r.Model, threads, i+1, r.Pairs))
			a, err := p.measure(c.pp, c.tg)
			if err != nil {
				return r, err
			}
			own += a.used(c.pp, c.tg, threads)
			pp[j] = append(pp[j], a.rate(threads, a.PPTPS, a.PPCPU))
			tg[j] = append(tg[j], a.rate(threads, a.TGTPS, a.TGCPU))
			r.Peak[j] = a.Peak
		}
	}
	r.Others = max(0, (machineBusy()-busy-own)/time.Since(begin).Seconds())
	r.Peak[1] -= hello.Base
	r.PP, r.TG = ratios(pp), ratios(tg)
	return r, nil
}

// rate is the figure that counts.
func (a *answer) rate(threads int, clock, cpu float64) float64 {
	if threads == 1 {
		return cpu
	}
	return clock
}

// used is the seconds of processor time that a measurement took.
func (a *answer) used(pp, tg, threads int) (s float64) {
	if a.PPCPU > 0 {
		s += float64(pp*threads) / a.PPCPU
	}
	if a.TGCPU > 0 {
		s += float64(tg*threads) / a.TGCPU
	}
	return s
}

// ratios compares rates of the two programs that were measured in turns. Of the others it takes the medians.
func ratios(rates [2][]float64) versus {
	n := len(rates[0])
	var of []float64
	for i := range n {
		if rates[1][i] > 0 {
			of = append(of, rates[0][i]/rates[1][i])
		}
	}
	return versus{quantile(rates[0], 0.5), quantile(rates[1], 0.5), quantile(of, 0.5), quantile(of, 0.25), quantile(of, 0.75)}
}

// quantile is the value below which the part q of v lies, between two of them if need be; 0 of nothing.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(v))
	at := q * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// machineBusy is the seconds of processor time that all programs have used; 0 where the system does not tell.
func machineBusy() float64 {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(b), "\n")
	total := 0.0
	for i, field := range strings.Fields(first) {
		if i == 0 || i == 4 || i == 5 || i > 7 { // the name, idle, waiting for a disk; steal is not ours, and guests count twice
			continue
		}
		n, _ := strconv.ParseFloat(field, 64)
		total += n / 100 // clock ticks of user space are hundredths on every Linux
	}
	return total
}
