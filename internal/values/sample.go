package values

import "context"

// samplePiece is a run of a sample: long enough to be worth a read, short enough that many fit. A multiple of every block.
const samplePiece = 4096

// Sample is some of a tensor's elements, or all: runs of one length, spread evenly.
type Sample struct{ runs, length, stride int64 }

// Spread chooses at most elements of all, rounded up to runs of 4,096; all of them where most is 0.
func Spread(all, most int64) Sample {
	if most <= 0 || most >= all {
		return Sample{1, all, all}
	}
	runs := (most + samplePiece - 1) / samplePiece
	stride := all / runs / samplePiece * samplePiece
	if stride <= samplePiece { // the runs would touch: the first of them is as good
		return Sample{1, min(all, runs*samplePiece), all}
	}
	return Sample{runs, samplePiece, stride}
}

// Elements is how many they are.
func (s Sample) Elements() int64 { return s.runs * s.length }

// Some gives the elements of s to yield, as Each does.
func (r *Reader) Some(ctx context.Context, s Sample, yield func(first int64, x []float32) error) error {
	for i := range s.runs {
		if err := r.Each(ctx, i*s.stride, s.length, yield); err != nil {
			return err
		}
	}
	return nil
}
