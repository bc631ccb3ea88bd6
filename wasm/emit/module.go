package emit

// Memory is the memory that a module imports.
type Memory struct {
	From, Name string
	Min        uint32 // pages of 64 KiB
	Shared     bool   // among threads; its maximum is then 4 GiB
}

// maxPages is 4 GiB. A module that imports a shared memory must state a maximum, and any that is at most this fits.
const maxPages = 65536

// Module is a module: functions, all exported, over one imported memory.
type Module struct {
	Memory Memory
	funcs  []*Func
}

// Func is a new function with parameters of these types and no result unless Return gives one.
func (m *Module) Func(name string, params ...Type) *Func {
	f := &Func{name: name, params: params}
	m.funcs = append(m.funcs, f)
	return f
}

// Names are the names of the functions, in the order of their indices.
func (m *Module) Names() []string {
	names := make([]string, len(m.funcs))
	for i, f := range m.funcs {
		names[i] = f.name
	}
	return names
}

// Sections of a module, in their order (WebAssembly 2.0, 5.5.2).
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	exportSection   = 7
	codeSection     = 10
)

// Bytes is the module in the binary format.
func (m *Module) Bytes() []byte {
	var types, functions, exports, codes [][]byte
	index := map[string]int{} // of types
	for i, f := range m.funcs {
		t := append(types8([]byte{0x60}, f.params), types8(nil, f.result)...)
		at, ok := index[string(t)]
		if !ok {
			at = len(types)
			index[string(t)] = at
			types = append(types, t)
		}
		functions = append(functions, uleb(nil, uint32(at)))
		exports = append(exports, uleb(append(text(nil, f.name), 0), uint32(i)))
		codes = append(codes, f.body())
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = section(out, typeSection, types)
	out = section(out, importSection, [][]byte{m.Memory.bytes()})
	out = section(out, functionSection, functions)
	out = section(out, exportSection, exports)
	return section(out, codeSection, codes)
}

func (y *Memory) bytes() []byte {
	b := append(text(text(nil, y.From), y.Name), 2)
	if y.Shared {
		return uleb(uleb(append(b, 3), y.Min), maxPages)
	}
	return uleb(append(b, 0), y.Min)
}

// body is the function's locals and code, with its length before it.
func (f *Func) body() []byte {
	var runs []byte
	n := uint32(0)
	for i := 0; i < len(f.locals); {
		j := i
		for j < len(f.locals) && f.locals[j] == f.locals[i] {
			j++
		}
		runs = append(uleb(runs, uint32(j-i)), byte(f.locals[i]))
		n++
		i = j
	}
	b := append(append(uleb(nil, n), runs...), f.code...)
	b = append(b, 0x0b)
	return append(uleb(nil, uint32(len(b))), b...)
}

func section(out []byte, id byte, entries [][]byte) []byte {
	b := uleb(nil, uint32(len(entries)))
	for _, e := range entries {
		b = append(b, e...)
	}
	return append(uleb(append(out, id), uint32(len(b))), b...)
}

func types8(b []byte, list []Type) []byte {
	b = uleb(b, uint32(len(list)))
	for _, t := range list {
		b = append(b, byte(t))
	}
	return b
}

func text(b []byte, s string) []byte { return append(uleb(b, uint32(len(s))), s...) }
