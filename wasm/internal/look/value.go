package look

import (
	"context"

	"straw/internal/inspect"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

func (v *Viewer) value(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Value)
	f, err := v.File()
	if err != nil {
		return worker.Reply{}, err
	}
	value, ok := f.Value(p.Key)
	if !ok {
		return worker.Reply{}, argument("key", "the file has no key %q", p.Key)
	}
	count := int64(-1)
	if p.Count != nil {
		count = *p.Count
	}
	text, err := inspect.Value(value, p.Start, count)
	if err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: wrap("value", text)}, nil
}
