package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"straw/gguf"
)

// ParseValue makes a value of a type's name and a text. The names are those that inspect shows: u8, i8, u16, i16, u32,
// i32, u64, i64, f32, f64, bool, str, and with [] behind them arrays, whose text is a JSON array. A str is the text byte
// for byte, integers may be written as Go writes them (0x20), floats may be NaN and Inf.
func ParseValue(typ, text string) (gguf.Value, error) {
	elem, isArray := strings.CutSuffix(typ, "[]")
	p, ok := parsers[elem]
	if !ok {
		return gguf.Value{}, fmt.Errorf("type %q: one of u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, bool, str, or one of them with [] for an array", typ)
	}
	var v any
	var err error
	if !isArray {
		v, err = p.one(text)
	} else {
		var items []json.RawMessage
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			return gguf.Value{}, fmt.Errorf("%q is no JSON array: %w", text, err)
		}
		v, err = p.list(items)
	}
	if err != nil {
		return gguf.Value{}, err
	}
	value, _ := gguf.ValueOf(v)
	return value, nil
}

// parser makes Go values of one type, for gguf.ValueOf.
type parser struct {
	one  func(text string) (any, error)
	list func(items []json.RawMessage) (any, error)
}

var parsers = map[string]parser{
	"u8":   of(unsigned[uint8]),
	"u16":  of(unsigned[uint16]),
	"u32":  of(unsigned[uint32]),
	"u64":  of(unsigned[uint64]),
	"i8":   of(signed[int8]),
	"i16":  of(signed[int16]),
	"i32":  of(signed[int32]),
	"i64":  of(signed[int64]),
	"f32":  of(float[float32]),
	"f64":  of(float[float64]),
	"bool": of(boolean),
	"str":  of(func(text string) (string, error) { return text, nil }),
}

func of[T any](parse func(text string) (T, error)) parser {
	return parser{
		one: func(text string) (any, error) { return parse(text) },
		list: func(items []json.RawMessage) (any, error) {
			list := make([]T, len(items))
			for i, raw := range items {
				text, err := plain(raw)
				if err == nil {
					list[i], err = parse(text)
				}
				if err != nil {
					return nil, fmt.Errorf("element %d: %w", i, err)
				}
			}
			return list, nil
		},
	}
}

// plain is a JSON number, boolean or string as a text.
func plain(raw json.RawMessage) (string, error) {
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case '[', '{', 'n':
		return "", fmt.Errorf("%s: a number, a string or true or false is needed", raw)
	}
	return string(raw), nil
}

func signed[T int8 | int16 | int32 | int64](text string) (T, error) {
	n, err := strconv.ParseInt(text, 0, 64)
	if err == nil && int64(T(n)) != n {
		err = strconv.ErrRange
	}
	return T(n), wrong[T](text, err)
}

func unsigned[T uint8 | uint16 | uint32 | uint64](text string) (T, error) {
	n, err := strconv.ParseUint(text, 0, 64)
	if err == nil && uint64(T(n)) != n {
		err = strconv.ErrRange
	}
	return T(n), wrong[T](text, err)
}

func float[T float32 | float64](text string) (T, error) {
	bits := 64
	if _, ok := any(T(0)).(float32); ok {
		bits = 32
	}
	x, err := strconv.ParseFloat(text, bits)
	return T(x), wrong[T](text, err)
}

func boolean(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, fmt.Errorf("%q: true or false is needed", text)
	}
	return text == "true", nil
}

// wrong says what is wrong with a number of type T.
func wrong[T any](text string, err error) error {
	var zero T
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%q is no number for this type", text)
	}
	switch any(zero).(type) {
	case float32:
		return fmt.Errorf("%s does not fit: at most %g", text, math.MaxFloat32)
	case float64:
		return fmt.Errorf("%s does not fit: at most %g", text, math.MaxFloat64)
	}
	return fmt.Errorf("%s does not fit into %T", text, zero)
}
