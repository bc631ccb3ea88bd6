package run

import (
	"context"

	"straw/engine"
	"straw/internal/session"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// ringBytes is what weights pass through that are read for every token.
const ringBytes = 16 << 20

// forecast tells what load would take, from the file's directory alone. It counts on a machine whose weights lie outside the
// program's memory.
func (r *Runner) forecast(_ context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Forecast)
	f, err := r.File()
	if err != nil {
		return worker.Reply{}, err
	}
	kv, ok := kvTypes[p.KVType]
	if !ok {
		return worker.Reply{}, argument("kvType", "kvType %q: f32, f16 or q8_0", p.KVType)
	}
	arch, err := engine.Describe(f)
	if err != nil {
		return worker.Reply{}, err
	}
	size := p.ContextSize
	if size <= 0 {
		size = session.DefaultContext
		if n := arch.ContextLength(); n > 0 {
			size = min(size, n)
		}
	}
	whole, err := arch.Forecast(engine.Options{Threads: 1, Context: size, KV: kv, Resident: true})
	if err != nil {
		return worker.Reply{}, err
	}
	out := protocol.Forecasted{ContextSize: size, Weights: weights(f), Memory: []protocol.Memory{}}
	out.Resident, _ = place(out.Weights, p.MemoryBudget, true)
	for _, i := range whole.Ledger {
		if !out.Resident && (i.Name == "weights" || i.Name == "experts") {
			out.Streamed += i.Bytes
			continue
		}
		out.Memory = append(out.Memory, protocol.Memory{Name: i.Name, Bytes: i.Bytes})
	}
	if !out.Resident {
		out.Memory = append(out.Memory, protocol.Memory{Name: "ring", Bytes: min(ringBytes, out.Streamed)})
	}
	return worker.Reply{Result: out}, nil
}

// embed is the embedding of a text, of length 1.
func (r *Runner) embed(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	m, err := r.loaded()
	if err != nil {
		return worker.Reply{}, err
	}
	ids, err := m.Encode(session.Prompt{Text: c.Params.(*protocol.Embed).Text})
	if err != nil {
		return worker.Reply{}, err
	}
	pooling := m.Arch.Output.Pooling
	if pooling == engine.PoolNone {
		pooling = engine.PoolMean
	}
	rows, err := m.Embed(ctx, ids, pooling)
	if err != nil {
		return worker.Reply{}, err
	}
	v := rows[0]
	session.Normalize(v)
	return worker.Reply{Result: protocol.Values{Count: len(v)}, Values: v}, nil
}
