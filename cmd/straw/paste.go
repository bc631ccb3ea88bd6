package main

import (
	"slices"
	"strings"
)

// A terminal that was sent pasteOn puts what is pasted between pasteBegin and pasteEnd.
const (
	pasteOn, pasteOff    = "\x1b[?2004h", "\x1b[?2004l"
	pasteBegin, pasteEnd = "\x1b[200~", "\x1b[201~"
)

// The line editor knows one line, so ends of lines and tabs that are pasted are shown as their symbols.
const lineMark, tabMark = "␊", "␉"

var (
	marked   = strings.NewReplacer("\n", lineMark, "\t", tabMark)
	unmarked = strings.NewReplacer(lineMark, "\n", tabMark, "\t")
)

// paster turns what a terminal sends into what the line editor is to get: pasted lines become one, and control characters
// in them, which the editor would obey, are left out.
type paster struct {
	inside bool
	after  byte   // the last byte inside
	rest   []byte // the beginning of a mark, perhaps
}

// feed takes the next bytes. What may be the beginning of a mark waits for the next call.
func (p *paster) feed(b []byte) []byte {
	b = append(p.rest, b...)
	p.rest = nil
	var out []byte
	for len(b) > 0 {
		mark, least := pasteBegin, 3 // a lone escape is a key
		if p.inside {
			mark, least = pasteEnd, 1
		}
		if strings.HasPrefix(string(b[:min(len(b), len(mark))]), mark) {
			p.inside, p.after, b = !p.inside, 0, b[len(mark):]
			continue
		}
		if len(b) >= least && len(b) < len(mark) && strings.HasPrefix(mark, string(b)) {
			p.rest = slices.Clone(b)
			break
		}
		c := b[0]
		b = b[1:]
		switch {
		case !p.inside:
			out = append(out, c)
		case c == '\n' && p.after == '\r':
		case c == '\n', c == '\r':
			out = append(out, lineMark...)
		case c == '\t':
			out = append(out, tabMark...)
		case c >= ' ' && c != 0x7f:
			out = append(out, c)
		}
		p.after = c
	}
	return out
}
