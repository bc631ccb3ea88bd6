package engine

import (
	"io"
	"runtime"

	kernels "straw"
	"straw/quant"
)

// Backend does the arithmetic of a pass: the products of weights and activations, where nearly all of the time goes,
// and the division of everything else among workers. A session uses it from one goroutine.
type Backend interface {
	// Name says what computes: "avx2", "generic", ...
	Name() string
	// Workers is how many calls Each may make at once.
	Workers() int
	// Each calls f for every i below n, perhaps several at once; worker, below Workers, is one call's alone.
	Each(n int, f func(worker, i int))
	// Load sets the columns that Mul multiplies with: x is [columns, k] and must not change until the next Load.
	Load(x []float32, k int)
	// Mul multiplies packed rows of k elements with the loaded columns: for row r and column c, dst[c*stride+r].
	Mul(dst []float32, stride int, t quant.Type, w []byte)
	// Close gives up the workers.
	Close()
}

// Keeper is a Backend with memory of its own, beside the program's, for matrices that are to stay in memory.
type Keeper interface {
	Backend
	// Keep makes room for n bytes of packed rows of k elements. It is nil if the backend does not hold rows of type t. An
	// error is for want of memory.
	Keep(t quant.Type, k int, n int64) (Kept, error)
}

// Kept is rows that a Keeper holds, as bytes at first anything.
type Kept interface {
	io.ReaderAt
	io.WriterAt
	// Mul is Mul of the Backend for rows from first on.
	Mul(dst []float32, stride, first, rows int)
}

// cpu is the Backend of package kernels, on a team of goroutines.
type cpu struct {
	team *team
	x    []float32
	k    int
	form [3]quant.Activations // x in each form
	have [3]bool

	job struct { // what mulPart works on
		dst    []float32
		stride int
		typ    quant.Type
		w      []byte
		acts   *quant.Activations
		part   int // rows of a part
		bytes  int // of a row
	}
	mulPart func(worker, i int)
}

// NewCPU is the backend that computes with threads goroutines; 0 is one for each processor.
func NewCPU(threads int) Backend {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	b := &cpu{team: newTeam(threads)}
	b.mulPart = func(_, i int) {
		j := &b.job
		lo := i * j.part
		hi := min((lo+j.part)*j.bytes, len(j.w))
		quant.MulRows(j.dst[lo:], j.stride, j.typ, j.w[lo*j.bytes:hi], b.k, j.acts)
	}
	return b
}

func (b *cpu) Name() string                      { return kernels.Name() }
func (b *cpu) Workers() int                      { return b.team.size }
func (b *cpu) Each(n int, f func(worker, i int)) { b.team.each(n, f) }
func (b *cpu) Close()                            { b.team.close() }

func (b *cpu) Load(x []float32, k int) {
	b.x, b.k = x, k
	b.have = [3]bool{}
}

// Products with fewer multiplications than this are not divided: waking a worker costs about as much.
const smallProduct = 1 << 15

func (b *cpu) Mul(dst []float32, stride int, t quant.Type, w []byte) {
	f := t.Form()
	if !b.have[f] {
		b.form[f].Set(f, b.x, b.k)
		b.have[f] = true
	}
	bytes := t.Bytes(b.k)
	rows := len(w) / bytes
	columns := len(b.x) / b.k
	if b.team.size == 1 || rows*b.k*columns < smallProduct {
		quant.MulRows(dst, stride, t, w, b.k, &b.form[f])
		return
	}
	// Several parts a worker even out their speeds; whole groups of 16 rows suit the kernels.
	part := (rows + 4*b.team.size - 1) / (4 * b.team.size)
	part = (part + 15) / 16 * 16
	j := &b.job
	j.dst, j.stride, j.typ, j.w, j.acts, j.part, j.bytes = dst, stride, t, w, &b.form[f], part, bytes
	b.team.each((rows+part-1)/part, b.mulPart)
}
