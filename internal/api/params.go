package api

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/internal/session"
)

// sampling is how a request wants tokens to be chosen: OpenAI's fields and llama-server's. What is left out is as in
// sample.Default.
type sampling struct {
	Temperature *float32 `json:"temperature"`
	TopK        *int     `json:"top_k"` // 0 and below: all
	TopP        *float32 `json:"top_p"`
	MinP        *float32 `json:"min_p"`
	Typical     *float32 `json:"typical_p"`
	TopNSigma   *float32 `json:"top_n_sigma"`

	XTCProbability *float32 `json:"xtc_probability"`
	XTCThreshold   *float32 `json:"xtc_threshold"`

	RepeatPenalty    *float32 `json:"repeat_penalty"`
	RepeatLastN      *int     `json:"repeat_last_n"`
	PresencePenalty  *float32 `json:"presence_penalty"`
	FrequencyPenalty *float32 `json:"frequency_penalty"`

	DRYMultiplier *float32 `json:"dry_multiplier"`
	DRYBase       *float32 `json:"dry_base"`
	DRYAllowed    *int     `json:"dry_allowed_length"`
	DRYLastN      *int     `json:"dry_penalty_last_n"`
	DRYBreakers   []string `json:"dry_sequence_breakers"`

	Mirostat    int      `json:"mirostat"`
	MirostatTau *float32 `json:"mirostat_tau"`
	MirostatEta *float32 `json:"mirostat_eta"`

	LogitBias json.RawMessage `json:"logit_bias"`
	Seed      json.RawMessage `json:"seed"`
}

// fieldOf is the field of a parameter of package sample.
var fieldOf = map[string]string{
	"Temperature": "temperature", "TopK": "top_k", "TopP": "top_p", "MinP": "min_p", "Typical": "typical_p", "TopNSigma": "top_n_sigma",
	"XTCProbability": "xtc_probability", "XTCThreshold": "xtc_threshold", "RepeatPenalty": "repeat_penalty", "RepeatLastN": "repeat_last_n",
	"PresencePenalty": "presence_penalty", "FrequencyPenalty": "frequency_penalty", "DRY.Multiplier": "dry_multiplier", "DRY.Base": "dry_base",
	"DRY.AllowedLength": "dry_allowed_length", "DRY.LastN": "dry_penalty_last_n", "MirostatTau": "mirostat_tau", "MirostatEta": "mirostat_eta",
	"Bias": "logit_bias",
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// params are those of package sample.
func (s *sampling) params() (sample.Params, error) {
	p := sample.Default()
	set(&p.Temperature, s.Temperature)
	set(&p.TopK, s.TopK)
	p.TopK = max(p.TopK, 0)
	set(&p.TopP, s.TopP)
	set(&p.MinP, s.MinP)
	set(&p.Typical, s.Typical)
	set(&p.TopNSigma, s.TopNSigma)
	set(&p.XTCProbability, s.XTCProbability)
	set(&p.XTCThreshold, s.XTCThreshold)
	set(&p.RepeatPenalty, s.RepeatPenalty)
	set(&p.RepeatLastN, s.RepeatLastN)
	set(&p.PresencePenalty, s.PresencePenalty)
	set(&p.FrequencyPenalty, s.FrequencyPenalty)
	set(&p.DRY.Multiplier, s.DRYMultiplier)
	set(&p.DRY.Base, s.DRYBase)
	set(&p.DRY.AllowedLength, s.DRYAllowed)
	set(&p.DRY.LastN, s.DRYLastN)
	set(&p.MirostatTau, s.MirostatTau)
	set(&p.MirostatEta, s.MirostatEta)
	switch s.Mirostat {
	case 0, 2:
		p.Mirostat = s.Mirostat == 2
	default:
		return p, bad("mirostat", "%d: 2, for Mirostat 2.0, or 0 is needed", s.Mirostat)
	}
	var err error
	if p.Bias, err = biases(s.LogitBias); err != nil {
		return p, err
	}
	if p.Seed, err = seed(s.Seed); err != nil {
		return p, err
	}
	return p, p.Check()
}

// seed is the one asked for; a new one where none is, or -1.
func seed(raw json.RawMessage) (uint64, error) {
	text := string(raw)
	if text != "" && text != "null" && text != "-1" {
		if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			return v, nil
		}
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, bad("seed", "a whole number is needed")
		}
		return uint64(v), nil
	}
	var b [4]byte // short enough to be typed again
	rand.Read(b[:])
	return uint64(binary.LittleEndian.Uint32(b[:])), nil
}

// biases reads OpenAI's {"ID": X} or llama-server's [[ID, X]], where X may be false for a ban.
func biases(raw json.RawMessage) ([]sample.Bias, error) {
	const want = `{"ID": NUMBER} or [[ID, NUMBER or false]] is needed`
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	var list []sample.Bias
	if raw[0] == '{' {
		var by map[string]float32
		if json.Unmarshal(raw, &by) != nil {
			return nil, bad("logit_bias", want)
		}
		for text, v := range by {
			id, err := strconv.Atoi(text)
			if err != nil {
				return nil, bad("logit_bias", "%q is no token id", text)
			}
			list = append(list, sample.Bias{ID: id, Value: v})
		}
		slices.SortFunc(list, func(a, b sample.Bias) int { return a.ID - b.ID })
		return list, nil
	}
	var pairs [][]any
	if json.Unmarshal(raw, &pairs) != nil {
		return nil, bad("logit_bias", want)
	}
	for _, p := range pairs {
		if len(p) != 2 {
			return nil, bad("logit_bias", want)
		}
		id, isID := p[0].(float64)
		value, isNumber := p[1].(float64)
		if p[1] == false {
			value, isNumber = math.Inf(-1), true
		}
		if !isID || !isNumber || id != math.Trunc(id) || math.Abs(id) > math.MaxInt32 {
			return nil, bad("logit_bias", want)
		}
		list = append(list, sample.Bias{ID: int(id), Value: float32(value)})
	}
	return list, nil
}

// generation is what chats and completions have in common.
type generation struct {
	sampling
	Model         string          `json:"model"`
	N             *int            `json:"n"`
	Stop          json.RawMessage `json:"stop"`
	Stream        bool            `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens  *int            `json:"max_tokens"`
	MaxNew     *int            `json:"max_completion_tokens"` // OpenAI's newer name
	NPredict   *int            `json:"n_predict"`             // llama-server's
	IgnoreEOS  bool            `json:"ignore_eos"`
	Grammar    string          `json:"grammar"` // GBNF
	JSONSchema json.RawMessage `json:"json_schema"`
}

// session are the parameters of a generation.
func (g *generation) session() (p session.Params, err error) {
	p = session.Params{MaxTokens: -1, IgnoreEOG: g.IgnoreEOS, Breakers: g.DRYBreakers}
	for _, limit := range []struct {
		name string
		n    *int
	}{{"n_predict", g.NPredict}, {"max_tokens", g.MaxTokens}, {"max_completion_tokens", g.MaxNew}} {
		if limit.n == nil {
			continue
		}
		if p.MaxTokens = *limit.n; p.MaxTokens < -1 {
			return p, bad(limit.name, "%d: a number of tokens is needed, or -1 for no limit", *limit.n)
		}
	}
	if p.Sampler, err = g.params(); err != nil {
		return p, err
	}
	if p.Stop, err = texts("stop", g.Stop); err != nil {
		return p, err
	}
	if len(p.Stop) > maxStops || slices.Contains(p.Stop, "") {
		return p, bad("stop", "at most %d texts are possible, none of them empty", maxStops)
	}
	if len(p.Breakers) > maxBreakers {
		return p, bad("dry_sequence_breakers", "%d texts: at most %d are possible", len(p.Breakers), maxBreakers)
	}
	switch hasSchema := len(g.JSONSchema) > 0 && g.JSONSchema[0] != 'n'; {
	case g.Grammar != "" && hasSchema:
		return p, bad("grammar", "it excludes json_schema")
	case g.Grammar != "":
		if p.Grammar, err = grammar.Parse(g.Grammar); err != nil {
			return p, bad("grammar", "%v", err)
		}
	case hasSchema:
		p.Grammar, err = schema("json_schema", g.JSONSchema)
	}
	return p, err
}

// schema is the grammar of JSON that matches a schema.
func schema(param string, text []byte) (*grammar.Grammar, error) {
	g, err := grammar.FromSchema(text)
	if err != nil {
		return nil, bad(param, "%v", err)
	}
	return g, nil
}

// choices is how many answers to each of n prompts are asked for.
func (g *generation) choices(prompts int) (int, error) {
	n := 1
	set(&n, g.N)
	if n < 1 || n*prompts > maxChoices || n > maxChoices {
		return 0, bad("n", "%d: 1 to %d answers of all prompts together are possible", n, maxChoices)
	}
	return n, nil
}
