package api

import "net/http"

type modelCard struct {
	ID      string    `json:"id"`
	Object  string    `json:"object"`
	Created int64     `json:"created"`
	OwnedBy string    `json:"owned_by"`
	Meta    modelMeta `json:"meta"`
}

// modelMeta is llama-server's.
type modelMeta struct {
	Vocab    int   `json:"n_vocab"`
	Context  int   `json:"n_ctx"`       // of a request
	Trained  int   `json:"n_ctx_train"` // that the model was made for
	Width    int   `json:"n_embd"`
	FileSize int64 `json:"size"`
}

func (s *Server) card(m *Model) modelCard {
	model := m.Pool.Model()
	return modelCard{ID: m.Name, Object: "model", Created: s.began.Unix(), OwnedBy: "straw", Meta: modelMeta{
		Vocab: model.Arch.VocabSize(), Context: model.Context, Trained: model.Arch.ContextLength(), Width: model.Arch.EmbeddingSize(), FileSize: m.Bytes}}
}

// listModels answers GET /v1/models.
func (s *Server) listModels(c *call) error {
	if _, err := s.model(""); err != nil {
		return err
	}
	cards := []modelCard{}
	for _, m := range s.models {
		cards = append(cards, s.card(m))
	}
	return c.answer(map[string]any{"object": "list", "data": cards})
}

// showModel answers GET /v1/models/NAME.
func (s *Server) showModel(c *call) error {
	name := c.r.PathValue("name")
	if name == "" {
		return errNoSuchPath
	}
	m, err := s.model(name)
	if err != nil {
		return err
	}
	return c.answer(s.card(m))
}

// health answers GET /health: 200 if new requests are taken.
func (s *Server) health(c *call) error {
	if _, err := s.model(""); err != nil {
		return err
	}
	c.send(http.StatusOK, []byte(`{"status":"ok"}`))
	return nil
}
