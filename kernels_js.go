package kernels

// Forms are functions of this package that the host of a js/wasm program has faster ones for: the program's own code has
// no SIMD, but a second module may. Each must give the same bits as the one whose name it has.
type Forms struct {
	MulF32, MulF16, MulBF16 func(dst []float32, stride int, w []byte, x []float32, k int)
	Dots                    func(dst []float32, stride int, rows, x []float32, k int)
	Mix                     func(dst, weights []float32, stride int, values []float32, dim int)
	MixF16                  func(dst, weights []float32, stride int, values []byte, dim int)
	DecodeF16               func(dst []float32, src []byte)
	Axpy                    func(dst []float32, a float32, x []float32)
	Softmax                 func(x []float32)
	SiLUMul, GELUMul        func(dst, gate, up []float32)
}

// Use puts forms, all of them given, in use under a name. It is for the start of a program, before anything is computed.
func Use(name string, f Forms) {
	form = name
	mulF32, mulF16, mulBF16 = f.MulF32, f.MulF16, f.MulBF16
	dots, mix, mixF16 = f.Dots, f.Mix, f.MixF16
	decodeF16 = f.DecodeF16
	axpy, softmax = f.Axpy, f.Softmax
	siluMul, geluMul = f.SiLUMul, f.GELUMul
}
