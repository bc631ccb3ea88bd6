package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"straw/internal/term"
)

// target is what the ratios of a type should be, on one thread and on more.
type target struct{ pp, tg [2]float64 }

var targets = map[string]target{
	"Q8_0":   {pp: [2]float64{1.85, 2.0}, tg: [2]float64{1.45, 1.95}},
	"Q4_0":   {pp: [2]float64{1.8, 1.8}, tg: [2]float64{1.2, 1.6}},
	"Q4_K_M": {pp: [2]float64{1.8, 1.8}, tg: [2]float64{1.15, 1.3}},
	"Q6_K":   {pp: [2]float64{2.4, 2.0}, tg: [2]float64{1.1, 1.3}},
	"F16":    {pp: [2]float64{2.0, 2.0}, tg: [2]float64{1.1, 1.1}},
}

// targetOf is the targets of a row, 0 where there are none: llama-1b's, and less a tenth for the smaller shape.
func targetOf(r *row) (pp, tg float64) {
	shape, typ, _ := strings.Cut(r.Model, " ")
	t := targets[typ]
	scale := map[string]float64{"llama-1b": 1, "qwen2.5-0.5b": 0.9}[shape]
	i := min(r.Threads-1, 1)
	return t.pp[i] * scale, t.tg[i] * scale
}

// cells are a row's figures, in the order of titles.
func (r *row) cells() []string {
	pp, tg := targetOf(r)
	return []string{
		r.Model, fmt.Sprint(r.Threads),
		rate(r.PP.Straw), rate(r.PP.Peer), r.PP.text(), goal(pp),
		rate(r.TG.Straw), rate(r.TG.Peer), r.TG.text(), goal(tg),
		fmt.Sprintf("%.2f", float64(r.Peak[0])/float64(r.Bytes)), fmt.Sprintf("%.2f", float64(r.Peak[1])/float64(r.Bytes)),
		fmt.Sprintf("%.1f", r.Others),
	}
}

var titles = []string{"model", "threads", "prompt", "llama.cpp", "ratio", "target", "generation", "llama.cpp", "ratio", "target",
	"peak/file", "llama.cpp", "others"}

func rate(v float64) string {
	if v >= 99.95 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// text is the ratio and where the middle half of the pairs lies.
func (v versus) text() string {
	if v.Ratio == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", v.Ratio, v.Low, v.High)
}

func goal(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

const legend = `Tokens a second, of processor time with one thread, of the clock with more; ratios straw / llama.cpp of neighbours, the
median and the middle half; peak resident memory over the file's size; cores that other programs kept busy.
`

// table writes rows for a terminal.
func table(w io.Writer, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	var columns []term.Column
	for i, title := range titles {
		columns = append(columns, term.Column{Title: title, Right: i > 0})
	}
	var cells [][]string
	for i := range rows {
		cells = append(cells, rows[i].cells())
	}
	term.Table(w, 0, w == os.Stdout && term.Color(w), columns, cells)
	_, err := fmt.Fprintf(w, "\n%s%s\n", legend, rows[0].Peer)
	return err
}

// report writes rows as Markdown, by threads and in the order of everyModel.
func report(w io.Writer, rows []row) error {
	order := everyModel()
	at := func(r *row) int { return slices.Index(order, strings.Replace(r.Model, " ", ":", 1)) }
	slices.SortStableFunc(rows, func(a, b row) int {
		if a.Threads != b.Threads {
			return a.Threads - b.Threads
		}
		return at(&a) - at(&b)
	})
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(titles)
	line(append([]string{"---"}, slices.Repeat([]string{"--:"}, len(titles)-1)...))
	for i := range rows {
		line(rows[i].cells())
	}
	_, err := io.WriteString(w, b.String())
	return err
}
