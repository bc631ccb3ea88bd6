package main

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"straw/engine"
	"straw/internal/session"
	"straw/internal/source"
	"straw/internal/term"
)

// engineFlags are what every command that runs a model takes.
type engineFlags struct {
	ctx        int
	threads    int
	kvType     string
	ramBudget  string
	noPrefetch bool
	direct     bool
	lora       []string

	timelines int   // at once, for --ram-budget; 0: one
	kept      int64 // bytes of keys and values beside those of these
}

func (e *engineFlags) add(f *pflag.FlagSet, kvType string) {
	f.IntVar(&e.ctx, "ctx", 0, "context of `N` tokens (default the model's, at most 4096)")
	f.IntVar(&e.threads, "threads", 0, "`N` threads compute (default physical cores)")
	f.StringVar(&e.kvType, "kv-type", kvType, "`TYPE` of the key/value cache: f32, f16 or q8_0")
	f.StringVar(&e.ramBudget, "ram-budget", "", "`SIZE` with K, M or G: stream the weights, a hard ceiling; 0: map the file\n(default all in memory where it fits)")
	f.StringArrayVar(&e.lora, "lora", nil, "apply LoRA adapter `FILE[:SCALE]` (default scale 1); may be repeated")
	f.BoolVar(&e.noPrefetch, "no-prefetch", false, "read a layer only when it is needed")
	f.BoolVar(&e.direct, "direct", false, "read the file past the system's page cache: for disks faster than its copies,\nand for measuring")
}

// model is an input made ready to run.
type model struct {
	*session.Model
	input
	threads  int
	resident bool
	budget   int64         // bytes of --ram-budget, -1 where it was not given
	opening  time.Duration // from the call to ready
	pool     *session.Pool // that the model runs in, nil: it runs alone
}

func (m *model) close() {
	if m.pool != nil {
		m.pool.Close()
	} else {
		m.Model.Close()
	}
	m.File.Close()
}

// options turns the flags into the engine's; budget is -1 where none was given.
func (e *engineFlags) options() (o engine.Options, budget int64, err error) {
	switch {
	case e.ctx < 0:
		return o, 0, usagef("--ctx %d: a positive number of tokens is needed", e.ctx)
	case e.direct && strings.Trim(e.ramBudget, "0") == "" && e.ramBudget != "":
		return o, 0, usagef("--direct and --ram-budget 0 exclude each other: what is mapped is read through the page cache")
	case e.threads < 0:
		return o, 0, usagef("--threads %d: a positive number is needed", e.threads)
	}
	o.Context, o.Threads, o.NoPrefetch, o.Timelines, o.Kept = e.ctx, e.threads, e.noPrefetch, e.timelines, e.kept
	if o.Threads == 0 {
		o.Threads = physicalCores()
	}
	switch strings.ToLower(e.kvType) {
	case "f32":
		o.KV = engine.KVF32
	case "f16":
		o.KV = engine.KVF16
	case "q8_0":
		o.KV = engine.KVQ8_0
	default:
		return o, 0, usagef("--kv-type %q: f32, f16 or q8_0", e.kvType)
	}
	budget = -1
	if e.ramBudget != "" {
		if budget, err = parseSize(e.ramBudget); err != nil {
			return o, 0, usagef("--ram-budget %s", err)
		}
	}
	return o, budget, nil
}

// load opens FILE for running.
func (a *app) load(ctx context.Context, arg string, e *engineFlags) (*model, error) {
	begin := time.Now()
	o, budget, err := e.options()
	if err != nil {
		return nil, err
	}
	in, err := unbroken(a.openAs(ctx, arg, source.Options{Mapped: budget == 0, Direct: e.direct}))
	if err != nil {
		return nil, err
	}
	adapters, err := a.adapters(ctx, e.lora)
	defer adapters.close()
	if err != nil {
		in.Close()
		return nil, err
	}
	o.Adapters = adapters.list
	o.Resident = budget < 0 && fits(in.Size)
	o.Mapped = budget == 0
	var aside int64
	if e.direct {
		aside = source.DirectBytes
	}
	switch {
	case budget > 0:
		keepTo(&o, budget, aside)
	case budget < 0 && !o.Resident:
		keepTo(&o, spareMemory(), aside)
	}
	progress := term.NewProgress(a.err)
	o.Progress = func(done, total int64) {
		progress.Set(fmt.Sprintf("loading %s: %s of %s", in.label, size(done), size(total)))
	}
	m, err := session.Load(ctx, in.File, o)
	progress.Clear()
	if err != nil {
		in.Close()
		return nil, about(in.label, e.tooSmall(in.label, err))
	}
	ready := &model{Model: m, input: in, threads: o.Threads, resident: o.Resident, budget: budget, opening: time.Since(begin)}
	if o.Mapped && m.Stats().MappedBytes == 0 {
		a.note("%s cannot be mapped: its weights are streamed", in.label)
	}
	if m.Stats().RingBytes > 0 {
		makeRoomToRead(o.Threads)
	}
	return ready, nil
}

// fits tells whether weights of n bytes may be kept in memory, as far as the system tells how much is free.
func fits(n int64) bool {
	free := spareMemory()
	return free <= 0 || n <= free
}

// spareMemory is what a model may take of the memory that is free: a tenth is left to the cache and to others. It is 0
// where the system does not tell.
func spareMemory() int64 {
	free := availableMemory()
	return free - free/10
}

// parseSize reads a number of bytes with an optional unit: 4096, 512M, 1.5G, 2GiB.
func parseSize(s string) (int64, error) {
	t := strings.ToUpper(strings.TrimSpace(s))
	t = strings.TrimSuffix(strings.TrimSuffix(t, "B"), "I")
	unit := 1.0
	if t != "" {
		if i := strings.IndexByte("KMGT", t[len(t)-1]); i >= 0 {
			unit = math.Pow(1024, float64(i+1))
			t = t[:len(t)-1]
		}
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil || !(v >= 0) || v*unit > 1<<62 {
		return 0, fmt.Errorf("%q: a size as 0, 512M or 2G is needed", s)
	}
	return int64(v * unit), nil
}

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n < 0:
		return "unknown"
	case n < 10_000:
		return strconv.FormatInt(n, 10) + " B"
	}
	v := float64(n)
	for _, unit := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if v /= 1024; v < 1000 || unit == "TiB" {
			return strconv.FormatFloat(v, 'f', digits(v), 64) + " " + unit
		}
	}
	return ""
}

// digits after the point that give v three places.
func digits(v float64) int {
	switch {
	case v < 10:
		return 2
	case v < 100:
		return 1
	}
	return 0
}

// rateText writes tokens a second.
func rateText(v float64) string { return strconv.FormatFloat(v, 'f', digits(v), 64) + " tokens/s" }

// count writes n with its thousands apart.
func count[T int | int64 | uint64](n T) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
