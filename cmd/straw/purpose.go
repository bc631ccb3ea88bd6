package main

import (
	"fmt"
	"strings"

	"straw/gguf"
)

// purpose says what a file that is no model is, and what it is good for; "" of a model.
func purpose(in *input) string {
	switch in.Kind() {
	case "adapter":
		return adapterPurpose(in.File)
	case "control vector":
		s := "a control vector of " + plural(len(in.Tensors), "layer")
		if hint, _ := in.Get("controlvector.model_hint"); hint != nil {
			s += fmt.Sprintf(" for %v models", hint)
		}
		return s + ": directions to be added between layers, no model on its own"
	case "imatrix":
		s := "an importance matrix of " + plural(entries(in.File, ".in_sum2"), "tensor")
		if n, ok := whole(in.File, "imatrix.chunk_count"); ok {
			s += " over " + plural(int(n), "chunk")
			if size, ok := whole(in.File, "imatrix.chunk_size"); ok {
				s += " of " + plural(int(size), "token")
			}
		}
		return s + ": statistics for quantizing, no model on its own"
	case "mmproj":
		s := "the encoder and projector of a multimodal model"
		if has := senses(in.File); has != "" {
			s += " for " + has
		}
		return s + ": no model on its own"
	case "vocabulary":
		return "a vocabulary: it tokenizes, and has no weights to run"
	}
	return ""
}

// adapterPurpose describes a LoRA or another adapter.
func adapterPurpose(f *gguf.File) string {
	kind, _ := f.Get("adapter.type")
	switch kind {
	case "lora":
	case nil:
		return "an adapter whose type the file does not say (adapter.type): no model on its own"
	default:
		return fmt.Sprintf("an adapter of type %v: no model on its own", kind)
	}
	low, high := uint64(0), uint64(0)
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if !strings.HasSuffix(t.Name, ".lora_b") || len(t.Dims) == 0 {
			continue
		}
		if high == 0 {
			low = t.Dims[0]
		}
		low, high = min(low, t.Dims[0]), max(high, t.Dims[0])
	}
	s := "a LoRA adapter"
	switch {
	case high == 0:
	case low == high:
		s += fmt.Sprintf(" of rank %d", high)
	default:
		s += fmt.Sprintf(" of ranks %d to %d", low, high)
	}
	if alpha, _ := f.Get("adapter.lora.alpha"); alpha != nil {
		s += fmt.Sprintf(", alpha %v", alpha)
	}
	s += " on " + plural(entries(f, ".lora_b"), "tensor")
	if arch := f.Architecture(); arch != "" {
		s += " of " + arch + " models"
	}
	return s + ": apply it with --lora"
}

// entries counts the tensors with a name that ends so.
func entries(f *gguf.File, suffix string) (n int) {
	for i := range f.Tensors {
		if strings.HasSuffix(f.Tensors[i].Name, suffix) {
			n++
		}
	}
	return n
}

// whole is the value of a key that holds a whole number.
func whole(f *gguf.File, key string) (int64, bool) {
	v, _ := f.Get(key)
	n, ok := v.(int64)
	return n, ok
}

// senses is what an mmproj file has encoders for.
func senses(f *gguf.File) string {
	var has []string
	for _, s := range []struct{ key, what string }{{"clip.has_vision_encoder", "pictures"}, {"clip.has_audio_encoder", "sound"}} {
		if v, _ := f.Get(s.key); v == true {
			has = append(has, s.what)
		}
	}
	return strings.Join(has, " and ")
}
