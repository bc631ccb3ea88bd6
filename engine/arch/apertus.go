package arch

// Apertus: a network of xIELU without a gate, whose numbers are metadata; normalized heads.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, true)
		b.QKNorm(Head)
		b.Output.Need = true
		b.Dense.Gate, b.Dense.Act = NoGateFFN, XIELU
		alphaN, alphaP := b.curve("xielu.alpha_n"), b.curve("xielu.alpha_p")
		beta, eps := b.curve("xielu.beta"), b.curve("xielu.eps")
		b.Each(func(i int) Layer {
			n := b.Net(i)
			b.Leave(i, "attn_q_norm.bias", "attn_k_norm.bias") // the reference has no use for them
			n.Curve = Curve{alphaN[i], alphaP[i], beta[i], eps[i]}
			return b.Pre(b.At(i), n)
		})
	}, "apertus")
}

// curve is a required number of the curve for each layer: one for all, or an array. Its key has no architecture before it.
func (b *Base) curve(key string) []float32 {
	list := make([]float32, b.N)
	v, err := b.src.Get(key)
	if err != nil && b.failure == nil {
		b.failure = err
	}
	many, _ := v.([]float64)
	one, single := number(v)
	for i := range list {
		switch {
		case i < len(many):
			list[i] = float32(many[i])
		case single:
			list[i] = float32(one)
		default:
			b.problems = append(b.problems, key+": missing, or not a number for each layer")
			return list
		}
	}
	return list
}
