package main

import (
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"straw/gguf"
	"straw/quant"
)

// TestKilled kills the commands that write files at random points. Whatever the point: what was there is whole, and a
// file under a final name is complete. Names that end in .partial may stay behind.
func TestKilled(t *testing.T) {
	points := 17 // of each of the six ways to write
	if testing.Short() {
		points = 3
	}
	original := floats4MiB(t)
	for _, c := range []struct {
		name   string
		args   []string
		inputs []string // of the shards made before; none: in.gguf
		out    []string // the final names
	}{
		{"edit", []string{"edit", "in.gguf", "-o", "out.gguf", "--set", "a=u8:1"}, nil, []string{"out.gguf"}},
		{"edit anew", []string{"edit", "in.gguf", "--in-place", "--set", "general.name=str:" + strings.Repeat("x", 99)}, nil, []string{"in.gguf"}},
		{"edit in place", []string{"edit", "in.gguf", "--in-place", "--set", "general.file_type=u32:9"}, nil, []string{"in.gguf"}},
		{"split", []string{"split", "in.gguf", "-o", "out", "--max-tensors", "2"}, nil, []string{"out-00001-of-00002.gguf", "out-00002-of-00002.gguf"}},
		{"merge", []string{"merge", "part-00001-of-00002.gguf", "-o", "out.gguf"}, []string{"part-00001-of-00002.gguf", "part-00002-of-00002.gguf"}, []string{"out.gguf"}},
		{"quantize", []string{"quantize", "in.gguf", "out.gguf", "Q8_0"}, nil, []string{"out.gguf"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := killer{t: t, dir: t.TempDir(), args: c.args, inputs: map[string][]byte{"in.gguf": original}, out: map[string][]byte{}}
			k.write("in.gguf", original)
			if c.inputs != nil {
				k.run("split", "in.gguf", "-o", "part", "--max-tensors", "2")
				for _, name := range c.inputs {
					k.inputs[name] = k.read(name)
				}
			}
			begin := time.Now()
			k.run(c.args...)
			took := time.Since(begin)
			for _, name := range c.out {
				k.out[name] = k.read(name)
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range points {
				k.restore()
				k.kill(time.Duration(random.Float64() * 1.1 * float64(took)))
				k.check()
			}
		})
	}
}

// floats4MiB is a file of four F32 matrices.
func floats4MiB(t *testing.T) []byte {
	t.Helper()
	var d gguf.Draft
	for _, kv := range []struct {
		key   string
		value any
	}{{"general.architecture", "llama"}, {"general.name", "x"}, {"general.file_type", uint32(0)}} {
		v, _ := gguf.ValueOf(kv.value)
		d.Set(kv.key, v)
	}
	row := []byte(strings.Repeat("\x00\x00\x80\x3f\xcd\xcc\xcc\x3d\x00\x00\x00\xc0\x9a\x99\x19\x3e", 256)) // 1, 0.1, -2, 0.15
	for _, name := range []string{"token_embd.weight", "blk.0.ffn_up.weight", "blk.0.ffn_down.weight", "output.weight"} {
		if err := d.Add(name, []uint64{1024, 256}, quant.F32, func(w io.Writer) error {
			for range 256 {
				if _, err := w.Write(row); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// killer runs one command in a folder of its own.
type killer struct {
	t      *testing.T
	dir    string
	args   []string
	inputs map[string][]byte // what must stay
	out    map[string][]byte // what a whole result is
}

func (k *killer) write(name string, b []byte) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, name), b, 0o666); err != nil {
		k.t.Fatal(err)
	}
}

func (k *killer) read(name string) []byte {
	k.t.Helper()
	b, err := os.ReadFile(filepath.Join(k.dir, name))
	if err != nil {
		k.t.Fatal(err)
	}
	return b
}

func (k *killer) command(args ...string) *exec.Cmd {
	cmd := exec.Command("straw", args...)
	cmd.Dir = k.dir
	return cmd
}

func (k *killer) run(args ...string) {
	k.t.Helper()
	if out, err := k.command(args...).CombinedOutput(); err != nil {
		k.t.Fatalf("straw %q: %v: %s", args, err, out)
	}
}

// restore makes the folder what it was before the command.
func (k *killer) restore() {
	k.t.Helper()
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := k.inputs[e.Name()]; !ok {
			os.Remove(filepath.Join(k.dir, e.Name()))
		}
	}
	for name, b := range k.inputs {
		if now, err := os.ReadFile(filepath.Join(k.dir, name)); err != nil || !slices.Equal(now, b) {
			k.write(name, b)
		}
	}
}

// kill ends the command, which nothing can catch, after a while; it may be done by then.
func (k *killer) kill(after time.Duration) {
	k.t.Helper()
	cmd := k.command(k.args...)
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
}

func (k *killer) check() {
	k.t.Helper()
	if _, err := os.Stat(filepath.Join(k.dir, "in.gguf"+backupSuffix)); err == nil {
		k.run("edit", "in.gguf", "--in-place", "--set", "general.file_type=u32:0") // undoes what was cut off, and changes nothing
		if !slices.Equal(k.read("in.gguf"), k.inputs["in.gguf"]) {
			k.t.Error("in.gguf is not what it was after its header was put back")
		}
	}
	for name, b := range k.inputs {
		now := k.read(name)
		if result, ok := k.out[name]; !slices.Equal(now, b) && !(ok && slices.Equal(now, result)) {
			k.t.Errorf("%s is neither what it was nor what it was to be", name)
		}
	}
	entries, err := os.ReadDir(k.dir)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		_, old := k.inputs[name]
		if old || strings.HasSuffix(name, ".partial") {
			continue
		}
		if result, ok := k.out[name]; !ok || !slices.Equal(k.read(name), result) {
			k.t.Errorf("%s is there and is no whole result", name)
		}
	}
}
