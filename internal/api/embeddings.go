package api

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"straw/internal/session"
)

// embeddingRequest is the body of /v1/embeddings.
type embeddingRequest struct {
	Model      string          `json:"model"`
	Input      json.RawMessage `json:"input"`
	Encoding   string          `json:"encoding_format"`
	Dimensions *int            `json:"dimensions"`
}

type embedding struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"` // numbers, or their bytes as base64
}

// embed answers POST /v1/embeddings: vectors of length 1, one for each input.
func (s *Server) embed(c *call) error {
	var q embeddingRequest
	if err := c.read(&q); err != nil {
		return err
	}
	m, err := s.model(q.Model)
	if err != nil {
		return err
	}
	c.model = m.Name
	switch {
	case q.Dimensions != nil && *q.Dimensions != m.Pool.Model().Arch.EmbeddingSize():
		return bad("dimensions", "%d: embeddings of this model have %d, and are not cut", *q.Dimensions, m.Pool.Model().Arch.EmbeddingSize())
	case q.Encoding != "" && q.Encoding != "float" && q.Encoding != "base64":
		return bad("encoding_format", "%q: float or base64 is needed", q.Encoding)
	case m.Pool.Model().Arch.Output.Scores:
		return &Error{400, "model " + m.Name + " gives scores, not embeddings", typeInvalid, "model", "unsupported"}
	}
	inputs, err := prompts("input", q.Input)
	if err != nil {
		return err
	}
	if len(inputs) > maxInputs {
		return bad("input", "%d texts: at most %d are possible", len(inputs), maxInputs)
	}
	texts := make([][]int, len(inputs))
	for i, input := range inputs {
		if input.Text == "" && input.IDs == nil {
			return bad(fmt.Sprintf("input[%d]", i), "a text that is not empty is needed")
		}
		if texts[i], err = m.Pool.Model().Encode(input); err != nil {
			return err
		}
		c.usage.Prompt += len(texts[i])
	}
	rows, err := m.Pool.Embed(c.ctx(), texts, m.Pooling)
	if err != nil {
		return err
	}
	out := make([]embedding, len(rows))
	for i, row := range rows {
		out[i] = embedding{"embedding", i, encoded(row, q.Encoding)}
	}
	c.usage.Total = c.usage.Prompt
	return c.answer(struct {
		Object string         `json:"object"`
		Data   []embedding    `json:"data"`
		Model  string         `json:"model"`
		Usage  map[string]int `json:"usage"`
	}{"list", out, m.Name, map[string]int{"prompt_tokens": c.usage.Prompt, "total_tokens": c.usage.Total}})
}

// encoded is a vector, scaled to length 1 and in the form that was asked for.
func encoded(x []float32, form string) any {
	session.Normalize(x)
	if form != "base64" {
		return x
	}
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return base64.StdEncoding.EncodeToString(b)
}
