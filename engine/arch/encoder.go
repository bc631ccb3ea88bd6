package arch

import "strconv"

// What encoders share: text is seen as a whole, and becomes embeddings.

// SeeAll makes attention look ahead.
func (b *Base) SeeAll() {
	b.Whole, b.Attn.Ahead = true, true
}

// Embeds makes an encoder: a model of embeddings, not of logits, that sees all of the text.
func (b *Base) Embeds() {
	b.SeeAll()
	b.Output.None = true
	b.Spare = append(b.Spare, "output.weight") // some converters leave it in
}

// readPooling reads the key of all models that makes embeddings of their rows.
func (b *Base) readPooling() {
	switch n := b.Int("pooling_type", 0, -1, 1000); n {
	case -1, 0:
	case 1, 2, 3:
		b.Output.Pooling = Pooling(n)
	case 4:
		b.Output.Pooling = PoolCLS
	default:
		b.Unsupported("pooling_type", strconv.Itoa(n)+" cannot be run; known are 0 to 4")
	}
}

// Ranks tells whether the pooling is one for scores. Then the pooled rows go through a head, of which Classifier adds
// what the file has.
func (b *Base) Ranks() bool { return b.Int("pooling_type", 0, -1, 1000) == 4 }

// Classifier adds the head of a model that ranks or classifies: cls, of rows products, then cls.output, one product for
// each of classifier.output_labels.
func (b *Base) Classifier(rows int, act StageAct, norm Norm) {
	if !b.Ranks() {
		b.Spare = append(b.Spare, "cls.")
		return
	}
	b.Output.Scores = true
	if b.Has("cls.weight") {
		if !b.Has(string(norm.Role) + ".weight") {
			norm = Norm{}
		}
		b.Output.Stages = append(b.Output.Stages, Stage{Role: "cls", Rows: rows, Bias: Optional, Act: act, Norm: norm})
	}
	b.ClassOutput(NoAct)
}

// Reranker adds the head of a decoder that ranks by what it makes of the last token.
func (b *Base) Reranker() {
	if !b.Ranks() {
		b.Spare = append(b.Spare, "cls.")
		return
	}
	b.Output.Pooling, b.Output.Scores = PoolLast, true
	b.ClassOutput(SoftmaxAct)
}

// DenseHead adds the linear layers of sentence-transformers, where the file has them.
func (b *Base) DenseHead() {
	for _, s := range []struct {
		role Role
		key  string
	}{{"dense_2", "dense_2_feat_out"}, {"dense_3", "dense_3_feat_out"}} {
		if b.Has(string(s.role) + ".weight") {
			b.Output.Stages = append(b.Output.Stages, Stage{Role: s.role, Rows: b.Int(s.key, b.Embd, 1, maxWidth)})
		}
	}
}

// ClassOutput adds cls.output, if the file has it.
func (b *Base) ClassOutput(act StageAct) {
	if b.Has("cls.output.weight") {
		labels, _ := b.get("classifier.output_labels").([]string)
		b.Output.Stages = append(b.Output.Stages, Stage{Role: "cls.output", Rows: max(1, len(labels)), Bias: Optional, Act: act})
	}
}
