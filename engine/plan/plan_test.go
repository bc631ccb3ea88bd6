package plan

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// requests draws models of many shapes, small ones and some far larger than any memory.
func requests() *rapid.Generator[*Request] {
	return rapid.Custom(func(t *rapid.T) *Request {
		bytes := func(name string, most int64) int64 { return rapid.Int64Range(0, most).Draw(t, name) }
		r := &Request{
			Program: bytes("program", 64<<20), Values: bytes("values", 1<<20), State: bytes("state", 1<<30), Pass: bytes("pass", 8<<20),
			Column: bytes("column", 1<<20), Batch: rapid.IntRange(1, 512).Draw(t, "batch"),
			Rest: bytes("rest", 1<<30), RestRow: bytes("row", 1<<14), Ahead: rapid.Bool().Draw(t, "ahead"),
		}
		layers := rapid.IntRange(0, 40).Draw(t, "layers")
		kinds := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Matrix {
			return Matrix{Rows: rapid.Int64Range(1, 1<<15).Draw(t, "rows"), RowBytes: rapid.Int64Range(1, 1<<14).Draw(t, "row"), Whole: rapid.Bool().Draw(t, "whole")}
		}), 1, 8).Draw(t, "kinds")
		experts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Experts {
			row := rapid.Int64Range(1, 1<<13).Draw(t, "row")
			return Experts{Count: rapid.IntRange(1, 128).Draw(t, "experts"), Bytes: row * rapid.Int64Range(1, 1<<13).Draw(t, "rows"), RowBytes: row}
		}), 0, 2).Draw(t, "experts")
		for i := range layers {
			for _, m := range kinds {
				m.Layer = i
				r.Matrices = append(r.Matrices, m)
			}
			r.Experts = append(r.Experts, experts...)
		}
		r.Matrices = append(r.Matrices, Matrix{Rows: rapid.Int64Range(1, 1<<17).Draw(t, "vocabulary"), RowBytes: rapid.Int64Range(1, 1<<14).Draw(t, "width"), Layer: -1})
		return r
	})
}

// kept is the bytes of experts that p keeps.
func kept(r *Request, p *Plan) int64 {
	n := int64(0)
	for i, x := range r.Experts {
		n += int64(p.Slots[i]) * x.Bytes
	}
	return n
}

func pinned(r *Request, p *Plan) int64 {
	n := int64(0)
	for i := range r.Matrices {
		n += p.Pinned[i] * r.Matrices[i].RowBytes
	}
	return n
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := requests().Draw(t, "model")
		unlimited, err := Make(r)
		if err != nil || !unlimited.Resident || pinned(r, unlimited) != r.matrices() || kept(r, unlimited) != r.experts() || unlimited.Streamed != 0 {
			t.Fatalf("without a budget: %+v, %v", unlimited, err)
		}
		least, all := unlimited.Least, unlimited.Ledger.Total()
		budgets := []int64{1, least - 1, least, least + 1, all - 1, all, all + 1}
		for range 8 {
			budgets = append(budgets, rapid.Int64Range(least, max(least, all)).Draw(t, "budget"))
		}
		for _, r.Budget = range budgets {
			if r.Budget <= 0 {
				continue
			}
			p, err := Make(r)
			var refused *BudgetError
			if (err == nil) != (r.Budget >= least) || err != nil && (!errors.As(err, &refused) || refused.Least != least || refused.Budget != r.Budget) {
				t.Fatalf("budget %d, least %d: %v", r.Budget, least, err)
			}
			if err != nil {
				continue
			}
			if p.Least != least || p.Ledger.Total() > r.Budget || p.Resident != (r.Budget >= all) {
				t.Fatalf("budget %d, least %d, all %d: %+v", r.Budget, least, all, p)
			}
			if p.Streamed != r.matrices()-pinned(r, p) || p.Batch < 1 || p.Batch > r.Batch || kept(r, p) > 0 && p.Streamed > 0 {
				t.Fatalf("budget %d: %+v", r.Budget, p)
			}
			row := int64(0)
			for i, m := range r.Matrices {
				if p.Pinned[i] < 0 || p.Pinned[i] > m.Rows || m.Whole && p.Pinned[i] != 0 && p.Pinned[i] != m.Rows {
					t.Fatalf("matrix %d has %d of %d rows in memory", i, p.Pinned[i], m.Rows)
				}
				if p.Pinned[i] < m.Rows {
					row = max(row, m.RowBytes)
				}
			}
			if p.Ring < min(row, p.Streamed) || !p.Resident && p.Streamed > 0 && p.Chunk < leastChunk || p.Chunk > mostChunk {
				t.Fatalf("ring of %d, chunks of %d, rows of %d", p.Ring, p.Chunk, row)
			}
		}
	})
}

// More memory never means that more is read, but for what does not divide into whole experts.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := requests().Draw(t, "model")
		p, _ := Make(r)
		low, high := p.Least, max(p.Least, p.Ledger.Total())
		a := rapid.Int64Range(low, high).Draw(t, "less")
		b := rapid.Int64Range(a, high).Draw(t, "more")
		var plans [2]*Plan
		for i, budget := range []int64{a, b} {
			r.Budget = budget
			var err error
			if plans[i], err = Make(r); err != nil {
				t.Fatal(err)
			}
		}
		one := int64(0)
		for _, x := range r.Experts {
			one = max(one, x.Bytes)
		}
		if less, more := plans[0], plans[1]; more.Streamed > less.Streamed || more.Batch < less.Batch || kept(r, more)+one < kept(r, less) {
			t.Fatalf("%d bytes: %+v; %d bytes: %+v", a, less, b, more)
		}
	})
}

// shape8B is a model of 8 B weights with 32 layers, 4.5 bits a weight.
func shape8B() *Request {
	const row = 4096 * 9 / 16
	r := &Request{Program: 20 << 20, Values: 1 << 20, State: 64 << 20, Pass: 4 << 20, Column: 400 << 10, Batch: 256, Rest: 128256 * row, RestRow: row, Ahead: true}
	for i := range 32 {
		for _, m := range []Matrix{{Rows: 4096, RowBytes: row}, {Rows: 1024, RowBytes: row}, {Rows: 1024, RowBytes: row}, {Rows: 4096, RowBytes: row},
			{Rows: 14336, RowBytes: row}, {Rows: 14336, RowBytes: row}, {Rows: 4096, RowBytes: 14336 * 9 / 16}} {
			m.Layer = i
			r.Matrices = append(r.Matrices, m)
		}
	}
	r.Matrices = append(r.Matrices, Matrix{Rows: 128256, RowBytes: row, Layer: -1})
	return r
}

// Every layer is read at the same rate, with small matrices in memory first.
func TestSpread(t *testing.T) {
	r := shape8B()
	for _, r.Budget = range []int64{500 << 20, 1 << 30, 2 << 30, 4 << 30} {
		p, err := Make(r)
		if err != nil {
			t.Fatal(err)
		}
		var layers [32]int64
		for i, m := range r.Matrices {
			if m.Layer >= 0 {
				layers[m.Layer] += (m.Rows - p.Pinned[i]) * m.RowBytes
			}
			if m.Rows == 1024 && p.Pinned[i] != m.Rows {
				t.Errorf("budget %d: %d rows of a small matrix are in memory", r.Budget, p.Pinned[i])
			}
		}
		for i, n := range layers {
			if n != layers[0] || n == 0 {
				t.Errorf("budget %d: layer %d reads %d bytes, layer 0 %d", r.Budget, i, n, layers[0])
			}
		}
		if unused := r.Budget - p.Ledger.Total(); unused > 64<<20 {
			t.Errorf("budget %d: %d bytes are not used", r.Budget, unused)
		}
	}
}

// Experts are kept in all layers alike.
func TestExperts(t *testing.T) {
	r := &Request{Batch: 1, Matrices: []Matrix{{Rows: 1000, RowBytes: 1000}}, Ahead: true}
	for range 8 {
		r.Experts = append(r.Experts, Experts{Count: 16, Bytes: 10 << 20, RowBytes: 1000})
	}
	for budget, want := range map[int64][]int{
		190 << 20: {2, 2, 2, 2, 2, 2, 2, 2},
		230 << 20: {2, 2, 3, 2, 3, 2, 3, 2},
	} {
		r.Budget = budget
		p, err := Make(r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if p.Slots[i] != want[i] {
				t.Errorf("budget %d: %v experts, want %v; %v", budget, p.Slots, want, p.Ledger)
				break
			}
		}
	}
}

func TestRefusal(t *testing.T) {
	r := shape8B()
	r.Budget = 40 << 20
	_, err := Make(r)
	if err == nil {
		t.Fatal("40 MiB are enough for 8 B weights")
	}
	for _, part := range []string{"40.0 MiB is too small", "20.0 MiB program", "64.0 MiB keys and values", "4.0 MiB ring"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if least := err.(*BudgetError).Least; least > 100<<20 {
		t.Errorf("8 B weights need %d bytes", least)
	}
}
