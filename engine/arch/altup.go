package arch

// AltUp keeps several residual streams, of which a layer computes one, the first (Baykal et al. 2023).

// Predict foretells all streams from what they are; the first is what the layer goes on with.
type Predict struct {
	Streams int
	Norm    Norm // of what the router sees
}

func (p *Predict) tensors(t *table) {
	t.norm(p.Norm, t.embd)
	t.add("altup_router", Weight, Required, Values, p.Streams, t.embd)
	t.add("altup_predict_coef", Weight, Required, Values, p.Streams*p.Streams, p.Streams)
}

// Correct brings all streams nearer to what the layer made of the first, and the layer's own input into the others.
type Correct struct {
	Streams int
	Dim     int  // of the layer's own input
	Router  Norm // of what the router sees: Predict has its weights in the table
	Norm    Norm // of what comes of the layer's own input
}

func (c *Correct) tensors(t *table) {
	t.add("altup_correct_coef", Weight, Required, Values, c.Streams, c.Streams)
	t.add("altup_correct_scale", Weight, Required, Values, t.embd)
	(&Inject{c.Dim}).tensors(t)
	t.norm(c.Norm, t.embd)
}

// Laurel is x + norm(r(l(x))), l and r being of low rank.
type Laurel struct {
	Rank int
	Norm Norm
}

func (l *Laurel) tensors(t *table) {
	t.linear("laurel_l", l.Rank, t.embd, Never)
	t.linear("laurel_r", t.embd, l.Rank, Never)
	t.norm(l.Norm, t.embd)
}
