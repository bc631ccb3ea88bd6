package arch

// PerLayer are inputs of each layer besides the residual stream, Dim elements a layer: a row of per_layer_token_embd for
// the token, mixed with a product of its embedding.
type PerLayer struct {
	Dim  int  // embedding_length_per_layer_input; 0: there are none
	Norm Norm // of the product
}

// tensors adds what the inputs are made of.
func (p *PerLayer) tensors(t *table, layers, vocab int) {
	if p.Dim == 0 {
		return
	}
	t.add("per_layer_token_embd", Weight, Required, Rows, vocab, p.Dim*layers)
	t.add("per_layer_model_proj", Weight, Required, Matrix, p.Dim*layers, t.embd)
	t.norm(p.Norm, p.Dim)
}

// Inject is the part of a layer that brings in its own input: proj(gelu(inp_gate(x)) * input).
type Inject struct{ Dim int }

func (j *Inject) tensors(t *table) {
	t.linear("inp_gate", j.Dim, t.embd, Never)
	t.linear("proj", t.embd, j.Dim, Never)
}

// perLayer sets up the inputs of layers.
func (b *Base) perLayer(dim int) {
	b.Input.PerLayer = PerLayer{Dim: dim, Norm: b.Norm.As("per_layer_proj_norm")}
}

// injection is the step that brings in a layer's own input.
func (b *Base) injection() Step {
	return Step{Branches: []Branch{{Op: &Inject{b.Input.PerLayer.Dim}, Post: b.Norm.As("post_norm")}}}
}

// shareKV makes the layers from start on use keys and values of an earlier one: the last before start that has a window,
// or has none, as they do.
func (b *Base) shareKV(i, start int, a *Attn) {
	if i < start {
		return
	}
	a.SharedKV = start // 1 + the layer
	if b.Window[i] {
		a.SharedKV = start - 1
	}
	b.Leave(i, "attn_k", "attn_v") // the file may have them
}
