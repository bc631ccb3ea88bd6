package chat

import "maps"

// Dict is a Python dict: keys in the order of their first insertion. A key is anything hashable, and
// 1, 1.0 and True are the same one.
type Dict struct {
	keys, values []Value
	index        map[any]int // position by hashKey
}

// NewDict makes an empty dict.
func NewDict() *Dict { return &Dict{} }

// Len is the number of keys.
func (d *Dict) Len() int { return len(d.keys) }

// Get is the value of a key that is a string.
func (d *Dict) Get(key string) (Value, bool) {
	i, ok := d.index[key]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

// Set sets the value of a key that is a string.
func (d *Dict) Set(key string, v Value) { d.set(key, key, v) }

func (d *Dict) set(hash any, key, v Value) {
	if i, ok := d.index[hash]; ok {
		d.values[i] = v
		return
	}
	if d.index == nil {
		d.index = make(map[any]int)
	}
	d.index[hash] = len(d.keys)
	d.keys = append(d.keys, key)
	d.values = append(d.values, v)
}

// setItem is Set for any key.
func (m *machine) setItem(d *Dict, key, v Value) { d.set(m.hashKey(key), key, v) }

// item is Get for any key.
func (m *machine) item(d *Dict, key Value) (Value, bool) {
	i, ok := d.index[m.hashKey(key)]
	if !ok {
		return nil, false
	}
	return d.values[i], true
}

func (d *Dict) clone() *Dict {
	c := &Dict{keys: append([]Value(nil), d.keys...), values: append([]Value(nil), d.values...), index: make(map[any]int, len(d.index))}
	maps.Copy(c.index, d.index)
	return c
}

type (
	noneKey      struct{}
	undefinedKey struct{}
	tupleKey     string
)

// hashable tells whether v can be a key.
func hashable(v Value) bool {
	switch v := v.(type) {
	case *List, *Dict:
		return false
	case tuple:
		for _, x := range v {
			if !hashable(x) {
				return false
			}
		}
	case group, view, method:
		return false
	}
	return true
}

// hashKey is the same for equal keys, and comparable.
func (m *machine) hashKey(v Value) any {
	switch v := v.(type) {
	case nil:
		return noneKey{}
	case string:
		return v
	case markup:
		return string(v)
	case bool:
		i, _ := asInt(v)
		return i
	case float64:
		if i := int64(v); v >= -1<<53 && v <= 1<<53 && float64(i) == v {
			return i
		}
		return v
	case tuple:
		if k := m.repr(v); hashable(v) { // repr has found that it is not endless
			return tupleKey(k)
		}
		fail("unhashable type: a tuple with something in it that cannot be a key")
	case *undefined:
		return undefinedKey{}
	}
	if !hashable(v) {
		fail("unhashable type: '%s'", typeName(v))
	}
	return v
}
