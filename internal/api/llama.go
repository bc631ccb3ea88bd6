package api

import (
	"net/http"
	"unicode/utf8"

	"straw/engine/sample"
	"straw/internal/session"
	"straw/tokenizer"
)

// These are llama-server's, for clients that use them beside OpenAI's.

// tokenize answers POST /tokenize.
func (s *Server) tokenize(c *call) error {
	q := struct {
		Model        string  `json:"model"`
		Content      *string `json:"content"`
		AddSpecial   bool    `json:"add_special"`
		ParseSpecial bool    `json:"parse_special"`
		WithPieces   bool    `json:"with_pieces"`
	}{ParseSpecial: true}
	if err := c.read(&q); err != nil {
		return err
	}
	tok, err := s.tokenizer(q.Model)
	if err != nil {
		return err
	}
	if q.Content == nil {
		return bad("content", "it is missing")
	}
	ids := tok.Encode(*q.Content, tokenizer.Options{AddSpecial: q.AddSpecial, ParseSpecial: q.ParseSpecial})
	if !q.WithPieces {
		return c.answer(map[string][]int{"tokens": append([]int{}, ids...)})
	}
	type token struct {
		ID    int `json:"id"`
		Piece any `json:"piece"` // a text, or bytes that are none
	}
	list := make([]token, len(ids))
	for i, id := range ids {
		piece := tok.Piece(id, true)
		list[i] = token{id, string(piece)}
		if !utf8.Valid(piece) {
			list[i].Piece = octets(piece)
		}
	}
	return c.answer(map[string][]token{"tokens": list})
}

// octets are bytes as numbers.
func octets(b []byte) []int {
	out := make([]int, len(b))
	for i, v := range b {
		out[i] = int(v)
	}
	return out
}

// detokenize answers POST /detokenize.
func (s *Server) detokenize(c *call) error {
	var q struct {
		Model  string `json:"model"`
		Tokens []int  `json:"tokens"`
	}
	if err := c.read(&q); err != nil {
		return err
	}
	tok, err := s.tokenizer(q.Model)
	if err != nil {
		return err
	}
	for _, id := range q.Tokens {
		if id < 0 || id >= tok.Size() {
			return bad("tokens", "%d: the vocabulary has the ids 0 to %d", id, tok.Size()-1)
		}
	}
	return c.answer(map[string]string{"content": string(tok.Decode(q.Tokens, true))})
}

func (s *Server) tokenizer(model string) (*tokenizer.Tokenizer, error) {
	m, err := s.model(model)
	if err != nil {
		return nil, err
	}
	return m.Pool.Model().Tokenizer()
}

// applyTemplate answers POST /apply-template: the text that a chat becomes.
func (s *Server) applyTemplate(c *call) error {
	var q struct {
		Model string `json:"model"`
		conversation
	}
	if err := c.read(&q); err != nil {
		return err
	}
	m, err := s.model(q.Model)
	if err != nil {
		return err
	}
	p, err := q.prompt()
	if err != nil {
		return err
	}
	text, err := m.Pool.Model().Render(c.ctx(), p)
	if err != nil {
		return err
	}
	return c.answer(map[string]string{"prompt": text})
}

// asked is the model of a GET request, ?model=NAME.
func (s *Server) asked(c *call) (*Model, error) { return s.model(c.r.URL.Query().Get("model")) }

// defaults are what of the parameters of a generation is not asked for.
func defaults() map[string]any {
	p := sample.Default()
	return map[string]any{
		"temperature": p.Temperature, "top_k": p.TopK, "top_p": p.TopP, "min_p": p.MinP, "typical_p": p.Typical, "top_n_sigma": p.TopNSigma,
		"xtc_probability": p.XTCProbability, "xtc_threshold": p.XTCThreshold, "repeat_penalty": p.RepeatPenalty, "repeat_last_n": p.RepeatLastN,
		"presence_penalty": p.PresencePenalty, "frequency_penalty": p.FrequencyPenalty, "dry_multiplier": p.DRY.Multiplier, "dry_base": p.DRY.Base,
		"dry_allowed_length": p.DRY.AllowedLength, "dry_penalty_last_n": p.DRY.LastN, "dry_sequence_breakers": session.DefaultBreakers,
		"mirostat": 0, "mirostat_tau": p.MirostatTau, "mirostat_eta": p.MirostatEta, "n_predict": -1, "max_tokens": -1, "stop": []string{}, "ignore_eos": false,
	}
}

// props answers GET /props.
func (s *Server) props(c *call) error {
	m, err := s.asked(c)
	if err != nil {
		return err
	}
	model := m.Pool.Model()
	template, err := model.ChatTemplate()
	if err != nil {
		return err
	}
	out := map[string]any{
		"default_generation_settings": map[string]any{"n_ctx": model.Context, "params": defaults()},
		"total_slots":                 s.o.Parallel, "model_alias": m.Name, "chat_template": template,
		"modalities": map[string]bool{"vision": false, "audio": false}, "build_info": s.o.Version,
	}
	if tok, err := model.Tokenizer(); err == nil {
		if id, ok := tok.BOS(); ok {
			out["bos_token"], _ = tok.Token(id)
		}
		if id, ok := tok.EOS(); ok {
			out["eos_token"], _ = tok.Token(id)
		}
	}
	return c.answer(out)
}

// slots answers GET /slots; what is in a slot is nobody's but the client's who filled it.
func (s *Server) slots(c *call) error {
	m, err := s.asked(c)
	if err != nil {
		return err
	}
	type slot struct {
		ID         int  `json:"id"`
		Context    int  `json:"n_ctx"`
		Processing bool `json:"is_processing"`
	}
	active := m.Pool.Stats().Active
	list := make([]slot, max(s.o.Parallel, 1))
	for i := range list {
		list[i] = slot{i, m.Pool.Model().Context, i < active}
	}
	if c.r.URL.Query().Get("fail_on_no_slot") != "" && active >= len(list) {
		return &Error{http.StatusServiceUnavailable, "no slot is free", typeUnavailable, "", "busy"}
	}
	return c.answer(list)
}
