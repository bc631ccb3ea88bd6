package protocol

// Forecast asks what a session would take, before there is one. The zero values are those of [Load].
type Forecast struct {
	MemoryBudget int64  `json:"memoryBudget,omitempty"` // bytes
	ContextSize  int    `json:"contextSize,omitempty"`  // tokens
	KVType       string `json:"kvType,omitempty"`       // f32, f16 or q8_0
}

// Forecasted is the result of forecast.
type Forecasted struct {
	ContextSize int      `json:"contextSize"` // tokens
	Resident    bool     `json:"resident"`    // all weights are in memory
	Streamed    int64    `json:"streamed"`    // bytes of weights that are read for every token
	Weights     int64    `json:"weights"`     // bytes of all weights
	Memory      []Memory `json:"memory"`      // what it is for
}

// Memory is one use of it.
type Memory struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

func (m *Memory) UnmarshalJSON(text []byte) error { return decode(text, m) }

// Embed asks for the embedding of a text. The result is [Values], beside which the vector lies.
type Embed struct {
	Text string `json:"text"`
}

// Snapshot asks for what a session remembers, written to the writable stream that lies beside the message.
type Snapshot struct{}

// Restore asks a session to go on where one of the same model was that is saved in the Blob beside the message.
type Restore struct{}

// Remembered is the result of both.
type Remembered struct {
	Bytes  int64 `json:"bytes"`
	Tokens int   `json:"tokens"`
}
