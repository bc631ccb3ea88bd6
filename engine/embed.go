package engine

import (
	"context"
	"fmt"

	kernels "straw"
	"straw/engine/arch"
)

// Pooling is how the rows of all tokens become one embedding; Model.Output.Pooling is the file's.
type Pooling = arch.Pooling

const (
	PoolNone = arch.PoolNone // one row a token
	PoolMean = arch.PoolMean // the mean of all rows
	PoolCLS  = arch.PoolCLS  // the first token's row
	PoolLast = arch.PoolLast // the last token's row
)

// Embed is the embedding of ids as a text of its own: one row [Model.EmbeddingSize], or one for each token without
// pooling. Models with logits have embeddings too: the residual stream before the output matrix; those with an encoder
// beside a decoder have the encoder's. The timeline is empty before and after.
func (s *Session) Embed(ctx context.Context, ids []int, pooling Pooling) ([][]float32, error) {
	if len(ids) == 0 {
		return nil, fmt.Errorf("no tokens to embed")
	}
	if s.closed {
		return nil, ErrClosed
	}
	s.Truncate(0)
	rows, err := s.streamRows(ctx, ids, pooling != PoolLast)
	if err != nil {
		return nil, err
	}
	s.Truncate(0)
	switch pooling {
	case PoolMean:
		rows = [][]float32{mean(rows)}
	case PoolCLS, PoolLast: // of PoolLast there is but one
		rows = rows[:1]
	}
	for i := range rows {
		for j := range s.model.Output.Stages {
			rows[i] = s.stage(&s.model.Output.Stages[j], rows[i])
		}
	}
	return rows, nil
}

// streamRows is the normalized residual stream of all of ids, or of the last.
func (s *Session) streamRows(ctx context.Context, ids []int, all bool) ([][]float32, error) {
	if s.model.Encoder.Layers == 0 {
		return s.eval(ctx, ids, all, true)
	}
	if err := s.Encode(ctx, ids); err != nil {
		return nil, err
	}
	rows := make([][]float32, len(ids))
	for i := range rows {
		rows[i] = append([]float32(nil), s.encoded.rows[i*s.model.Embd:][:s.model.Embd]...)
	}
	if !all {
		rows = rows[len(rows)-1:]
	}
	return rows, nil
}

// mean is the mean of rows.
func mean(rows [][]float32) []float32 {
	sum := make([]float32, len(rows[0]))
	part := 1 / float32(len(rows))
	for _, row := range rows {
		kernels.Axpy(sum, part, row)
	}
	return sum
}

// stage is the result of a stage of the head for x.
func (s *Session) stage(v *arch.Stage, x []float32) []float32 {
	g := &s.weights.global
	weights := g.vector(v.Role, arch.Weight)
	y := make([]float32, v.Rows)
	for i := range y {
		y[i] = kernels.Dot(weights[i*len(x):][:len(x)], x)
	}
	if bias := g.vector(v.Role, arch.Bias); bias != nil {
		addTo(y, bias)
	}
	switch v.Act {
	case arch.TanhAct:
		for i, f := range y {
			y[i] = kernels.Tanh(f)
		}
	case arch.GELUAct:
		for i, f := range y {
			y[i] = kernels.GELU(f)
		}
	case arch.SoftmaxAct:
		kernels.Softmax(y)
	}
	if v.Norm.Kind != arch.NoNorm {
		norm := g.norm(v.Norm)
		norm.apply(y, y)
	}
	return y
}
