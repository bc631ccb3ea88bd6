package gguf

import (
	"math"
	"strconv"

	"straw/quant"
)

// fileTypes names general.file_type (llama_ftype in llama.cpp; neither ggml_type nor ggml_ftype).
var fileTypes = map[uint64]string{
	0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 4: "Q4_1, some F16 (removed)", 5: "Q4_2 (removed)", 6: "Q4_3 (removed)", 7: "Q8_0",
	8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
	17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
	26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 33: "Q4_0_4_4 (removed)",
	34: "Q4_0_4_8 (removed)", 35: "Q4_0_8_8 (removed)", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4_MOE", 39: "NVFP4", 40: "Q1_0", 41: "Q2_0",
}

// guessedFileType is the bit that llama.cpp sets in a file type it made up itself.
const guessedFileType = 1024

// FileType is the name of the mix of types a model's weights have, as general.file_type says. Where the file does not
// say, it is guessed from the tensors; "" if there is nothing to guess from.
func (f *File) FileType() (name string, guessed bool) {
	v, ok := f.Value("general.file_type")
	if n, isInt := v.Uint(); ok && isInt {
		if name, known := fileTypes[n&^guessedFileType]; known {
			return name, n&guessedFileType != 0
		}
		return "file type " + strconv.FormatUint(n, 10), false
	}
	if v.Type() == String && ok {
		if s, err := v.Text(); err == nil && s != "" {
			return s, false
		}
	}
	return f.guessFileType(), true
}

// guessFileType goes by the type that most elements of the matrices have, and for the K mixes by what else is there.
func (f *File) guessFileType() string {
	count := make(map[quant.Type]uint64)
	for i := range f.Tensors {
		if t := &f.Tensors[i]; len(t.Dims) > 1 {
			count[t.Type] += min(t.Elements, math.MaxUint32<<16)
		}
	}
	var most quant.Type
	for t, n := range count {
		if n > count[most] || n == count[most] && t < most {
			most = t
		}
	}
	switch {
	case count[most] == 0:
		return ""
	case most == quant.MXFP4:
		return "MXFP4_MOE"
	case most == quant.Q3_K && count[quant.Q5_K] > 0 && count[quant.Q4_K] == 0:
		return "Q3_K_L"
	case most == quant.Q3_K && count[quant.Q4_K] > 0, most == quant.Q4_K && count[quant.Q6_K] > 0, most == quant.Q5_K && count[quant.Q6_K] > 0:
		return most.String() + "_M"
	case most == quant.Q3_K, most == quant.Q4_K, most == quant.Q5_K:
		return most.String() + "_S"
	}
	return most.String()
}
