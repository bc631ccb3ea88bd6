package compare

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"straw/gguf"
)

// Key is a metadata key that differs.
type Key struct {
	Name   string
	Change Change
	A, B   gguf.Value // the zero value on the side that has none

	Text     string // of texts of several lines: the difference in unified format
	Elements int    // of arrays of one type: how many elements differ, those that one side has not counted too
	First    int    // and the first of them
}

// Keys of which something else is told.
var apart = map[string]bool{"split.no": true, "split.count": true, "split.tensors.count": true, tokensKey: true}

// keys compares the metadata: A's in their order, then what only B has.
func keys(ctx context.Context, a, b *gguf.File) ([]Key, error) {
	var list []Key
	for _, kv := range a.Metadata {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		other, ok := b.Value(kv.Key)
		switch {
		case apart[kv.Key]:
		case !ok:
			list = append(list, Key{Name: kv.Key, Change: Removed, A: kv.Value})
		default:
			k := Key{Name: kv.Key, A: kv.Value, B: other}
			same, err := k.compare()
			if err != nil {
				return nil, err
			}
			if !same {
				list = append(list, k)
			}
		}
	}
	for _, kv := range b.Metadata {
		if _, ok := a.Value(kv.Key); !ok && !apart[kv.Key] {
			list = append(list, Key{Name: kv.Key, Change: Added, B: kv.Value})
		}
	}
	return list, nil
}

// compare finds what differs in a key that both have.
func (k *Key) compare() (same bool, err error) {
	if k.A.Type() != k.B.Type() || k.A.Elem() != k.B.Elem() {
		return false, nil
	}
	switch k.A.Type() {
	case gguf.Array:
		k.Elements, k.First, err = differing(k.A, k.B)
		return k.Elements == 0, err
	case gguf.String:
		x, err := k.A.Text()
		if err != nil {
			return false, err
		}
		y, err := k.B.Text()
		if x != y && err == nil && strings.Contains(x+y, "\n") {
			k.Text = string(diff.Diff("A", []byte(x), "B", []byte(y)))
		}
		return x == y, err
	case gguf.Float32, gguf.Float64:
		x, _ := k.A.Float()
		y, _ := k.B.Float()
		return math.Float64bits(x) == math.Float64bits(y), nil
	}
	x, _ := k.A.Uint()
	y, _ := k.B.Uint()
	n, _ := k.A.Int()
	m, _ := k.B.Int()
	return x == y && n == m, nil
}

// sliceStep is how many elements are decoded together.
const sliceStep = 4096

// differing counts the elements of two arrays that differ, and finds the first.
func differing(a, b gguf.Value) (n, first int, err error) {
	common := min(a.Len(), b.Len())
	found := func(i int) {
		if n == 0 {
			first = i
		}
		n++
	}
	for at := 0; at < common; at += sliceStep {
		part := min(sliceStep, common-at)
		x, err := a.Slice(at, part)
		if err != nil {
			return 0, 0, err
		}
		y, err := b.Slice(at, part)
		if err != nil {
			return 0, 0, err
		}
		unequal(x, y, func(i int) { found(at + i) })
	}
	for i := common; i < max(a.Len(), b.Len()); i++ {
		found(i)
	}
	return n, first, nil
}

// unequal calls found for each place at which two slices of Value.Slice differ.
func unequal(x, y any, found func(i int)) {
	switch x := x.(type) {
	case []string:
		each(x, y.([]string), found)
	case []bool:
		each(x, y.([]bool), found)
	case []int64:
		if y, ok := y.([]int64); ok {
			each(x, y, found)
			return
		}
		y := y.([]uint64) // of which one is too large for the other type
		for i := range x {
			if x[i] < 0 || uint64(x[i]) != y[i] {
				found(i)
			}
		}
	case []uint64:
		if y, ok := y.([]uint64); ok {
			each(x, y, found)
			return
		}
		unequal(y, x, found)
	case []float64:
		for i, v := range y.([]float64) {
			if math.Float64bits(x[i]) != math.Float64bits(v) {
				found(i)
			}
		}
	case []any: // arrays
		for i, v := range y.([]any) {
			if fmt.Sprint(x[i]) != fmt.Sprint(v) {
				found(i)
			}
		}
	}
}

func each[T comparable](x, y []T, found func(i int)) {
	for i := range x {
		if x[i] != y[i] {
			found(i)
		}
	}
}
