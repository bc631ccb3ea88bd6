package httprange

import "testing"

func TestContentRange(t *testing.T) {
	for s, want := range map[string]contentRange{
		"bytes 0-99/1234": {0, 99, 1234},
		" Bytes  5-5/6 ":  {5, 5, 6},
		"bytes 0-99/*":    {0, 99, -1},
		"bytes */0":       {-1, -1, 0},
		"bytes */12":      {-1, -1, 12},
		"bytes 1-9223372036854775806/9223372036854775807": {1, 1<<63 - 2, 1<<63 - 1},
	} {
		if got, ok := parseContentRange(s); !ok || got != want {
			t.Errorf("%q: got %v, %v", s, got, ok)
		}
	}
	for _, s := range []string{
		"", "bytes", "bytes 0-99", "bytes */*", "bytes 0-/9", "bytes -5/9", "bytes 5-4/9", "bytes 0-9/9", "items 0-1/9",
		"bytes +1-2/9", "bytes 0x1-2/9", "bytes *-2/9", "bytes 0-*/9", "bytes 0-9/9223372036854775808", "bytes 0-1/9, 3-4/9",
	} {
		if got, ok := parseContentRange(s); ok {
			t.Errorf("%q: accepted as %v", s, got)
		}
	}
}
