package tokenizer

import "fmt"

// prefix of every key that is read here, but for general.*.
const prefix = "tokenizer.ggml."

// get reads a key as T; ok is false where it is absent.
func get[T any](m Metadata, key string) (value T, ok bool, err error) {
	v, err := m.Get(key)
	if err != nil {
		return value, false, &Error{key, err}
	}
	if v == nil {
		return value, false, nil
	}
	value, ok = v.(T)
	if !ok {
		return value, false, &Error{key, fmt.Errorf("want %T, have %T", value, v)}
	}
	return value, true, nil
}

// getFlag reads a bool, presumed where the key is absent.
func getFlag(m Metadata, key string, presumed bool) (bool, error) {
	value, ok, err := get[bool](m, key)
	if !ok {
		value = presumed
	}
	return value, err
}

// getID reads a token id of any integer width; ok is false where the key is
// absent.
func getID(m Metadata, key string) (id int64, ok bool, err error) {
	v, err := m.Get(key)
	if err != nil {
		return 0, false, &Error{key, err}
	}
	switch v := v.(type) {
	case nil:
		return 0, false, nil
	case int64:
		return v, true, nil
	case uint64:
		return -1, true, nil // above every vocabulary
	}
	return 0, false, &Error{key, fmt.Errorf("want an integer, have %T", v)}
}

// getInts reads an array of integers of any width; nil where it is absent.
func getInts(m Metadata, key string) ([]int64, error) {
	return getNumbers[int64, uint64](m, key, "integers")
}

// getFloats reads an array of floats, or of integers as floats; nil where it is
// absent.
func getFloats(m Metadata, key string) ([]float64, error) {
	return getNumbers[float64, int64](m, key, "floats")
}

// getNumbers reads an array of T, or of Other as T.
func getNumbers[T, Other int64 | uint64 | float64](m Metadata, key, what string) ([]T, error) {
	v, err := m.Get(key)
	if err != nil {
		return nil, &Error{key, err}
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []T:
		return v, nil
	case []Other:
		numbers := make([]T, len(v))
		for i, x := range v {
			numbers[i] = T(x)
		}
		return numbers, nil
	}
	return nil, &Error{key, fmt.Errorf("want an array of %s, have %T", what, v)}
}
