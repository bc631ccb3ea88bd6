package main

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/internal/session"
)

// samplingFlags say how tokens are chosen.
type samplingFlags struct {
	p        sample.Params
	mirostat int
	bias     []string
	breakers []string

	grammarFile, schemaFile string
	grammar                 *grammar.Grammar
}

func (s *samplingFlags) add(f *pflag.FlagSet) {
	p := &s.p
	*p = sample.Default()
	f.Float32Var(&p.Temperature, "temp", p.Temperature, "temperature `T`; 0 always takes the likeliest token")
	f.IntVar(&p.TopK, "top-k", p.TopK, "only the `K` likeliest tokens; 0: all")
	f.Float32Var(&p.TopP, "top-p", p.TopP, "only the likeliest tokens that make up `P` together; 1: all")
	f.Float32Var(&p.MinP, "min-p", p.MinP, "only tokens at least `P` times as likely as the likeliest; 0: all")
	f.Float32Var(&p.Typical, "typical", p.Typical, "only the most typical tokens that make up `P` together; 1: all")
	f.Float32Var(&p.TopNSigma, "top-n-sigma", p.TopNSigma, "only logits at most `N` standard deviations below the largest; 0: all")
	f.Float32Var(&p.XTCProbability, "xtc-probability", p.XTCProbability, "how often, as `P`, all but the least likely token above the threshold are left out; 0: never")
	f.Float32Var(&p.XTCThreshold, "xtc-threshold", p.XTCThreshold, "`P` that such tokens have at least; above 0.5: never")
	f.Float32Var(&p.RepeatPenalty, "repeat-penalty", p.RepeatPenalty, "penalty `X` for tokens that were there already; 1: none")
	f.IntVar(&p.RepeatLastN, "repeat-last-n", p.RepeatLastN, "penalties look `N` tokens back; -1: the whole context")
	f.Float32Var(&p.PresencePenalty, "presence-penalty", p.PresencePenalty, "`X` off the logits of tokens that were there already")
	f.Float32Var(&p.FrequencyPenalty, "frequency-penalty", p.FrequencyPenalty, "`X` off a logit for each time that the token was there")
	f.Float32Var(&p.DRY.Multiplier, "dry-multiplier", p.DRY.Multiplier, "penalty `X` for what would continue a repetition; 0: none")
	f.Float32Var(&p.DRY.Base, "dry-base", p.DRY.Base, "`X` that it is multiplied by for each token that the repetition is longer than allowed")
	f.IntVar(&p.DRY.AllowedLength, "dry-allowed-length", p.DRY.AllowedLength, "repetitions of fewer than `N` tokens are free")
	f.IntVar(&p.DRY.LastN, "dry-penalty-last-n", p.DRY.LastN, "repetitions of what is in the last `N` tokens; 0: none, -1: the whole context")
	f.StringArrayVar(&s.breakers, "dry-sequence-breaker", nil, "`TEXT` that no repetition reaches across, none for none; may be given more than once (default line end, colon, quote and star)")
	f.IntVar(&s.mirostat, "mirostat", 0, "`2`: Mirostat 2.0 in place of all but temperature and bias; 0: off")
	f.Float32Var(&p.MirostatTau, "mirostat-ent", p.MirostatTau, "surprise in `BITS` that Mirostat aims at")
	f.Float32Var(&p.MirostatEta, "mirostat-lr", p.MirostatEta, "how fast, as `X`, Mirostat learns")
	f.StringArrayVar(&s.bias, "logit-bias", nil, "`ID+X` or ID-X: X more or less for the logit of a token, ID-inf bans it; may be given more than once")
	f.StringVar(&s.grammarFile, "grammar", "", "the text matches the GBNF grammar in `FILE`")
	f.StringVar(&s.schemaFile, "json-schema", "", "the text is JSON that matches the JSON schema in `FILE`")
	f.Uint64Var(&p.Seed, "seed", 0, "`N` that the random choices follow from (default a new one every time)")
}

// flagOf is the flag of a parameter of package sample.
var flagOf = map[string]string{
	"Temperature": "temp", "TopK": "top-k", "TopP": "top-p", "MinP": "min-p", "Typical": "typical", "TopNSigma": "top-n-sigma",
	"XTCProbability": "xtc-probability", "XTCThreshold": "xtc-threshold", "RepeatPenalty": "repeat-penalty", "RepeatLastN": "repeat-last-n",
	"PresencePenalty": "presence-penalty", "FrequencyPenalty": "frequency-penalty", "DRY.Multiplier": "dry-multiplier", "DRY.Base": "dry-base",
	"DRY.AllowedLength": "dry-allowed-length", "DRY.LastN": "dry-penalty-last-n", "MirostatTau": "mirostat-ent", "MirostatEta": "mirostat-lr",
	"Bias": "logit-bias",
}

func (s *samplingFlags) check(f *pflag.FlagSet) error {
	p := &s.p
	switch s.mirostat {
	case 0, 2:
		p.Mirostat = s.mirostat == 2
	default:
		return usagef("--mirostat %d: 2, for Mirostat 2.0, or 0 is needed", s.mirostat)
	}
	p.Bias = nil
	for _, text := range s.bias {
		b, ok := parseBias(text)
		if !ok {
			return usagef("--logit-bias %q: a token id and what to add to its logit is needed, as in 15043+1.5 or 15043-inf", text)
		}
		p.Bias = append(p.Bias, b)
	}
	if err := p.Check(); err != nil {
		if e := (*sample.ParamError)(nil); errors.As(err, &e) {
			return usagef("--%s %v: %s is needed", flagOf[e.Param], e.Value, e.Want)
		}
		return err
	}
	if p.TopP == 0 {
		return usagef("--top-p 0: above 0 is needed; for the likeliest token alone, --temp 0")
	}
	if p.RepeatPenalty == 0 {
		return usagef("--repeat-penalty 0: above 0 is needed; 1 is none")
	}
	if s.grammarFile != "" && s.schemaFile != "" {
		return usagef("--grammar and --json-schema exclude each other")
	}
	if !f.Changed("seed") {
		var b [4]byte // short enough to be typed again
		rand.Read(b[:])
		p.Seed = uint64(binary.LittleEndian.Uint32(b[:]))
	}
	return nil
}

// parseBias reads ID+X or ID-X.
func parseBias(text string) (b sample.Bias, ok bool) {
	at := strings.IndexAny(text, "+-")
	if at <= 0 {
		return b, false
	}
	id, err := strconv.Atoi(text[:at])
	value, bad := strconv.ParseFloat(text[at:], 32)
	return sample.Bias{ID: id, Value: float32(value)}, err == nil && bad == nil
}

// read reads the grammar, if one is asked for, before the model is loaded.
func (s *samplingFlags) read(a *app) error {
	name := s.grammarFile + s.schemaFile
	if name == "" {
		return nil
	}
	text, err := a.readText(name)
	if err != nil {
		return err
	}
	if s.schemaFile != "" {
		s.grammar, err = grammar.FromSchema([]byte(text))
	} else {
		s.grammar, err = grammar.Parse(text)
	}
	return s.about(err)
}

// about names the file in an error of the grammar.
func (s *samplingFlags) about(err error) error {
	if e := (*grammar.Error)(nil); errors.As(err, &e) {
		return fmt.Errorf("%s: %w", s.grammarFile+s.schemaFile, err)
	}
	return err
}

// into sets what of the parameters of a generation is about choosing tokens.
func (s *samplingFlags) into(p *session.Params) {
	p.Sampler, p.Grammar = s.p, s.grammar
	if p.Breakers = s.breakers; len(s.breakers) == 1 && s.breakers[0] == "none" {
		p.Breakers = []string{}
	}
}
