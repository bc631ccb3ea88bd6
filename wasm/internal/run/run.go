// Package run answers what a page asks of a model that it runs: load, generate, logits, and what needs the evaluator of chat templates. The file is a viewer's of package look.
package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"straw/engine"
	"straw/gguf"
	"straw/internal/session"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Runner is a viewer's model made ready to run. One request at a time computes; the others wait their turn.
type Runner struct {
	*look.Viewer
	start Start
	files Files
	model *session.Model
	turn  chan struct{} // full while a request computes

	template func() (*session.Template, error) // read once, when a model is open
}

// Machine is what computes. Its zero value is the program itself.
type Machine struct {
	Backend engine.Backend                  // nil: package straw alone, on one thread
	Name    string                          // as a caller may ask for it
	Reason  string                          // what it is and why none faster, in words
	Run     func(ctx context.Context) error // starts its threads, once the weights are in memory; may be nil
}

// Start makes a machine ready: a backend, "" or "auto" for the fastest, and threads, 0 for as many as there are.
type Start func(ctx context.Context, backend string, threads int) (Machine, error)

// portable is Start where there is nothing but the program.
func portable(context.Context, string, int) (Machine, error) {
	return Machine{Name: "scalar", Reason: "nothing else is built in"}, nil
}

// New makes a runner of the viewer's model. start may be nil: then the program computes alone.
func New(v *look.Viewer, start Start, files Files) *Runner {
	if start == nil {
		start = portable
	}
	r := &Runner{Viewer: v, start: start, files: files, turn: make(chan struct{}, 1)}
	r.template = sync.OnceValues(r.openTemplate)
	return r
}

// Methods are the viewer's and the runner's, by name.
func (r *Runner) Methods() map[string]worker.Method {
	m := r.Viewer.Methods()
	m["load"] = r.alone(r.load)
	m["generate"] = r.alone(r.generate)
	m["logits"] = r.alone(r.logits)
	m["embed"] = r.alone(r.embed)
	m["snapshot"] = r.alone(r.snapshot)
	m["restore"] = r.alone(r.restore)
	m["forecast"] = r.forecast
	m["renderTemplate"] = r.renderTemplate
	m["examine"] = r.examine
	m["trace"] = r.trace
	return m
}

// alone makes the method wait until no other computes.
func (r *Runner) alone(m worker.Method) worker.Method {
	return func(ctx context.Context, c *worker.Call) (worker.Reply, error) {
		select {
		case r.turn <- struct{}{}:
			defer func() { <-r.turn }()
			return m(ctx, c)
		case <-ctx.Done():
			return worker.Reply{}, ctx.Err()
		}
	}
}

// A wasm program has 4 GiB in all. Without a limit Go lets garbage grow to the size of what is alive before it collects any.
const (
	residentLimit = 5 << 29 // bytes of weights that are held in memory when nobody names a budget: 2.5 GiB
	memoryLimit   = 7 << 29 // bytes from which garbage is collected early: 3.5 GiB
)

// backends are what a caller may ask for; "simd128" is "simd" without the relaxed instructions.
var backends = []string{"", "auto", "simd-threads", "simd", "simd128", "scalar"}

var kvTypes = map[string]engine.KVType{"": engine.KVF16, "f32": engine.KVF32, "f16": engine.KVF16, "q8_0": engine.KVQ8_0}

func (r *Runner) load(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Load)
	f, err := r.File()
	if err != nil {
		return worker.Reply{}, err
	}
	if r.model != nil {
		return worker.Reply{}, errors.New("the model is loaded already")
	}
	kv, ok := kvTypes[p.KVType]
	if !ok {
		return worker.Reply{}, argument("kvType", "kvType %q: f32, f16 or q8_0", p.KVType)
	}
	if !slices.Contains(backends, p.Backend) {
		return worker.Reply{}, argument("backend", "backend %q: one of %s", p.Backend, strings.Join(backends[1:], ", "))
	}
	machine, err := r.start(ctx, p.Backend, p.Threads)
	if err != nil {
		return worker.Reply{}, err
	}
	resident, placed := place(weights(f), p.MemoryBudget, machine.Backend != nil)
	debug.SetMemoryLimit(memoryLimit)
	m, err := session.Load(ctx, f, engine.Options{
		Threads:  1,
		Backend:  machine.Backend,
		Context:  p.ContextSize,
		KV:       kv,
		Resident: resident,
		Progress: c.Progress("load", "bytes"),
	})
	if err == nil && machine.Run != nil {
		err = machine.Run(ctx)
	}
	if err != nil {
		return worker.Reply{}, err
	}
	r.model = m
	return worker.Reply{Result: protocol.Loaded{Backend: machine.Name, Reason: machine.Reason + "; " + placed, ContextSize: m.Context, VocabSize: m.Arch.VocabSize()}}, nil
}

// weights is how many bytes of tensors the file holds.
func weights(f *gguf.File) (n int64) {
	for i := range f.Tensors {
		n += max(f.Tensors[i].Bytes, 0)
	}
	return n
}

// place decides whether n bytes of weights are kept in memory, and says so. Those outside the program's memory may be as
// many as the browser gives.
func place(n, budget int64, outside bool) (resident bool, reason string) {
	limit := int64(residentLimit)
	if outside {
		limit = math.MaxInt64
	}
	if budget > 0 {
		limit = min(limit, budget)
	}
	if n <= limit {
		return true, "all weights are in memory"
	}
	return false, fmt.Sprintf("the weights take %d MiB, more than the %d MiB they may have, and are read from the file again for every token", n>>20, limit>>20)
}

func (r *Runner) loaded() (*session.Model, error) {
	if r.model == nil {
		return nil, errors.New("the model is not loaded")
	}
	return r.model, nil
}

func (r *Runner) logits(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	m, err := r.loaded()
	if err != nil {
		return worker.Reply{}, err
	}
	rows, err := m.Logits(ctx, c.Params.(*protocol.Logits).IDs, false)
	if err != nil {
		return worker.Reply{}, err
	}
	last := rows[len(rows)-1]
	return worker.Reply{Result: protocol.Values{Count: len(last)}, Values: last}, nil
}

// seed is for generations whose caller does not care.
func seed() uint64 { return uint64(time.Now().UnixNano()) }

// argument is an error of the caller.
func argument(field, format string, args ...any) error {
	return &protocol.Error{Field: field, Message: fmt.Sprintf(format, args...)}
}
