package bench

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"straw/gguf"
	"straw/internal/edit"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// drafts are the files that p would be, and their names.
func (b *Bench) drafts(p *protocol.Draft) ([]*gguf.Draft, []protocol.PlannedFile, error) {
	f, err := b.viewer.File()
	if err != nil {
		return nil, nil, err
	}
	name := base(f)
	var list []*gguf.Draft
	if p.Split != nil {
		list, err = edit.Split(f, edit.Limits{MaxSize: p.Split.MaxSize, MaxTensors: int(p.Split.MaxTensors)})
	} else {
		list = make([]*gguf.Draft, 1)
		list[0], err = changed(f, p)
	}
	if err != nil {
		return nil, nil, err
	}
	files := make([]protocol.PlannedFile, len(list))
	for i, d := range list {
		files[i] = protocol.PlannedFile{Name: name + ".gguf", Tensors: d.NTensors()}
		if p.Split != nil {
			files[i].Name = gguf.ShardName(name, i, len(list))
		}
		if files[i].Bytes, err = d.Size(); err != nil {
			return nil, nil, err
		}
		if files[i].Header, err = d.HeaderSize(); err != nil {
			return nil, nil, err
		}
		if p.Split == nil {
			if _, files[i].InPlace, err = d.Patch(f); err != nil {
				return nil, nil, err
			}
		}
	}
	return list, files, nil
}

// base is the file's name without ending and number of the shard.
func base(f *gguf.File) string {
	if len(f.Shards) == 0 || f.Shards[0].Name == "" {
		return "model"
	}
	name := f.Shards[0].Name
	if base, _, _, ok := gguf.ParseShardName(name); ok {
		return base
	}
	return strings.TrimSuffix(name, ".gguf")
}

func changed(f *gguf.File, p *protocol.Draft) (*gguf.Draft, error) {
	var changes []edit.Change
	for _, key := range p.Unset {
		changes = append(changes, edit.Change{Key: key, Unset: true})
	}
	for _, s := range p.Set {
		v, err := settingValue(f, s)
		if err != nil {
			return nil, &edit.Error{Key: s.Key, Err: err}
		}
		changes = append(changes, edit.Change{Key: s.Key, Value: v})
	}
	return edit.Plan(f, changes)
}

// settingValue is the value of the type that is asked for, else of the type that the key has, else of one that fits.
func settingValue(f *gguf.File, s protocol.Setting) (gguf.Value, error) {
	typ := s.Type
	if typ == "" {
		if old, ok := f.Value(s.Key); ok {
			typ = typeName(old)
		} else {
			typ = fitting(s.Value)
		}
	}
	text := string(s.Value)
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(s.Value, &text); err != nil {
			return gguf.Value{}, err
		}
	}
	return edit.ParseValue(typ, text)
}

// typeName is a type as [edit.ParseValue] knows it; arrays of arrays have a name that it refuses.
func typeName(v gguf.Value) string {
	if v.Type() == gguf.Array {
		return v.Elem().String() + "[]"
	}
	return v.Type().String()
}

// fitting is the type of a new key: what llama.cpp's own keys have for such a value. Arrays are of their first element's type.
func fitting(value []byte) string {
	text := string(value)
	if rest, ok := strings.CutPrefix(text, "["); ok {
		var items []json.RawMessage
		if json.Unmarshal(value, &items) == nil && len(items) > 0 {
			rest = string(items[0])
		}
		return fitting([]byte(rest)) + "[]"
	}
	switch {
	case strings.HasPrefix(text, `"`):
		return "str"
	case text == "true" || text == "false":
		return "bool"
	}
	if _, err := strconv.ParseUint(text, 10, 32); err == nil {
		return "u32"
	}
	if _, err := strconv.ParseInt(text, 10, 32); err == nil {
		return "i32"
	}
	if _, err := strconv.ParseUint(text, 10, 64); err == nil {
		return "u64"
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "i64"
	}
	return "f32"
}

func (b *Bench) plan(_ context.Context, c *worker.Call) (worker.Reply, error) {
	_, files, err := b.drafts(&c.Params.(*protocol.Plan).Draft)
	return worker.Reply{Result: protocol.Planned{Files: files}}, err
}

func (b *Bench) save(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Save)
	if len(c.Objects) != 1 {
		return worker.Reply{}, argument("target", "save needs one file handle or writable stream")
	}
	drafts, files, err := b.drafts(&p.Draft)
	if err != nil {
		return worker.Reply{}, err
	}
	if p.Shard >= int64(len(drafts)) {
		return worker.Reply{}, argument("shard", "there are "+strconv.Itoa(len(drafts))+" files, counted from 0")
	}
	file, draft := files[p.Shard], drafts[p.Shard]
	if p.InPlace && !file.InPlace {
		return worker.Reply{}, argument("inPlace", "the new header does not fit the place of the old one: save a copy")
	}
	out, err := b.create(ctx, c.Objects[0], p.InPlace)
	if err != nil {
		return worker.Reply{}, err
	}
	report := c.Progress("save", "bytes")
	if p.InPlace {
		err = b.overwrite(out, draft)
	} else {
		err = edit.Write(ctx, out, draft, func(done int64) { report(done, file.Bytes) })
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		out.Abort()
		return worker.Reply{}, err
	}
	if err := out.Close(); err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: protocol.Planned{Files: files[p.Shard : p.Shard+1]}}, nil
}

// overwrite writes the header of d to where that of the open file is.
func (b *Bench) overwrite(out worker.Output, d *gguf.Draft) error {
	f, err := b.viewer.File()
	if err != nil {
		return err
	}
	header, _, err := d.Patch(f)
	if err == nil {
		_, err = out.Write(header)
	}
	return err
}

func quoted(s string) string { return strconv.Quote(s) }

// argument is an error of the caller.
func argument(field, message string) error { return &protocol.Error{Field: field, Message: message} }
