// Package sample chooses the next token from a model's logits. The steps, their order and their defaults are
// llama.cpp's:
//
//	logit bias, constraint, penalties, DRY, top-n-sigma, top-k, typical, top-p, min-p, XTC, temperature, draw
//
// and with Mirostat only bias, constraint, temperature, Mirostat. The random numbers are of a generator of this
// package and the functions of the root package compute everything else, so the same parameters, logits and accepted
// tokens give the same choices on every platform.
package sample

import (
	"fmt"
	"math"
)

// Params say how the next token is chosen. The zero value is greedy.
type Params struct {
	Temperature float32 // 0: the most likely token
	TopK        int     // keep the k most likely; 0: all
	TopP        float32 // keep the most likely until their probabilities sum to p; 0: only the most likely, 1 or above: all
	MinP        float32 // keep those at least p times as likely as the most likely; 0: all
	Typical     float32 // keep those whose surprise is nearest to the expected one until their probabilities sum to p; 0 and 1: all
	TopNSigma   float32 // keep logits at most n standard deviations below the largest; 0 or below: all

	XTCProbability float32 // how often all but the least likely of the tokens above the threshold are left out; 0: never
	XTCThreshold   float32 // above 0.5 (two tokens can't both be that likely): never

	RepeatPenalty    float32 // of tokens among the last ones: positive logits are divided by it, others multiplied; 0 and 1: none
	FrequencyPenalty float32 // taken off a logit for each time the token is among the last ones
	PresencePenalty  float32 // taken off a logit if the token is among the last ones
	RepeatLastN      int     // how many tokens are the last ones; 0: no penalties; below 0: all that were accepted

	DRY DRY

	Mirostat    bool    // Mirostat 2.0
	MirostatTau float32 // the surprise aimed at, in bits
	MirostatEta float32 // how fast it learns

	Bias []Bias // added to logits before anything else

	Seed uint64
}

// Bias is added to the logit of one token; -Inf bans it.
type Bias struct {
	ID    int
	Value float32
}

// Default is what llama.cpp does unless told otherwise, with seed 0.
func Default() Params {
	return Params{Temperature: 0.8, TopK: 40, TopP: 0.95, MinP: 0.05, Typical: 1, XTCThreshold: 0.1,
		RepeatPenalty: 1, RepeatLastN: 64, DRY: DRY{Base: 1.75, AllowedLength: 2, LastN: 64}, MirostatTau: 5, MirostatEta: 0.1}
}

// ParamError says that a parameter is outside its range.
type ParamError struct {
	Param string // the field of Params
	Value any
	Want  string
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s %v: %s is needed", e.Param, e.Value, e.Want)
}

// Kind names the failure for messages to people and pages.
func (e *ParamError) Kind() string { return "usage" }

// Check tells whether every parameter makes sense; the error is a *ParamError.
func (p *Params) Check() error {
	const positive, fraction, finite = "a number above 0", "a number from 0 to 1", "a finite number"
	atLeast := func(x, least float32) bool { return x >= least && finite32(x) }
	within := func(x float32) bool { return x >= 0 && x <= 1 }
	for _, c := range []struct {
		ok    bool
		param string
		value any
		want  string
	}{
		{atLeast(p.Temperature, 0), "Temperature", p.Temperature, "0 or more"},
		{p.TopK >= 0, "TopK", p.TopK, "0 or more"},
		{within(p.TopP), "TopP", p.TopP, fraction},
		{within(p.MinP), "MinP", p.MinP, fraction},
		{within(p.Typical), "Typical", p.Typical, fraction},
		{finite32(p.TopNSigma), "TopNSigma", p.TopNSigma, finite},
		{within(p.XTCProbability), "XTCProbability", p.XTCProbability, fraction},
		{within(p.XTCThreshold), "XTCThreshold", p.XTCThreshold, fraction},
		{atLeast(p.RepeatPenalty, 0), "RepeatPenalty", p.RepeatPenalty, positive},
		{finite32(p.FrequencyPenalty), "FrequencyPenalty", p.FrequencyPenalty, finite},
		{finite32(p.PresencePenalty), "PresencePenalty", p.PresencePenalty, finite},
		{p.RepeatLastN >= -1, "RepeatLastN", p.RepeatLastN, "a number of tokens, or -1 for all,"},
		{finite32(p.DRY.Multiplier), "DRY.Multiplier", p.DRY.Multiplier, finite},
		{p.DRY.Multiplier == 0 || atLeast(p.DRY.Base, 1), "DRY.Base", p.DRY.Base, "1 or more"},
		{p.DRY.AllowedLength >= 0, "DRY.AllowedLength", p.DRY.AllowedLength, "0 or more"},
		{p.DRY.LastN >= -1, "DRY.LastN", p.DRY.LastN, "a number of tokens, or -1 for all,"},
		{!p.Mirostat || p.MirostatTau > 0 && finite32(p.MirostatTau), "MirostatTau", p.MirostatTau, positive},
		{!p.Mirostat || atLeast(p.MirostatEta, 0), "MirostatEta", p.MirostatEta, "0 or more"},
	} {
		if !c.ok {
			return &ParamError{c.param, c.value, c.want}
		}
	}
	for _, b := range p.Bias {
		if b.ID < 0 {
			return &ParamError{"Bias", b.ID, "a token id"}
		}
		if b.Value != b.Value || b.Value > math.MaxFloat32 {
			return &ParamError{"Bias", b.Value, "a number, or -Inf,"}
		}
	}
	return nil
}

func finite32(x float32) bool { return x-x == 0 }

// A Constraint says which tokens may come next.
type Constraint interface {
	Allows(id int) bool
	Mask() []uint64 // bit id%64 of word id/64 is set if the token is allowed; tokens past the end are not. Valid until Accept
	Accept(id int)
}

// Sampler chooses tokens. Among equal logits the smaller id comes first; a NaN counts as -Inf.
type Sampler struct {
	p          Params
	constraint Constraint
	random     xoshiro
	history    []int // accepted tokens
	counts     map[int]int
	dry        drySearch
	mu         float32 // Mirostat: tokens of more surprise than this many bits are left out
	all        []candidate
	words      []surprise
}

// New is a sampler that has accepted nothing yet. The parameters are as Check wants them.
func New(p Params) *Sampler {
	if p.RepeatPenalty == 0 {
		p.RepeatPenalty = 1
	}
	if p.Typical == 0 {
		p.Typical = 1
	}
	return &Sampler{p: p, random: newXoshiro(p.Seed), counts: map[int]int{}, mu: 2 * p.MirostatTau}
}

// Constrain makes the sampler choose only what c allows, and tell c what it accepts from now on.
func (s *Sampler) Constrain(c Constraint) { s.constraint = c }

// Accept tells the sampler that id is part of the text now, chosen by it or not.
func (s *Sampler) Accept(id int) {
	if s.constraint != nil {
		s.constraint.Accept(id)
	}
	s.history = append(s.history, id)
	n := s.p.RepeatLastN
	if n == 0 {
		return
	}
	s.counts[id]++
	if n > 0 && len(s.history) > n {
		gone := s.history[len(s.history)-1-n]
		if s.counts[gone]--; s.counts[gone] == 0 {
			delete(s.counts, gone)
		}
	}
}

// Sample chooses a token for logits [vocab], which it does not change; -1 if the constraint allows none. It panics if
// there are no logits.
func (s *Sampler) Sample(logits []float32) int {
	mu := s.mu
	id := s.choose(s.load(logits))
	if s.constraint == nil || s.constraint.Allows(id) {
		return id
	}
	// Looking at one token is cheap, at all of them is not: they are looked at when the one was wrong.
	s.mu = mu
	c := s.load(logits)
	mask := s.constraint.Mask()
	kept := c[:0]
	for _, x := range c {
		if word := int(x.id) >> 6; word < len(mask) && mask[word]>>(x.id&63)&1 != 0 {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		return -1
	}
	return s.choose(kept)
}

// load takes the logits in, with the biases added.
func (s *Sampler) load(logits []float32) []candidate {
	if cap(s.all) < len(logits) {
		s.all = make([]candidate, len(logits))
	}
	s.all = s.all[:len(logits)]
	for id, l := range logits {
		if l != l {
			l = lowest
		}
		s.all[id] = candidate{int32(id), l}
	}
	for _, b := range s.p.Bias {
		if b.ID < len(s.all) {
			s.all[b.ID].logit += b.Value
		}
	}
	return s.all
}

// choose goes through the steps after the constraint. The candidates are in the order of their ids.
func (s *Sampler) choose(c []candidate) int {
	p := &s.p
	if p.Mirostat {
		return s.mirostat(c)
	}
	s.penalize(c)
	s.dry.penalize(&p.DRY, s.history, c)
	greedy := p.Temperature <= 0
	if greedy && p.Typical >= 1 && p.XTCProbability <= 0 || p.TopK == 1 {
		return int(best(c).id) // no step can have left it out
	}
	if p.TopNSigma > 0 {
		c = topNSigma(c, p.TopNSigma)
	}
	if p.TopK > 0 && p.TopK < len(c) {
		c = mostLikely(c, p.TopK)
	}
	if p.Typical < 1 {
		c = s.typical(c)
	}
	if p.TopP < 1 {
		c = topP(c, float64(p.TopP))
	}
	if p.MinP > 0 {
		c = minP(c, p.MinP)
	}
	if p.XTCProbability > 0 && p.XTCThreshold <= 0.5 {
		c = s.xtc(c)
	}
	if greedy {
		return int(best(c).id)
	}
	return int(c[s.draw(c)].id)
}
