package plan

import (
	"strconv"
	"strings"
)

// Ledger says what memory is for. Nothing in it is 0.
type Ledger []Item

// Item is one use of memory.
type Item struct {
	Name  string
	Bytes int64
}

// Total is the sum of the items.
func (l Ledger) Total() int64 {
	n := int64(0)
	for _, i := range l {
		n += i.Bytes
	}
	return n
}

// String is the items on one line: "16.8 MiB keys and values, 4.0 MiB ring".
func (l Ledger) String() string {
	var items []string
	for _, i := range l {
		items = append(items, mib(i.Bytes)+" "+i.Name)
	}
	return strings.Join(items, ", ")
}

// account writes the ledger of a plan that keeps so many bytes of weights and of experts.
func (p *Plan) account(r *Request, weights, experts, row int64) {
	for _, i := range (Ledger{
		{"program", r.Program},
		{"weights", weights},
		{"experts", experts},
		{"norms", r.Values},
		{"ring", p.Ring},
		{"ring of experts", p.Pieces},
		{"keys and values", r.State},
		{"activations", r.Pass + int64(p.Batch)*r.Column + row},
	}) {
		if i.Bytes > 0 {
			p.Ledger = append(p.Ledger, i)
		}
	}
}

// BudgetError says that a budget is too small for a model.
type BudgetError struct {
	Budget, Least int64
	Ledger        Ledger // of the smallest plan
}

func (e *BudgetError) Error() string {
	return "a memory budget of " + mib(e.Budget) + " is too small: at least " + mib(e.Least) + " are needed (" + e.Ledger.String() + ")"
}

// Kind is the class of the failure.
func (e *BudgetError) Kind() string { return "usage" }

// mib writes n in MiB, rounded up: what is asked for then suffices.
func mib(n int64) string {
	return strconv.FormatFloat(float64((10*n+1<<20-1)/(1<<20))/10, 'f', 1, 64) + " MiB"
}
