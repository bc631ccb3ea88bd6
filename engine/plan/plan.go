// Package plan divides a memory budget: which rows of a model's matrices stay in memory, how large the ring is through
// which the others are read, how many columns are computed at once, how many experts are kept.
//
// It computes with sizes alone and touches neither files nor memory, so that a forecast costs nothing. What it decides
// changes the speed of a model and never a result.
package plan

// Request is what a model needs and what there is for it. All sizes are bytes.
type Request struct {
	Budget int64 // all that the process may take; 0: as much as it wants

	Program int64 // what the process has taken before: code, the file's directory, the vocabulary; and what it will take aside
	Values  int64 // tensors that are kept decoded: norms, biases
	State   int64 // keys and values of full contexts, states of recurrent layers: of all timelines
	Pass    int64 // what a pass takes whatever its columns: logits, angles
	Column  int64 // activations of one column
	Batch   int   // columns computed at once, at most

	Matrices []Matrix // multiplied in every pass, in its order
	Experts  []Experts
	Rest     int64 // weights of which a pass needs few or none: embeddings, what only an encoder needs
	RestRow  int64 // the largest piece of Rest that is read at once

	Ahead bool // weights are read before they are needed
}

// Matrix is rows that are multiplied together.
type Matrix struct {
	Rows, RowBytes int64
	Layer          int  // -1 if it belongs to none
	Whole          bool // in memory with all rows or with none
	Once           bool // not multiplied in every pass: of an encoder, say
}

func (m *Matrix) bytes() int64 { return m.Rows * m.RowBytes }

// Experts are the networks of one layer of which a router chooses some.
type Experts struct {
	Count    int
	Bytes    int64 // of each
	RowBytes int64 // the longest row
}

// Plan is what was decided.
type Plan struct {
	Ledger   Ledger  // what the memory is for
	Least    int64   // the smallest budget that works
	Resident bool    // all weights are in memory
	Batch    int     // columns computed at once
	Pinned   []int64 // of each Request.Matrices, the first rows that are in memory
	Slots    []int   // of each Request.Experts, those that are kept
	Chunk    int64   // bytes read at once, unless a row is longer
	Ring     int64   // buffers of what is read in every pass
	Pieces   int64   // buffers of experts
	Streamed int64   // bytes of matrices that every pass reads, experts aside
}

const (
	leastChunk = 1 << 20 // shorter reads cost a disk its speed
	mostChunk  = 4 << 20 // longer ones gain nothing
	leastDepth = 4       // chunks in a ring: one in use, two being read, one to even out
	mostDepth  = 8
	leastBatch = 8  // columns: a prompt reads the weights once for so many tokens
	rowGroup   = 16 // rows that the kernels multiply together
	small      = 8  // a matrix is small if it has at most this part of its model's largest
	share      = 8  // the part of what is spare that goes to the ring, and to activations
)

// Make divides r.Budget. The error is a *BudgetError if it is too small.
func Make(r *Request) (*Plan, error) {
	p := &Plan{Batch: max(1, r.Batch), Pinned: make([]int64, len(r.Matrices)), Slots: make([]int, len(r.Experts))}
	weights := r.matrices() + r.experts() + r.Rest
	fixed := r.Program + r.Values + r.State + r.Pass
	resident := fixed + weights + int64(p.Batch)*r.Column
	batch := min(p.Batch, leastBatch)
	ring, pieces := r.leastRing(), r.leastPieces()
	least := fixed + int64(batch)*r.Column + ring + pieces + r.RestRow
	p.Least = min(least, resident)
	if r.Budget == 0 || resident <= r.Budget {
		p.Resident = true
		r.pin(p, weights)
		for i, x := range r.Experts {
			p.Slots[i] = x.Count
		}
		p.account(r, r.matrices()+r.Rest, r.experts(), 0)
		return p, nil
	}
	p.Chunk, p.Ring, p.Pieces = leastChunk, ring, pieces
	spare := r.Budget - p.Least
	if spare < 0 {
		p.Batch = batch
		p.account(r, 0, 0, r.RestRow)
		return nil, &BudgetError{Budget: r.Budget, Least: p.Least, Ledger: p.Ledger}
	}
	columns := spare / share / max(1, r.Column)
	p.Batch = int(min(int64(p.Batch), int64(batch)+columns))
	left := spare - int64(p.Batch-batch)*r.Column
	if r.Ahead && len(r.Experts) > 0 {
		p.Pieces = min(pieces+spare/share, max(pieces, mostDepth*mostChunk))
		left -= p.Pieces - pieces
	}
	pinned, kept := r.matrices(), int64(0)
	if left+ring >= pinned {
		p.Ring = 0
		r.pin(p, pinned)
		kept = r.keep(p, left+ring-pinned)
	} else {
		if r.Ahead {
			p.Ring = min(ring+spare/share, max(ring, mostDepth*mostChunk), pinned)
			left -= p.Ring - ring
		}
		pinned = r.pin(p, left)
	}
	for i := range r.Matrices {
		if m := &r.Matrices[i]; !m.Once {
			p.Streamed += (m.Rows - p.Pinned[i]) * m.RowBytes
		}
	}
	p.Chunk = min(max(leastChunk, max(p.Ring, p.Pieces)/mostDepth), mostChunk)
	p.account(r, pinned, kept, r.RestRow)
	return p, nil
}

func (r *Request) matrices() int64 {
	n := int64(0)
	for i := range r.Matrices {
		n += r.Matrices[i].bytes()
	}
	return n
}

func (r *Request) experts() int64 {
	n := int64(0)
	for i := range r.Experts {
		n += int64(r.Experts[i].Count) * r.Experts[i].Bytes
	}
	return n
}

// leastRing is the memory of the smallest ring: some chunks, but no more than there is to read.
func (r *Request) leastRing() int64 {
	row := int64(0)
	for i := range r.Matrices {
		row = max(row, r.Matrices[i].RowBytes)
	}
	return min(r.depth()*max(leastChunk, row), r.matrices())
}

// leastPieces is leastRing for experts.
func (r *Request) leastPieces() int64 {
	row := int64(0)
	for _, x := range r.Experts {
		row = max(row, x.RowBytes)
	}
	if row == 0 {
		return 0
	}
	return min(r.depth()*max(leastChunk, row), r.experts())
}

func (r *Request) depth() int64 {
	if r.Ahead {
		return leastDepth
	}
	return 1
}

// class is when a matrix gets memory: small ones first, those that are seldom read last.
func (m *Matrix) class(largest int64) int {
	switch {
	case m.Once:
		return 2
	case m.bytes() > largest/small:
		return 1
	}
	return 0
}

// pin spends at most n bytes on rows of matrices, and returns what it spent. Small matrices come first: to read them
// costs more than their bytes. Of the others each has the same part in memory, so that a pass needs the file at a constant
// rate: half of the bytes then hide behind twice the time, wherever in the pass that is.
func (r *Request) pin(p *Plan, n int64) int64 {
	largest := int64(0)
	for i := range r.Matrices {
		if m := &r.Matrices[i]; m.Layer >= 0 {
			largest = max(largest, m.bytes())
		}
	}
	spent := int64(0)
	for class := range 3 {
		var members []int
		total := int64(0)
		for i := range r.Matrices {
			if m := &r.Matrices[i]; m.class(largest) == class {
				members = append(members, i)
				total += m.bytes()
			}
		}
		left := n - spent
		for _, i := range members {
			m := &r.Matrices[i]
			rows := m.Rows
			if left < total {
				rows = int64(float64(m.Rows)*(float64(max(left, 0))/float64(total))) / rowGroup * rowGroup
				if m.Whole {
					rows = 0
				}
			}
			p.Pinned[i] = rows
			spent += rows * m.RowBytes
		}
		if left < total {
			break
		}
	}
	return spent
}

// keep spends at most n bytes on experts, as evenly over the layers as whole experts allow, and returns what it spent.
func (r *Request) keep(p *Plan, n int64) int64 {
	left := n
	for {
		round := int64(0) // one expert more in each layer
		for i, x := range r.Experts {
			if p.Slots[i] < x.Count {
				round += x.Bytes
			}
		}
		if round == 0 {
			return n - left
		}
		// Where not all layers get one more, those that do are spread over the pass.
		part := min(1, float64(left)/float64(round))
		seen, taken := int64(0), int64(0)
		for i, x := range r.Experts {
			if p.Slots[i] == x.Count {
				continue
			}
			seen += x.Bytes
			if float64(taken+x.Bytes) <= float64(seen)*part {
				p.Slots[i]++
				taken += x.Bytes
			}
		}
		left -= taken
		if taken < round {
			return n - left
		}
	}
}
