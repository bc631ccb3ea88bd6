package gguf

import "io"

// WriteHeader writes the header as it is in the file, everything before the tensors' data, shard after shard: what
// tells one model from another, without its weights.
func (f *File) WriteHeader(w io.Writer) error {
	for i := range f.Shards {
		s := &f.Shards[i]
		n := s.DataOffset
		if n < 0 {
			n = s.Size
		}
		if _, err := io.Copy(w, io.NewSectionReader(s.src.r, 0, n)); err != nil {
			return err
		}
	}
	return nil
}
