package main

import (
	"strings"
	"testing"
)

// What is pasted arrives as one line however the terminal cuts it up, and nothing in it is a key.
func TestPaster(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"keys", "a\x1b[Ab\x1b[2~\r", "a\x1b[Ab\x1b[2~\r"},
		{"lines", "\x1b[200~one\rtwo\r\n\tthree\nfour\x1b[201~\r", "one␊two␊␉three␊four\r"},
		{"keys inside", "\x1b[200~\x03\x1b[A\x04é\x7f\x1b[201~x", "[Aéx"},
		{"twice", "\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~", "ab"},
	} {
		for cut := range c.in {
			if head := c.in[:cut]; strings.HasSuffix(head, "\x1b") || strings.HasSuffix(head, "\x1b[") {
				continue // no terminal cuts there, and what comes so far may be a key
			}
			var p paster
			got := string(p.feed([]byte(c.in[:cut])))
			if got += string(p.feed([]byte(c.in[cut:]))); got != c.want {
				t.Errorf("%s cut at %d: %q, want %q", c.name, cut, got, c.want)
			}
		}
	}
}
