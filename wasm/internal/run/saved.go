package run

import (
	"context"
	"io"

	"straw/internal/session"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Files are how a session's memory leaves the program and comes back.
type Files struct {
	Create worker.Creator
	Read   worker.Reader
}

// snapshot writes the session, as docs/session-file.md says, with no note.
func (r *Runner) snapshot(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	m, err := r.loaded()
	if err != nil {
		return worker.Reply{}, err
	}
	if len(c.Objects) != 1 {
		return worker.Reply{}, argument("target", "snapshot needs one writable stream")
	}
	out, err := r.files.Create(ctx, c.Objects[0], false)
	if err != nil {
		return worker.Reply{}, err
	}
	size := m.SavedBytes(0)
	if err := m.Save(ctx, &watched{ctx: ctx, w: out, report: c.Progress("save", "bytes"), total: size}, nil); err != nil {
		out.Abort()
		return worker.Reply{}, err
	}
	if err := out.Close(); err != nil {
		return worker.Reply{}, err
	}
	return remembered(m, size), nil
}

// restore makes the session the one that snapshot wrote. If that fails it is as it was.
func (r *Runner) restore(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	m, err := r.loaded()
	if err != nil {
		return worker.Reply{}, err
	}
	if len(c.Objects) != 1 {
		return worker.Reply{}, argument("bytes", "restore needs one Blob")
	}
	in, err := r.files.Read(ctx, c.Objects[0])
	if err != nil {
		return worker.Reply{}, err
	}
	if _, err := m.Restore(&watched{ctx: ctx, r: in}); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return worker.Reply{}, err
	}
	return remembered(m, m.SavedBytes(0)), nil
}

func remembered(m *session.Model, bytes int64) worker.Reply {
	return worker.Reply{Result: protocol.Remembered{Bytes: bytes, Tokens: m.Used()}}
}

// watched passes bytes on until ctx is done, and tells how many of total it wrote.
type watched struct {
	ctx         context.Context
	r           io.Reader
	w           io.Writer
	report      func(done, total int64)
	done, total int64
}

func (x *watched) Read(p []byte) (int, error) {
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	return x.r.Read(p)
}

func (x *watched) Write(p []byte) (int, error) {
	if err := x.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := x.w.Write(p)
	x.done += int64(n)
	x.report(x.done, x.total)
	return n, err
}
