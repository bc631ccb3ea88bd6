package term

import (
	"io"
	"time"
)

// Progress is one line that is drawn over and over, on a terminal only; elsewhere it is silent.
// The zero value is silent too. It is for one goroutine.
type Progress struct {
	w     io.Writer
	drawn bool
	last  time.Time
	begin time.Time
}

// A first line is not worth drawing for what takes less, and nobody reads faster than the second.
const (
	progressDelay    = 300 * time.Millisecond
	progressInterval = 100 * time.Millisecond
)

// NewProgress draws on w if that is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{begin: time.Now()}
	if IsTerminal(w) {
		p.w = w
	}
	return p
}

// Set shows text, cut to the width, unless the last change was only just now.
func (p *Progress) Set(text string) {
	if p.w == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.begin) < progressDelay || now.Sub(p.last) < progressInterval {
		return
	}
	p.last, p.drawn = now, true
	io.WriteString(p.w, "\r\x1b[K"+Cut(Safe(text), Width(p.w)-1))
}

// Clear takes the line away. Call it before anything else is written.
func (p *Progress) Clear() {
	if p.drawn {
		io.WriteString(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
