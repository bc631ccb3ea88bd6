package arch

import (
	"strconv"
)

// At is layer i's attention, b.Attn with the layer's head counts and its window.
func (b *Base) At(i int) *Attn {
	a := b.Attn
	a.Heads, a.KVHeads = b.Heads[i], b.KV[i]
	switch {
	case a.Heads == 0:
		b.Problem("attention.head_count", "0 heads in layer "+strconv.Itoa(i))
	case a.KVHeads == 0 || a.Heads%a.KVHeads != 0:
		b.Problem("attention.head_count", "layer "+strconv.Itoa(i)+" has "+strconv.Itoa(a.Heads)+
			" heads, which "+strconv.Itoa(a.KVHeads)+" key/value heads cannot share")
	}
	if !b.Window[i] {
		a.Window = Window{}
	}
	a.Fused = b.HasIn(i, "attn_qkv.weight")
	return &a
}

// Net is layer i's feed-forward network, b.Dense with the layer's width.
func (b *Base) Net(i int) *Dense {
	d := b.Dense
	d.Hidden = b.Hidden[i]
	if d.Hidden == 0 {
		b.Problem("feed_forward_length", "missing")
	}
	return &d
}

// Each adds a layer for each i.
func (b *Base) Each(layer func(i int) Layer) {
	for i := range b.N {
		b.Layers = append(b.Layers, layer(i))
	}
}

// Pre is a layer of the usual kind: x + attn(norm(x)), then x + ffn(norm(x)).
func (b *Base) Pre(attn, ffn Op) Layer {
	return Layer{Steps: []Step{
		{Branches: []Branch{{Norm: b.Norm.As("attn_norm"), Op: attn}}},
		{Branches: []Branch{{Norm: b.Norm.As("ffn_norm"), Op: ffn}}},
	}}
}

// Post is a layer whose norms come after: x + norm(attn(x)), then x + norm(ffn(x)).
func (b *Base) Post(attn, ffn Op) Layer {
	return Layer{Steps: []Step{
		{Branches: []Branch{{Op: attn, Post: b.Norm.As("post_attention_norm")}}},
		{Branches: []Branch{{Op: ffn, Post: b.Norm.As("post_ffw_norm")}}},
	}}
}

// Sandwich is a layer with norms before and after.
func (b *Base) Sandwich(attn, ffn Op) Layer {
	l := b.Pre(attn, ffn)
	l.Steps[0].Branches[0].Post = b.Norm.As("post_attention_norm")
	l.Steps[1].Branches[0].Post = b.Norm.As("post_ffw_norm")
	return l
}

// Parallel is a layer of one step: x + attn(norm(x)) + ffn(norm(x)), with the same norm or two.
func (b *Base) Parallel(attn, ffn Op, attnNorm, ffnNorm Role) Layer {
	return Layer{Steps: []Step{{Branches: []Branch{
		{Norm: b.Norm.As(attnNorm), Op: attn},
		{Norm: b.Norm.As(ffnNorm), Op: ffn},
	}}}}
}

// check looks for values that no model can have.
func (b *Base) check() {
	for i := range b.Layers {
		for _, s := range b.Layers[i].Steps {
			for _, br := range s.Branches {
				if a, ok := br.Op.(*Attn); ok && a != nil {
					b.checkAttn(i, a)
				}
			}
		}
	}
}

func (b *Base) checkAttn(i int, a *Attn) {
	layer := " in layer " + strconv.Itoa(i)
	if width := max(a.KeyDim, a.ValueDim, 1); a.Heads > maxWidth/width || a.KVHeads > maxWidth/width {
		b.Problem("attention.head_count", strconv.Itoa(a.Heads)+" heads of "+strconv.Itoa(width)+" elements"+layer)
	}
	if a.KeyDim < 1 || a.ValueDim < 1 {
		b.Problem("attention.key_length", "heads of no elements"+layer)
	}
	if r := a.Rope; r.Pairing != NoRope && (r.Dim < 2 || r.Dim%2 != 0 || r.Dim > a.KeyDim) {
		b.Problem("rope.dimension_count", strconv.Itoa(r.Dim)+" is below 2, odd, or more than the "+strconv.Itoa(a.KeyDim)+" elements of a head"+layer)
	}
	if r := a.Rope; r.Alpha > 0 && r.Head <= 2 {
		b.Problem("rope.scaling.alpha", "needs heads of more than 2 elements")
	}
	if a.SharedKV > i {
		b.Problem("attention.shared_kv_layers", "no earlier layer has keys"+layer)
	}
}
