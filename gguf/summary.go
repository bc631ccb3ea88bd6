package gguf

import (
	"math"
	"math/bits"
	"strings"
)

// Kind is what a file is for: "model", "vocabulary", "adapter", "imatrix", "mmproj" or "control vector"; or what
// general.type says, if that is something else.
func (f *File) Kind() string {
	if s := f.text("general.type"); s != "" && s != "model" {
		return s
	}
	switch arch := f.text("general.architecture"); {
	case arch == "controlvector":
		return "control vector"
	case arch == "clip":
		return "mmproj"
	case arch == "imatrix":
		return "imatrix"
	}
	if _, ok := f.Value("adapter.type"); ok {
		return "adapter"
	}
	if len(f.Tensors) == 0 {
		if _, ok := f.Value("tokenizer.ggml.model"); ok {
			return "vocabulary"
		}
		if _, ok := f.Value("tokenizer.ggml.tokens"); ok {
			return "vocabulary"
		}
		return "model"
	}
	switch name := f.Tensors[0].Name; {
	case strings.HasPrefix(name, "direction."):
		return "control vector"
	case strings.HasSuffix(name, ".in_sum2"), strings.HasSuffix(name, ".counts"):
		return "imatrix"
	case strings.HasSuffix(name, ".lora_a"), strings.HasSuffix(name, ".lora_b"):
		return "adapter"
	}
	return "model"
}

// Architecture is general.architecture, "" if it is missing or no string.
func (f *File) Architecture() string { return f.text("general.architecture") }

// text is a string value, "" if there is none.
func (f *File) text(key string) string {
	v, ok := f.Value(key)
	if !ok || v.Type() != String {
		return ""
	}
	s, _ := v.Text()
	return s
}

// Parameters is the number of elements of all tensors, at most math.MaxUint64.
func (f *File) Parameters() uint64 {
	sum := uint64(0)
	for i := range f.Tensors {
		var carry uint64
		if sum, carry = bits.Add64(sum, f.Tensors[i].Elements, 0); carry != 0 {
			return math.MaxUint64
		}
	}
	return sum
}

// BitsPerWeight is the mean over the tensors whose size is known, 0 if there are none.
func (f *File) BitsPerWeight() float64 {
	var size, elements float64
	for i := range f.Tensors {
		if t := &f.Tensors[i]; t.Bytes > 0 {
			size += float64(t.Bytes)
			elements += float64(t.Elements)
		}
	}
	if elements == 0 {
		return 0
	}
	return 8 * size / elements
}
