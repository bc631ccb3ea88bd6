package arch

import (
	"math"
	"slices"
	"strconv"
)

// Flags is a truth value a layer under key, or else a number, def if absent.
func (b *Base) Flags(key string, def int) (flags []bool, n int) {
	switch v := b.get(key).(type) {
	case nil:
		return nil, def
	case []bool:
		flags = v
	case []int64:
		for _, x := range v {
			flags = append(flags, x != 0)
		}
	default:
		return nil, b.Int(key, def, 0, maxLayers)
	}
	if len(flags) < b.N {
		b.Problem(key, "is an array of "+strconv.Itoa(len(flags))+", must be of "+strconv.Itoa(b.N)+", one a layer")
		return nil, def
	}
	return flags, 0
}

// Has tells whether the file has a tensor.
func (b *Base) Has(name string) bool {
	_, ok := b.src.Dims(name)
	return ok
}

// Leave says that layer i's tensors of these names are known and not used: the reference loads them and leaves them.
func (b *Base) Leave(i int, names ...string) {
	for _, name := range names {
		b.Spare = append(b.Spare, LayerPrefix(i)+name)
	}
}

// HasIn tells whether the file has a tensor in layer i.
func (b *Base) HasIn(i int, name string) bool { return b.Has(LayerPrefix(i) + name) }

// Dim is dim i of a tensor, the row length being dim 0; 0 if there is no such tensor.
func (b *Base) Dim(name string, i int) int {
	dims, ok := b.src.Dims(name)
	if !ok || i >= len(dims) || dims[i] < 0 || dims[i] > math.MaxInt32 {
		return 0
	}
	return int(dims[i])
}

// get is the value of the architecture's own key, nil if absent; it counts as read.
func (b *Base) get(key string) any {
	b.read[key] = true
	v, err := b.src.Get(b.Name + "." + key)
	if err != nil && b.failure == nil {
		b.failure = err
	}
	return v
}

// Int is the integer under key, def if absent. A def of 0 makes the key required unless least is below 1.
func (b *Base) Int(key string, def, least, most int) int {
	v := b.get(key)
	if v == nil {
		if def < least {
			b.Problem(key, "missing")
		}
		return def
	}
	n, ok := integer(v)
	if !ok || n < int64(least) || n > int64(most) {
		b.Problem(key, show(v)+" is no whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
		return def
	}
	return int(n)
}

// Ints is a count for each block: one integer for all, or an array of as many; def if absent.
func (b *Base) Ints(key string, def []int) []int {
	n := b.blocks
	v := b.get(key)
	if v == nil {
		return def
	}
	var list []int64
	switch v := v.(type) {
	case []int64:
		list = v
	case []any:
		for _, e := range v {
			if i, ok := integer(e); ok {
				list = append(list, i)
			}
		}
	default:
		if i, ok := integer(v); ok {
			list = slices.Repeat([]int64{i}, n)
		}
	}
	if len(list) != n {
		b.Problem(key, "is neither a whole number nor an array of "+strconv.Itoa(n)+", one a layer")
		return def
	}
	counts := make([]int, n)
	for i, c := range list {
		if c < 0 || c > maxWidth {
			b.Problem(key, strconv.FormatInt(c, 10)+" in layer "+strconv.Itoa(i)+" is not from 0 to "+strconv.Itoa(maxWidth))
			return def
		}
		counts[i] = int(c)
	}
	return counts
}

// Float is the number under key, def if absent; a def of NaN makes the key required. It is finite.
func (b *Base) Float(key string, def float64) float64 {
	v := b.get(key)
	if v == nil {
		if math.IsNaN(def) {
			b.Problem(key, "missing")
		}
		return def
	}
	f, ok := number(v)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		b.Problem(key, show(v)+" is no finite number")
		return def
	}
	return f
}

// Bool is the truth value under key, def if absent.
func (b *Base) Bool(key string, def bool) bool {
	switch v := b.get(key).(type) {
	case nil:
	case bool:
		return v
	default:
		b.Problem(key, show(v)+" is no truth value")
	}
	return def
}

// Floats is a number for each layer under key: one for all, or an array; 0 if absent.
func (b *Base) Floats(key string) []float32 {
	list := make([]float32, b.N)
	v := b.get(key)
	many, _ := v.([]float64)
	one, single := number(v)
	for i := range list {
		switch {
		case i < len(many):
			list[i] = float32(many[i])
		case single:
			list[i] = float32(one)
		case v != nil:
			b.Problem(key, "is neither a number nor an array of one a layer")
			return list
		}
	}
	return list
}

// String is the string under key, def if absent.
func (b *Base) String(key, def string) string {
	switch v := b.get(key).(type) {
	case nil:
	case string:
		return v
	default:
		b.Problem(key, show(v)+" is no string")
	}
	return def
}

// Unsupported refuses the file for what its key says.
func (b *Base) Unsupported(key, reason string) {
	if b.unsupported == nil {
		b.unsupported = &UnsupportedError{Field: b.Name + "." + key, Reason: reason}
	}
}

// Problem notes what is wrong with a key.
func (b *Base) Problem(key, text string) { b.problems = append(b.problems, b.Name+"."+key+": "+text) }

func (b *Base) failed() bool { return b.err() != nil }

func (b *Base) err() error {
	switch {
	case b.failure != nil:
		return b.failure
	case b.problems != nil:
		return &FormatError{Problems: b.problems}
	case b.unsupported != nil:
		return b.unsupported
	}
	return nil
}

func integer(v any) (int64, bool) {
	n, ok := v.(int64)
	return n, ok
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// show is a scalar for an error message.
func show(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return quote(v)
	}
	return "an array"
}

// quote is a string from a file, short and with everything that is not printable escaped.
func quote(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}
