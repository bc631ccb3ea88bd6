package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"straw/engine"
	"straw/engine/plan"
	"straw/internal/session"
)

const (
	// programMargin is what the program takes while it runs beside what the plan counts: stacks, parts of the program that
	// are needed late, garbage that waits for the collector.
	programMargin = 8 << 20
	// budgetGC is how much garbage there may be, in percent of what is in use. What is in use is little: weights, keys and
	// values lie beside the heap.
	budgetGC = 15
	// readerThreads read while others compute. They hardly use a processor, and must not wait for one.
	readerThreads = 4
)

// keepTo makes the engine keep to a budget of so many bytes, of which the program takes some aside.
func keepTo(o *engine.Options, budget, aside int64) {
	o.Budget = budget
	debug.SetGCPercent(budgetGC)
	o.Program = func() int64 {
		debug.FreeOSMemory() // what opening the file has left
		return usedMemory() + programMargin + aside
	}
}

// makeRoomToRead lets readers run beside those that compute.
func makeRoomToRead(threads int) {
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), threads+readerThreads))
}

// readNote tells what a generation has read of the file, where weights are streamed.
func (m *model) readNote(r *session.Result) (parts []string) {
	if !m.streams() || r.BytesRead == 0 {
		return nil
	}
	parts = []string{size(r.BytesRead) + " read"}
	if x := expertsOf(m); x != nil {
		parts = append(parts, fmt.Sprintf("%.0f %% of experts in memory", 100*x.HitRate))
	}
	return parts
}

// tooSmall is the message for a budget that is too small, or err.
func (e *engineFlags) tooSmall(label string, err error) error {
	refused, ok := errors.AsType[*plan.BudgetError](err)
	if !ok {
		return err
	}
	less := "--ctx or --kv-type"
	if e.timelines > 0 {
		less = "--parallel, --cache-bytes, " + less
	}
	if e.ramBudget == "" {
		return usagef("%s does not fit the free memory: at least %s are needed, %s are free (%s); a smaller %s needs less",
			label, size(refused.Least), size(refused.Budget), refused.Ledger, less)
	}
	return usagef("--ram-budget %s is too small for %s: at least %s are needed (%s); give more, or a smaller %s",
		e.ramBudget, label, size(refused.Least), refused.Ledger, less)
}
