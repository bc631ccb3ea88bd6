package emit

import (
	"math"
)

// vector is the code of a SIMD instruction (WebAssembly 2.0, 5.4.8; relaxed SIMD: 0x100 and above).
func vector(op uint32) []byte { return uleb([]byte{0xfd}, op) }

func v128(op uint32, operands ...Expr) Expr { return operation(V128, V128, vector(op), operands...) }

// shift is a shift of all lanes by n bits.
func shift(op uint32, a Expr, n int) Expr {
	want(a, V128, "operand", 0)
	return value{V128, append(Int(n).write(a.write(nil)), vector(op)...)}
}

// Constants: all lanes alike, and 16 bytes.
func Ints8(v int8) Expr     { return bytes16(func(i int) byte { return byte(v) }) }
func Ints32(v int32) Expr   { return bytes16(func(i int) byte { return byte(v >> (8 * (i & 3))) }) }
func Floats(v float32) Expr { return Ints32(int32(math.Float32bits(v))) }
func Bytes(b [16]byte) Expr { return bytes16(func(i int) byte { return b[i] }) }

func bytes16(f func(i int) byte) Expr {
	code := vector(0x0c)
	for i := range 16 {
		code = append(code, f(i))
	}
	return value{V128, code}
}

// Loads from address p + offset, at any alignment: 16 bytes; 8 bytes as eight numbers that become 16 bits wide, or four
// of 32; 4 bytes with zeros behind them; one number into all lanes.
func LoadV(p Expr, offset int) Expr          { return loadV(0x00, p, offset) }
func Load8x8S(p Expr, offset int) Expr       { return loadV(0x01, p, offset) }
func Load16x4U(p Expr, offset int) Expr      { return loadV(0x04, p, offset) }
func Load16Splat(p Expr, offset int) Expr    { return loadV(0x08, p, offset) }
func Load32Splat(p Expr, offset int) Expr    { return loadV(0x09, p, offset) }
func Load64Splat(p Expr, offset int) Expr    { return loadV(0x0a, p, offset) }
func Load32ZeroV(p Expr, offset int) Expr    { return loadV(0x5c, p, offset) }
func loadV(op uint32, p Expr, o int) Expr    { return operation(V128, I32, memory(vector(op), o), p) }
func (f *Func) StoreV(p Expr, o int, v Expr) { f.storeV(memory(vector(0x0b), o), p, v) }

// Load16Lane is v with one number of 16 bits read from memory, Load32Lane of 32.
func Load16Lane(v, p Expr, offset, lane int) Expr { return loadLane(0x55, v, p, offset, lane) }
func Load32Lane(v, p Expr, offset, lane int) Expr { return loadLane(0x56, v, p, offset, lane) }

func loadLane(op uint32, v, p Expr, offset, lane int) Expr {
	want(v, V128, "vector", 0)
	want(p, I32, "address", 0)
	code := v.write(p.write(nil))
	return value{V128, append(code, append(memory(vector(op), offset), byte(lane))...)}
}

// Store32Lane writes one number of v.
func (f *Func) Store32Lane(p Expr, offset int, v Expr, lane int) {
	f.storeV(append(memory(vector(0x5a), offset), byte(lane)), p, v)
}

func (f *Func) storeV(op []byte, p, v Expr) {
	want(p, I32, "address", 0)
	want(v, V128, "value", 0)
	f.effect(op, p, v)
}

// Splat is one number in all lanes.
func Splat32(a Expr) Expr  { return operation(V128, I32, vector(0x11), a) }
func SplatF32(a Expr) Expr { return operation(V128, F32, vector(0x13), a) }

// Lane32 and LaneF32 are one lane of v.
func Lane32(v Expr, lane int) Expr  { return operation(I32, V128, append(vector(0x1b), byte(lane)), v) }
func LaneF32(v Expr, lane int) Expr { return operation(F32, V128, append(vector(0x1f), byte(lane)), v) }

// SetLane32 is v with another number in one lane.
func SetLane32(v Expr, lane int, a Expr) Expr {
	want(v, V128, "vector", 0)
	want(a, I32, "value", 0)
	return value{V128, append(a.write(v.write(nil)), append(vector(0x1c), byte(lane))...)}
}

// Shuffle picks 16 bytes of a (0 to 15) and b (16 to 31); Shuffle16, Shuffle32 and Shuffle64 wider lanes, counted alike.
func Shuffle(a, b Expr, lanes [16]byte) Expr {
	return operation(V128, V128, append(vector(0x0d), lanes[:]...), a, b)
}

func Shuffle16(a, b Expr, lanes [8]int) Expr { return shuffle(a, b, lanes[:], 2) }
func Shuffle32(a, b Expr, lanes [4]int) Expr { return shuffle(a, b, lanes[:], 4) }
func Shuffle64(a, b Expr, lanes [2]int) Expr { return shuffle(a, b, lanes[:], 8) }

func shuffle(a, b Expr, lanes []int, width int) Expr {
	var bytes [16]byte
	for i := range bytes {
		bytes[i] = byte(lanes[i/width]*width + i%width)
	}
	return Shuffle(a, b, bytes)
}

// Swizzle is the bytes of table that the bytes of index name; those above 15 give 0.
func Swizzle(table, index Expr) Expr { return v128(0x0e, table, index) }

// Bits.
func AndV(a, b Expr) Expr { return v128(0x4e, a, b) }
func OrV(a, b Expr) Expr  { return v128(0x50, a, b) }
func XorV(a, b Expr) Expr { return v128(0x51, a, b) }

// Choose takes the bits of a where mask is set, of b elsewhere.
func Choose(mask, a, b Expr) Expr { return v128(0x52, a, b, mask) }

// Lanes of 8 bits.
func Sub8(a, b Expr) Expr      { return v128(0x71, a, b) }
func Eq8(a, b Expr) Expr       { return v128(0x23, a, b) }
func Narrow16S(a, b Expr) Expr { return v128(0x65, a, b) } // 16 to 8 bits, a before b

// Lanes of 16 bits; Low and High widen the lower or upper half of eight bits.
func Add16(a, b Expr) Expr      { return v128(0x8e, a, b) }
func Mul16(a, b Expr) Expr      { return v128(0x95, a, b) }
func ShrU16(a Expr, n int) Expr { return shift(0x8d, a, n) }
func Shl16(a Expr, n int) Expr  { return shift(0x8b, a, n) }
func Low8S(a Expr) Expr         { return v128(0x87, a) }
func High8S(a Expr) Expr        { return v128(0x88, a) }
func Low8U(a Expr) Expr         { return v128(0x89, a) }
func High8U(a Expr) Expr        { return v128(0x8a, a) }
func Narrow32S(a, b Expr) Expr  { return v128(0x85, a, b) } // 32 to 16 bits, a before b

// Lanes of 32 bits; Low16 and High16 widen, Pairs16S adds neighbours of 16 bits.
func Add32(a, b Expr) Expr      { return v128(0xae, a, b) }
func Sub32(a, b Expr) Expr      { return v128(0xb1, a, b) }
func Mul32(a, b Expr) Expr      { return v128(0xb5, a, b) }
func Shl32(a Expr, n int) Expr  { return shift(0xab, a, n) }
func ShrS32(a Expr, n int) Expr { return shift(0xac, a, n) }
func LtS32(a, b Expr) Expr      { return v128(0x39, a, b) }
func GtS32(a, b Expr) Expr      { return v128(0x3b, a, b) }
func MaxU32(a, b Expr) Expr     { return v128(0xb9, a, b) }
func Pairs16S(a Expr) Expr      { return v128(0x7e, a) }

// Dot16 multiplies eight numbers of 16 bits and adds neighbours: four sums of 32 bits.
func Dot16(a, b Expr) Expr { return v128(0xba, a, b) }

// RelaxedDot8 multiplies 16 signed numbers of 8 bits with 16 that are between 0 and 127 and adds neighbours: eight sums of
// 16 bits, the same on every machine as long as b keeps to that. Relaxed SIMD.
func RelaxedDot8(a, b Expr) Expr { return v128(0x112, a, b) }

// RelaxedDot8Add is RelaxedDot8 with four neighbours added to a sum of 32 bits each. With AVX-VNNI b may be any unsigned
// numbers of 8 bits; elsewhere it may not.
func RelaxedDot8Add(a, b, sum Expr) Expr { return v128(0x113, a, b, sum) }

// Lanes of float32, rounded each; a comparison gives all ones where it holds.
func AddF(a, b Expr) Expr { return v128(0xe4, a, b) }
func SubF(a, b Expr) Expr { return v128(0xe5, a, b) }
func MulF(a, b Expr) Expr { return v128(0xe6, a, b) }
func DivF(a, b Expr) Expr { return v128(0xe7, a, b) }
func LtF(a, b Expr) Expr  { return v128(0x43, a, b) }
func GtF(a, b Expr) Expr  { return v128(0x44, a, b) }
func NeF(a, b Expr) Expr  { return v128(0x42, a, b) }

// FloatOf is signed numbers of 32 bits as float32.
func FloatOf(a Expr) Expr { return v128(0xfa, a) }
