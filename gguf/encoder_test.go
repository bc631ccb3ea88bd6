package gguf

import (
	"bytes"
	"encoding/binary"
	"math"

	"straw/quant"
)

// encoder writes GGUF files for the tests, good ones and bad ones: every number can be told apart from what is written.
type encoder struct {
	version   uint32
	order     binary.AppendByteOrder
	alignment uint64
	nKV       uint64 // added to the true count
	nTensors  uint64
	pairs     [][]byte
	infos     [][]byte
	data      []byte
}

func encode(version uint32) *encoder {
	return &encoder{version: version, order: binary.LittleEndian, alignment: 32}
}

func (e *encoder) bigEndian() *encoder {
	e.order = binary.BigEndian
	return e
}

// length is a count or length in the version's width.
func (e *encoder) length(b []byte, n uint64) []byte {
	if e.version == 1 {
		return e.order.AppendUint32(b, uint32(n))
	}
	return e.order.AppendUint64(b, n)
}

func (e *encoder) text(b []byte, s string) []byte {
	return append(e.length(b, uint64(len(s))), s...)
}

// value writes a value without its type; []any is an array whose element type is that of its first element, u8 if empty.
func (e *encoder) value(b []byte, v any) []byte {
	switch v := v.(type) {
	case uint8:
		return append(b, v)
	case int8:
		return append(b, byte(v))
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case uint16:
		return e.order.AppendUint16(b, v)
	case int16:
		return e.order.AppendUint16(b, uint16(v))
	case uint32:
		return e.order.AppendUint32(b, v)
	case int32:
		return e.order.AppendUint32(b, uint32(v))
	case float32:
		return e.order.AppendUint32(b, math.Float32bits(v))
	case uint64:
		return e.order.AppendUint64(b, v)
	case int64:
		return e.order.AppendUint64(b, uint64(v))
	case float64:
		return e.order.AppendUint64(b, math.Float64bits(v))
	case string:
		return e.text(b, v)
	case []string:
		b = e.order.AppendUint32(b, uint32(String))
		b = e.length(b, uint64(len(v)))
		for _, s := range v {
			b = e.text(b, s)
		}
		return b
	case []any:
		elem := Uint8
		if len(v) > 0 {
			elem = typeOf(v[0])
		}
		b = e.order.AppendUint32(b, uint32(elem))
		b = e.length(b, uint64(len(v)))
		for _, x := range v {
			b = e.value(b, x)
		}
		return b
	}
	panic("no GGUF type for it")
}

func typeOf(v any) ValueType {
	switch v.(type) {
	case uint8:
		return Uint8
	case int8:
		return Int8
	case bool:
		return Bool
	case uint16:
		return Uint16
	case int16:
		return Int16
	case uint32:
		return Uint32
	case int32:
		return Int32
	case float32:
		return Float32
	case uint64:
		return Uint64
	case int64:
		return Int64
	case float64:
		return Float64
	case string:
		return String
	}
	return Array
}

func (e *encoder) kv(key string, v any) *encoder {
	b := e.text(nil, key)
	b = e.order.AppendUint32(b, uint32(typeOf(v)))
	e.pairs = append(e.pairs, e.value(b, v))
	return e
}

// raw adds the bytes of a pair as they are.
func (e *encoder) raw(pair ...byte) *encoder {
	e.pairs = append(e.pairs, pair)
	return e
}

func (e *encoder) info(name string, dims []uint64, t quant.Type, offset uint64) *encoder {
	b := e.text(nil, name)
	b = e.order.AppendUint32(b, uint32(len(dims)))
	for _, d := range dims {
		b = e.length(b, d)
	}
	b = e.order.AppendUint32(b, uint32(t))
	e.infos = append(e.infos, e.order.AppendUint64(b, offset))
	return e
}

// tensor adds a tensor with data behind those that are there, padded before it.
func (e *encoder) tensor(name string, dims []uint64, t quant.Type, data []byte) *encoder {
	for uint64(len(e.data))%e.alignment != 0 {
		e.data = append(e.data, 0)
	}
	e.info(name, dims, t, uint64(len(e.data)))
	e.data = append(e.data, data...)
	return e
}

func (e *encoder) bytes() []byte {
	b := []byte("GGUF")
	b = e.order.AppendUint32(b, e.version)
	b = e.length(b, uint64(len(e.infos))+e.nTensors)
	b = e.length(b, uint64(len(e.pairs))+e.nKV)
	b = append(b, bytes.Join(e.pairs, nil)...)
	b = append(b, bytes.Join(e.infos, nil)...)
	if len(e.infos) > 0 {
		for uint64(len(b))%e.alignment != 0 {
			b = append(b, 0)
		}
	}
	return append(b, e.data...)
}

func openBytes(b []byte) (*File, error) { return Open(bytes.NewReader(b), int64(len(b))) }

// filled is n bytes that tell their place.
func filled(n, seed int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + seed)
	}
	return b
}
