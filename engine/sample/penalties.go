package sample

// penalize changes the logits of the last tokens. The candidates are in the order of their ids.
func (s *Sampler) penalize(c []candidate) {
	p := &s.p
	if p.RepeatPenalty == 1 && p.FrequencyPenalty == 0 && p.PresencePenalty == 0 {
		return
	}
	for id, n := range s.counts {
		l := logitOf(c, id)
		if l == nil {
			continue
		}
		if *l <= 0 {
			*l *= p.RepeatPenalty
		} else {
			*l /= p.RepeatPenalty
		}
		*l -= float32(float32(n)*p.FrequencyPenalty) + p.PresencePenalty
	}
}

// logitOf is where the logit of a token is, nil if it is no candidate. The candidates are in the order of their ids.
func logitOf(c []candidate, id int) *float32 {
	if id >= 0 && id < len(c) && int(c[id].id) == id { // all are there
		return &c[id].logit
	}
	lo, hi := 0, len(c)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); int(c[m].id) < id {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(c) && int(c[lo].id) == id {
		return &c[lo].logit
	}
	return nil
}
