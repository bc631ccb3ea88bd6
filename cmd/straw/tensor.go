package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"straw/gguf"
	"straw/internal/stats"
	"straw/internal/term"
	"straw/internal/values"
)

// Of a tensor behind a URL no more than this is read unless --sample says so.
const remoteSample = 1 << 20

type tensorFlags struct {
	head   int64
	row    int64
	bins   int
	sample int64
	npy    string
	asJSON bool
}

func (a *app) tensorCommand() *cobra.Command {
	var o tensorFlags
	cmd := &cobra.Command{
		Use: "tensor FILE NAME",
		Long: `Decodes one tensor and describes its numbers: least and greatest, mean, standard deviation, zeros, what is no
number, and a histogram whose edges are round. Memory for a piece of it is enough, whatever its size. Values are
in the order of the file; row R is the R-th (from 0) run of as many values as the first of the dims says.`,
		Example: `  straw tensor model.gguf token_embd.weight
  straw tensor model.gguf token_embd.weight --row 17 --head 8
  straw tensor https://example.org/model.gguf output.weight --sample 100000
  straw tensor model.gguf blk.0.attn_q.weight --npy q.npy`,
		Args:              args(2, 2, "FILE and NAME"),
		ValidArgsFunction: a.completeTensor,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, x := range []struct {
				flag  string
				value int64
			}{{"head", o.head}, {"row", o.row}, {"bins", int64(o.bins)}, {"sample", o.sample}} {
				if cmd.Flags().Changed(x.flag) && x.value < 0 {
					return usagef("--%s %d: a number from 0 on is needed", x.flag, x.value)
				}
			}
			if !cmd.Flags().Changed("sample") && strings.Contains(args[0], "://") {
				o.sample = remoteSample
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.tensor(ctx, args[0], args[1], o)
		},
	}
	f := cmd.Flags()
	f.Int64Var(&o.head, "head", 8, "show the first `N` values")
	f.Int64Var(&o.row, "row", -1, "show values of row `R`, from its first on")
	f.IntVar(&o.bins, "bins", 32, "`N` bins at most in the histogram")
	f.Int64Var(&o.sample, "sample", 0, "describe `N` values spread over the tensor (default all; of a URL about a million)")
	f.StringVar(&o.npy, "npy", "", "write all values to the NumPy file `OUT`, as float32; - is standard output")
	f.BoolVar(&o.asJSON, "json", false, "one JSON object")
	return cmd
}

// completeTensor completes FILE, then NAME from the file.
func (a *app) completeTensor(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 || strings.Contains(args[0], "://") {
		return ggufFiles(cmd, args, "")
	}
	in, err := a.openWhole(cmd.Context(), args[0], false)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer in.Close()
	var names []string
	for name := range in.TensorNames() {
		names = append(names, term.Safe(name))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) tensor(ctx context.Context, arg, name string, o tensorFlags) error {
	in, err := a.openWhole(ctx, arg, false)
	if err != nil {
		return err
	}
	defer in.Close()
	t, ok := in.Lookup(name)
	if !ok {
		return &fileError{in.label, noTensor(in.File, name)}
	}
	if o.npy != "" {
		return a.npy(ctx, in, t, o)
	}
	v, err := shown(in.File, t, o)
	if err != nil {
		return about(in.label, err)
	}
	line := term.NewProgress(a.err)
	begin := started()
	s, err := stats.Of(ctx, in.File, t, stats.Options{Sample: o.sample, Bins: o.bins, Progress: func(done, total int64) {
		line.Set(t.Name + ": " + begin.progress(done, total, func(n int64) string { return count(n) }))
	}})
	line.Clear()
	if err != nil {
		return about(in.label, err)
	}
	if o.asJSON {
		return a.json(tensorDocument(t, s, v))
	}
	a.tensorText(t, s, v)
	return nil
}

// noTensor is the error for a name that is none, with the nearest that is one.
func noTensor(f *gguf.File, name string) error {
	for have := range f.TensorNames() {
		if strings.HasPrefix(have, name+".") || strings.TrimSuffix(have, ".weight") == name {
			return fmt.Errorf("the file has no tensor %q; perhaps %q", name, have)
		}
	}
	return fmt.Errorf("the file has no tensor %q; straw inspect lists them", name)
}

// some are the values that are shown: those of the tensor from first on.
type some struct {
	row    *int64 // nil: counted from the tensor's start
	values []float32
}

// shown reads the values asked for.
func shown(f *gguf.File, t *gguf.Tensor, o tensorFlags) (some, error) {
	var v some
	first, n := int64(0), int64(t.Elements)
	if o.row >= 0 {
		width := int64(1)
		if len(t.Dims) > 0 {
			width = int64(t.Dims[0])
		}
		if width == 0 || o.row >= n/width {
			return v, usagef("--row %d: tensor %q has %s", o.row, t.Name, plural(int(n/max(width, 1)), "row"))
		}
		v.row, first, n = &o.row, o.row*width, width
	}
	r, err := values.NewReader(f, t)
	if err != nil {
		return v, err
	}
	v.values = make([]float32, min(n, o.head))
	return v, r.Read(v.values, first)
}

func (a *app) npy(ctx context.Context, in input, t *gguf.Tensor, o tensorFlags) error {
	if o.npy == "-" && term.IsTerminal(a.stdout) {
		return usagef("--npy -: standard output is a terminal: give a file, or send it to one")
	}
	if isPart(o.npy, in.label, in.File) {
		return usagef("--npy %s is the input: give another name", o.npy)
	}
	line := term.NewProgress(a.err)
	defer line.Clear()
	begin := started()
	write := func(w io.Writer) error {
		return values.NPY(ctx, w, in.File, t, func(done, total int64) {
			line.Set(t.Name + ": " + begin.progress(done, total, func(n int64) string { return count(n) }))
		})
	}
	if o.npy == "-" {
		return write(a.out)
	}
	if err := writeFile(o.npy, values.NPYSize(t), write); err != nil {
		return err
	}
	line.Clear()
	if o.asJSON {
		return a.json(struct {
			File  string   `json:"file"`
			Shape []uint64 `json:"shape"`
			Bytes int64    `json:"nbytes"`
		}{o.npy, t.Shape(), values.NPYSize(t)})
	}
	a.note("%s: %s values, %s", o.npy, count(t.Elements), size(values.NPYSize(t)))
	return nil
}

// tensorText writes what is known of a tensor for people.
func (a *app) tensorText(t *gguf.Tensor, s *stats.Stats, v some) {
	width := term.Width(a.stdout)
	fmt.Fprintln(a.out, term.Safe(t.Name))
	fmt.Fprintln(a.out, strip([]string{t.Type.String(), dimsText(t.Dims), count(t.Elements) + " values", size(t.Bytes), "at byte " + count(t.AbsOffset)}, width))
	share := func(n int64) string {
		return fmt.Sprintf("%s (%.3g %%)", count(n), 100*float64(n)/float64(max(s.Sampled, 1)))
	}
	facts := []string{"min " + number(s.Min), "max " + number(s.Max), "mean " + number(s.Mean), "std " + number(s.Std), "zeros " + share(s.Zeros)}
	for _, odd := range []struct {
		name string
		n    int64
	}{{"NaN", s.NaN}, {"infinite", s.PosInf + s.NegInf}} {
		if odd.n > 0 {
			facts = append(facts, odd.name+" "+share(odd.n))
		}
	}
	if s.Sampled < s.Elements {
		facts = append(facts, "of a sample of "+count(s.Sampled))
	}
	fmt.Fprintln(a.out, strip(facts, width))
	if h := s.Histogram; len(h.Counts) > 0 {
		fmt.Fprintln(a.out)
		a.histogram(h, width)
	}
	if len(v.values) > 0 {
		where := "values"
		if v.row != nil {
			where = "row " + strconv.FormatInt(*v.row, 10)
		}
		list := make([]string, len(v.values))
		for i, x := range v.values {
			list[i] = strconv.FormatFloat(float64(x), 'g', -1, 32)
		}
		fmt.Fprintf(a.out, "\n%s: %s\n", where, strings.Join(list, " "))
	}
}

// number writes a figure of float32 numbers with the places that mean something.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// histogram draws a bar a bin, of the width that the terminal leaves.
func (a *app) histogram(h stats.Histogram, width int) {
	most, label := int64(1), 0
	edges := make([]string, len(h.Counts))
	for i, n := range h.Counts {
		most = max(most, n)
		edges[i] = number(h.Low + float64(i)*h.Width)
		label = max(label, len(edges[i]))
	}
	figures := len(count(most))
	bar := 40
	if width > 0 {
		bar = max(min(bar, width-label-figures-3), 1)
	}
	for i, n := range h.Counts {
		filled := int(math.Ceil(float64(n) / float64(most) * float64(bar)))
		line := fmt.Sprintf("%*s %*s %s", label, edges[i], figures, count(n), strings.Repeat("█", filled))
		fmt.Fprintln(a.out, strings.TrimRight(line, " "))
	}
}

type histogramJSON struct {
	Low    real    `json:"low"`
	Width  real    `json:"width"`
	Counts []int64 `json:"counts"`
}

type tensorJSON struct {
	Name     bytes    `json:"name"`
	Type     string   `json:"type"`
	Dims     []uint64 `json:"dims"`
	Shape    []uint64 `json:"shape"`
	Elements uint64   `json:"n_elements"`
	Bytes    int64    `json:"nbytes"`
	Stats    struct {
		Sampled   int64         `json:"sampled"`
		Min       real          `json:"min"`
		Max       real          `json:"max"`
		Mean      real          `json:"mean"`
		Std       real          `json:"std"`
		Zeros     int64         `json:"zeros"`
		NaN       int64         `json:"nan"`
		Inf       int64         `json:"inf"`
		NegInf    int64         `json:"neg_inf"`
		Histogram histogramJSON `json:"histogram"`
	} `json:"stats"`
	Row    *int64 `json:"row,omitempty"`
	Values floats `json:"values"`
}

func tensorDocument(t *gguf.Tensor, s *stats.Stats, v some) tensorJSON {
	d := tensorJSON{Name: bytes(t.Name), Type: t.Type.String(), Dims: append([]uint64{}, t.Dims...), Shape: append([]uint64{}, t.Shape()...), Elements: t.Elements, Bytes: t.Bytes, Row: v.row, Values: v.values}
	d.Stats.Sampled, d.Stats.Zeros, d.Stats.NaN, d.Stats.Inf, d.Stats.NegInf = s.Sampled, s.Zeros, s.NaN, s.PosInf, s.NegInf
	d.Stats.Min, d.Stats.Max, d.Stats.Mean, d.Stats.Std = real(s.Min), real(s.Max), real(s.Mean), real(s.Std)
	d.Stats.Histogram = histogramJSON{real(s.Histogram.Low), real(s.Histogram.Width), append([]int64{}, s.Histogram.Counts...)}
	return d
}
