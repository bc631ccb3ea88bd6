package arch

import (
	"math"
	"strconv"
)

// readRope reads the rope keys with llama.cpp's defaults.
func (b *Base) readRope(r *Rope) {
	r.Dim = b.Int("rope.dimension_count", b.Attn.KeyDim, 0, maxWidth)
	r.Base = b.Float("rope.freq_base", 10000)
	if !(r.Base > 0) {
		b.Problem("rope.freq_base", "must be above 0")
	}
	kind := b.String("rope.scaling.type", "linear")
	r.Factor = b.Float("rope.scaling.factor", 0)
	if old := b.Float("rope.scale_linear", 0); b.get("rope.scaling.factor") == nil { // the key's older name
		r.Factor = old
	}
	if r.Factor == 0 || kind == "none" {
		r.Factor = 1
	}
	if !(r.Factor > 0) {
		b.Problem("rope.scaling.factor", "must be above 0")
	}
	r.Attn = b.Float("rope.scaling.attn_factor", 1)
	y := &r.Yarn
	y.Factor = r.Factor
	y.OrigContext = b.Int("rope.scaling.original_context_length", b.Context, 1, math.MaxInt32)
	y.BetaFast, y.BetaSlow = 32, 1
	switch kind {
	case "none", "linear", "longrope":
	case "yarn":
		y.Ext = 1
		if r.Base == 1 {
			b.Problem("rope.freq_base", "yarn needs a base that is not 1")
		}
	default:
		b.Unsupported("rope.scaling.type", "scaling "+quote(kind)+" cannot be run; known are none, linear, yarn, longrope")
	}
}

// ReadYarn reads the keys that only some architectures know: how many turns are many and few, and the multiplier.
func (b *Base) ReadYarn() {
	y := &b.Attn.Rope.Yarn
	y.BetaFast = b.Float("rope.scaling.yarn_beta_fast", y.BetaFast)
	y.BetaSlow = b.Float("rope.scaling.yarn_beta_slow", y.BetaSlow)
	y.LogMultiplier = b.Float("rope.scaling.yarn_log_multiplier", 0)
	if !(y.BetaFast > 0) || !(y.BetaSlow > 0) {
		b.Problem("rope.scaling", "yarn needs betas above 0")
	}
}

// Turn sets the pairing of the rotation, and the tensors that slow it down where the file has them: longrope's or
// Llama 3's.
func (b *Base) Turn(p Pairing, factors bool) {
	b.Attn.Rope.Pairing = p
	if factors {
		b.Attn.Rope.Factors = Freqs
		if b.String("rope.scaling.type", "") == "longrope" {
			b.Attn.Rope.Factors = LongShort
		}
	}
}

// Windows reads which layers have a window of the size of attention.sliding_window: the key
// attention.sliding_window_pattern has a flag a layer, or a number n, of which pattern is the default: then all layers
// have one but each n-th, the last of n or, with first, the first of n.
func (b *Base) Windows(kind WindowKind, pattern int, first bool) {
	b.Attn.Window = Window{b.Int("attention.sliding_window", 0, 0, math.MaxInt32), kind}
	flags, n := b.Flags("attention.sliding_window_pattern", pattern)
	for i := range b.Window {
		switch {
		case flags != nil:
			b.Window[i] = flags[i]
		case first:
			b.Window[i] = n == 0 || i%n != 0
		default:
			b.Window[i] = n == 0 || i%n < n-1
		}
	}
}

// NeedWindows is Windows of a file that must have a flag for each layer.
func (b *Base) NeedWindows() {
	b.Windows(Sliding, 1, false)
	if flags, _ := b.Flags("attention.sliding_window_pattern", 0); flags == nil {
		b.Problem("attention.sliding_window_pattern", "missing, or no array")
	}
}

// LocalRope is the rotation of layers with a window: with rope.freq_base_swa, def if absent, and without scaling.
func (b *Base) LocalRope(def float64) Rope {
	r := b.LocalBase(def)
	r.Factor = 1
	return r
}

// LocalBase is LocalRope with the model's scaling.
func (b *Base) LocalBase(def float64) Rope {
	r := b.Attn.Rope
	if r.Base = b.Float("rope.freq_base_swa", def); !(r.Base > 0) {
		b.Problem("rope.freq_base_swa", "must be above 0")
	}
	return r
}

// LocalDim is rope.dimension_count_swa: elements of a head that turn in layers with a window.
func (b *Base) LocalDim() int {
	return b.Int("rope.dimension_count_swa", b.Attn.Rope.Dim, 0, maxWidth)
}

// Sections reads rope.dimension_sections and tells whether the file has any.
func (b *Base) Sections() bool {
	r := &b.Attn.Rope
	switch v := b.get("rope.dimension_sections").(type) {
	case nil:
		return false
	case []int64:
		for i, n := range v[:min(len(v), 4)] {
			if n < 0 || n > maxWidth {
				b.Problem("rope.dimension_sections", strconv.FormatInt(n, 10)+" pairs")
				return false
			}
			r.Sections[i] = int(n)
		}
	default:
		b.Problem("rope.dimension_sections", "is no array of integers")
	}
	return r.Sections[0] > 0 && r.Sections[1] > 0
}
