package emit_test

import (
	"bytes"
	"strings"
	"testing"

	"straw/wasm/emit"
)

// sum is the module of the package's example.
func sum() *emit.Module {
	m := &emit.Module{Memory: emit.Memory{From: "env", Name: "memory", Min: 1}}
	f := m.Func("sum", emit.I32, emit.I32)
	x, n := f.Param(0), f.Param(1)
	acc := f.Var(emit.Float(0))
	f.While(n, func() {
		f.Set(acc, emit.AddF32(acc, emit.LoadF32(x, 0)))
		f.Set(x, emit.Add(x, emit.Int(4)))
		f.Set(n, emit.Sub(n, emit.Int(1)))
	})
	f.Return(acc)
	return m
}

func TestBytes(t *testing.T) {
	want := "\x00asm\x01\x00\x00\x00" +
		"\x01\x07\x01\x60\x02\x7f\x7f\x01\x7d" + // type (i32, i32) -> f32
		"\x02\x0f\x01\x03env\x06memory\x02\x00\x01" +
		"\x03\x02\x01\x00" +
		"\x07\x07\x01\x03sum\x00\x00" +
		"\x0a\x33\x01\x31\x01\x01\x7d" + // one local, f32
		"\x43\x00\x00\x00\x00\x21\x02" +
		"\x20\x01\x04\x40\x03\x40" + // if n, loop
		"\x20\x02\x20\x00\x2a\x00\x00\x92\x21\x02" +
		"\x20\x00\x41\x04\x6a\x21\x00" +
		"\x20\x01\x41\x01\x6b\x21\x01" +
		"\x20\x01\x0d\x00\x0b\x0b" +
		"\x20\x02\x0b"
	if got := sum().Bytes(); string(got) != want {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// Numbers of the binary format: 7 bits a byte, the last one without the upper bit; signed ones end with their sign.
func TestNumbers(t *testing.T) {
	for v, want := range map[int]string{
		0: "\x00", 63: "\x3f", 64: "\xc0\x00", -1: "\x7f", -64: "\x40", -65: "\xbf\x7f", 300: "\xac\x02",
		-1 << 31: "\x80\x80\x80\x80\x78", 1<<31 - 1: "\xff\xff\xff\xff\x07",
	} {
		m := &emit.Module{}
		f := m.Func("f")
		f.Return(emit.Int(v))
		if code := m.Bytes(); !bytes.HasSuffix(code, []byte("\x41"+want+"\x0b")) {
			t.Errorf("%d is written %q, want %q", v, code[len(code)-len(want)-2:], want)
		}
	}
	m := &emit.Module{Memory: emit.Memory{From: "a", Name: "b", Min: 300, Shared: true}}
	if code := string(m.Bytes()); !strings.Contains(code, "\x02\x03\xac\x02\x80\x80\x04") {
		t.Errorf("a shared memory of 300 pages is %q", code)
	}
}

func TestMistakes(t *testing.T) {
	m := &emit.Module{}
	f, g := m.Func("f", emit.I32), m.Func("g", emit.F32)
	for name, mistake := range map[string]func(){
		"local of another function":        func() { f.Set(g.Param(0), emit.Float(1)) },
		"operand 1 is f32, i32 is needed":  func() { emit.Add(emit.Int(1), emit.Float(1)) },
		"value 0 is v128, i32 is needed":   func() { f.Set(f.Param(0), emit.Ints32(1)) },
		"operand 0 is i32, v128 is needed": func() { emit.AddF(emit.Int(1), emit.Floats(1)) },
	} {
		func() {
			defer func() {
				if e, _ := recover().(string); !strings.Contains(e, name) {
					t.Errorf("got %q, want %q", e, name)
				}
			}()
			mistake()
		}()
	}
}
