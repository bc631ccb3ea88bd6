package engine

import "context"

// stream reads the rows that are not in memory, always in the order of a pass, and after the last chunk goes on with the
// first: the next pass needs the same weights.
type stream struct {
	ring
	output int  // the first chunk of the output matrix, len(chunks) if it is not streamed
	again  int  // the chunk after the last
	skip   bool // the pass at hand does not come to the output matrix
}

// newStream is a stream of the matrices in the order of a pass, of which the first once are an encoder's and not part of
// every pass; output is the last and may be skipped.
func newStream(src WeightSource, t tally, order []*matrix, once int, output *matrix, size ringSize) (*stream, error) {
	s := &stream{}
	largest := 0
	for i, m := range order {
		m.chunk = len(s.chunks)
		if i == once {
			s.again = m.chunk
		}
		if m == output {
			s.output = m.chunk
		}
		s.chunks, m.step = cut(s.chunks, m, m.inMemory(), size.chunk)
		largest = max(largest, s.chunks[m.chunk].bytes())
	}
	if output == nil || output.whole() {
		s.output = len(s.chunks)
	}
	s.after = s.following
	all := int64(0)
	for i := range s.chunks {
		all += int64(aligned(s.chunks[i].bytes()))
	}
	size.bytes = int(min(int64(size.bytes), all))
	return s, s.init(src, t, size, largest)
}

// following is the chunk that the reader takes after chunk i.
func (s *stream) following(i int) int {
	if i++; i < s.output || i < len(s.chunks) && !s.skip {
		return i
	}
	if s.skip && s.again >= s.output {
		return -1
	}
	return s.again
}

// begin says that a pass starts, and whether it will come to the output matrix.
func (s *stream) begin(output bool) {
	s.skip = !output
	if s.next < 0 && s.count == 0 {
		s.next = s.again
	}
	s.fill()
}

// rows is the chunk of m that begins with row lo. It is valid until the next call.
func (s *stream) rows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	i := m.chunk + (lo-m.inMemory())/m.step
	packed, err = s.take(ctx, i)
	return packed, s.chunks[i].hi, err
}
