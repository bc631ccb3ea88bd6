// Package quant knows what a tensor's bytes mean: the ggml types, their block geometry, how blocks become numbers and
// how packed rows are multiplied with activations.
package quant

import "strconv"

// Type is a tensor's type code as a GGUF file stores it (enum ggml_type). Codes that are not in ggml keep their number,
// so that a file with them can still be listed.
type Type uint32

// The live ggml types. Codes 4, 5, 31-33 and 36-38 were removed from ggml.
const (
	F32     Type = 0
	F16     Type = 1
	Q4_0    Type = 2
	Q4_1    Type = 3
	Q5_0    Type = 6
	Q5_1    Type = 7
	Q8_0    Type = 8
	Q8_1    Type = 9
	Q2_K    Type = 10
	Q3_K    Type = 11
	Q4_K    Type = 12
	Q5_K    Type = 13
	Q6_K    Type = 14
	Q8_K    Type = 15
	IQ2_XXS Type = 16
	IQ2_XS  Type = 17
	IQ3_XXS Type = 18
	IQ1_S   Type = 19
	IQ4_NL  Type = 20
	IQ3_S   Type = 21
	IQ2_S   Type = 22
	IQ4_XS  Type = 23
	I8      Type = 24
	I16     Type = 25
	I32     Type = 26
	I64     Type = 27
	F64     Type = 28
	IQ1_M   Type = 29
	BF16    Type = 30
	TQ1_0   Type = 34
	TQ2_0   Type = 35
	MXFP4   Type = 39
	NVFP4   Type = 40
	Q1_0    Type = 41
	Q2_0    Type = 42
)

// geometry is one row of the type table: elements and bytes of a block.
type geometry struct {
	name  string
	elems int
	bytes int
}

// live is indexed by the type's code; a row without a name is a removed type.
var live = [...]geometry{
	F32: {"F32", 1, 4}, F16: {"F16", 1, 2}, BF16: {"BF16", 1, 2}, F64: {"F64", 1, 8},
	I8: {"I8", 1, 1}, I16: {"I16", 1, 2}, I32: {"I32", 1, 4}, I64: {"I64", 1, 8},
	Q4_0: {"Q4_0", 32, 18}, Q4_1: {"Q4_1", 32, 20}, Q5_0: {"Q5_0", 32, 22}, Q5_1: {"Q5_1", 32, 24},
	Q8_0: {"Q8_0", 32, 34}, Q8_1: {"Q8_1", 32, 36},
	Q2_K: {"Q2_K", 256, 84}, Q3_K: {"Q3_K", 256, 110}, Q4_K: {"Q4_K", 256, 144}, Q5_K: {"Q5_K", 256, 176},
	Q6_K: {"Q6_K", 256, 210}, Q8_K: {"Q8_K", 256, 292},
	IQ1_S: {"IQ1_S", 256, 50}, IQ1_M: {"IQ1_M", 256, 56}, IQ2_XXS: {"IQ2_XXS", 256, 66}, IQ2_XS: {"IQ2_XS", 256, 74},
	IQ2_S: {"IQ2_S", 256, 82}, IQ3_XXS: {"IQ3_XXS", 256, 98}, IQ3_S: {"IQ3_S", 256, 110},
	IQ4_NL: {"IQ4_NL", 32, 18}, IQ4_XS: {"IQ4_XS", 256, 136},
	TQ1_0: {"TQ1_0", 256, 54}, TQ2_0: {"TQ2_0", 256, 66},
	MXFP4: {"MXFP4", 32, 17}, NVFP4: {"NVFP4", 64, 36}, Q1_0: {"Q1_0", 128, 18}, Q2_0: {"Q2_0", 64, 18},
}

// Live reports whether ggml has this type today, so that its size is known and its blocks can be read.
func (t Type) Live() bool { return int64(t) < int64(len(live)) && live[t].elems > 0 }

// BlockElems is the number of elements in one block, 0 if the type is not live.
func (t Type) BlockElems() int {
	if !t.Live() {
		return 0
	}
	return live[t].elems
}

// BlockBytes is the number of bytes of one block, 0 if the type is not live.
func (t Type) BlockBytes() int {
	if !t.Live() {
		return 0
	}
	return live[t].bytes
}

// Bytes is the size in bytes of n elements of a live type; n must be a multiple of BlockElems.
func (t Type) Bytes(n int) int { return n / live[t].elems * live[t].bytes }

// String is the type's name in ggml; for a foreign or removed one the name its program gives it, else "type N".
func (t Type) String() string {
	if t.Live() {
		return live[t].name
	}
	if name, ok := foreign[t]; ok {
		return name
	}
	return "type " + strconv.FormatUint(uint64(t), 10)
}

// ParseType is the live type of that name, as String writes it.
func ParseType(name string) (Type, bool) {
	for t := range live {
		if live[t].elems > 0 && live[t].name == name {
			return Type(t), true
		}
	}
	return 0, false
}
