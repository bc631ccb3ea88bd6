package quant

import kernels "straw"

// Form is how activations must be laid out to be multiplied with rows of a type.
type Form uint8

const (
	FormF32 Form = iota // float32 as they are
	FormQ8              // int8 blocks of 32 elements, each with a scale and a sum (kernels.Q8)
	FormQ8K             // int8 blocks of 256 elements, each with a scale and 16 sums of 16 (kernels.Q8K)
)

// Form is the form of activations that rows of type t are multiplied with.
func (t Type) Form() Form {
	switch t {
	case Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL, MXFP4, NVFP4, Q1_0, Q2_0:
		return FormQ8
	case Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS, IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, TQ1_0, TQ2_0:
		return FormQ8K
	}
	return FormF32
}

// Activations is some columns of one length in one form. The zero value is empty and ready for Set. It may be read by
// several goroutines at once while nobody sets it.
type Activations struct {
	form Form
	k    int // length of a column
	n    int // number of columns
	f32  []float32
	q8   kernels.Q8
	q8k  kernels.Q8K
}

// Set takes x, [n][k] row-major, in form f, replacing what a held and reusing its memory. FormF32 keeps x itself: it
// must not change while a is in use. k must be a multiple of the form's block and len(x) of k; else Set panics.
func (a *Activations) Set(f Form, x []float32, k int) {
	if k <= 0 || len(x)%k != 0 || f == FormQ8 && k%32 != 0 || f == FormQ8K && k%256 != 0 {
		panic("quant: Activations.Set: length of a column does not fit")
	}
	a.form, a.k, a.n, a.f32 = f, k, len(x)/k, nil
	switch f {
	case FormQ8:
		a.q8.Set(x, k)
	case FormQ8K:
		a.q8k.Set(x, k)
	default:
		a.f32 = x
	}
}

// Columns is the number of columns.
func (a *Activations) Columns() int { return a.n }
