package main

import (
	"math"
	"strconv"
)

// real is a number of a result in JSON, floats a list of them with the places of float32.
type (
	real   float64
	floats []float32
)

func (x real) MarshalJSON() ([]byte, error)   { return appendReal(nil, float64(x), 64), nil }
func (x floats) MarshalJSON() ([]byte, error) { return appendFloats(nil, x), nil }

// appendReal writes the shortest decimal that gives x back; what JSON has no number for, as a string.
func appendReal(b []byte, x float64, bits int) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, bits)
}

// appendFloats writes a row as a list.
func appendFloats(b []byte, row []float32) []byte {
	b = append(b, '[')
	for i, v := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendReal(b, float64(v), 32)
	}
	return append(b, ']')
}
