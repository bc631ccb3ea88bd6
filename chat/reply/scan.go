package reply

// scanner reads an output once, byte by byte, and waits in more where it needs bytes that are not yet
// there. So each format is read by plain code that knows nothing of pieces.
//
//	before base    told of
//	base to safe   plain text, told of at the next chance
//	safe to pos    blanks that may belong to a mark, or a mark or a call that may turn out to be none
type scanner struct {
	family *Family
	tools  map[string]types
	marks  []mark
	first  [256]bool // bytes that begin a mark

	buf             []byte // what came from off on; positions count from the start of the output
	off             int
	base, safe, pos int
	far             int         // end of what was looked at
	limit           int         // peek sees the end of the output here, if not 0
	ended           bool        // no more pieces come
	more            func() bool // waits for a piece; false: none comes any more

	kind     Kind   // of plain text: Content or Reasoning
	framed   int    // end of the last mark
	open     bool   // a call has begun and not ended
	delta    []byte // its arguments that were not told of yet
	nCalls   int
	counted  int64 // bytes of content and reasoning told of
	swallows int64 // bytes of marks, of blanks around them and of calls
	looks    int64 // at bytes: what the time is proportional to

	events []Event
	collected
}

// window is how far before the place where a call failed marks are looked for again: more than the
// longest mark. All before it is content: looking through it again could take quadratic time.
const window = 64

func (s *scanner) init(f *Family, o Options) {
	s.family = f
	s.tools = make(map[string]types, len(o.Tools))
	for _, t := range o.Tools {
		s.tools[t.Name] = readSchema(t.Parameters)
	}
	if o.Thinking {
		s.kind = Reasoning
	}
	s.marks = f.marks()
	for _, m := range s.marks {
		s.first[m.text[0]] = true
	}
}

func (s *scanner) feed(piece string) {
	if n := s.base - s.off; n > len(s.buf)/2 {
		s.buf = s.buf[:copy(s.buf, s.buf[n:])]
		s.off += n
	}
	s.buf = append(s.buf, piece...)
}

// slice returns the text between two positions, neither before base.
func (s *scanner) slice(from, to int) string { return string(s.buf[from-s.off : to-s.off]) }

// peekAt returns the byte that many ahead, or -1 past the end of the output.
func (s *scanner) peekAt(ahead int) int {
	s.looks++
	i := s.pos + ahead
	if s.limit > 0 && i >= s.limit {
		return -1
	}
	for i-s.off >= len(s.buf) {
		s.tell()
		if s.ended || !s.more() {
			s.ended = true
			return -1
		}
	}
	s.far = max(s.far, i+1)
	return int(s.buf[i-s.off])
}

func (s *scanner) peek() int { return s.peekAt(0) }

// at reports whether the output goes on with text.
func (s *scanner) at(text string) bool {
	for i := range len(text) {
		if s.peekAt(i) != int(text[i]) {
			return false
		}
	}
	return true
}

// take steps over text, if the output goes on with it.
func (s *scanner) take(text string) bool {
	if text == "" || !s.at(text) {
		return false
	}
	s.pos += len(text)
	return true
}

// takeLoose steps over text and the blanks before it, or over nothing.
func (s *scanner) takeLoose(text string) bool {
	back := s.pos
	s.space()
	if s.take(text) {
		return true
	}
	s.pos = back
	return false
}

func blank(c int) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (s *scanner) space() {
	for blank(s.peek()) {
		s.pos++
	}
}

// until returns what comes before text, at most n bytes, and steps over text too.
func (s *scanner) until(text string, n int) (string, bool) {
	from := s.pos
	for {
		c := s.peek()
		if c < 0 || s.pos-from > n {
			return "", false
		}
		if c == int(text[0]) && s.at(text) {
			found := s.slice(from, s.pos)
			s.pos += len(text)
			return found, true
		}
		s.pos++
	}
}

// character steps over one character and returns its bytes, valid until the next peek.
func (s *scanner) character() []byte {
	from, n := s.pos, 0
	switch c := s.peek(); {
	case c >= 0xF0:
		n = 3
	case c >= 0xE0:
		n = 2
	case c >= 0xC0:
		n = 1
	}
	for s.pos++; n > 0 && s.peek() >= 0x80 && s.peek() < 0xC0; n-- {
		s.pos++
	}
	return s.buf[from-s.off : s.pos-s.off]
}

// tell turns plain text and arguments into events.
func (s *scanner) tell() {
	if s.safe > s.base {
		s.emit(Event{Kind: s.kind, Text: s.slice(s.base, s.safe)})
		s.counted += int64(s.safe - s.base)
		s.base = s.safe
	}
	if s.open && len(s.delta) > 0 {
		s.emit(Event{Kind: Arguments, Call: s.nCalls, Text: string(s.delta)})
		s.delta = s.delta[:0]
	}
}

func (s *scanner) emit(e Event) {
	s.add(e)
	if s.more != nil {
		s.events = append(s.events, e)
	}
}

// frame says that all from safe to here was a mark or a call: no text.
func (s *scanner) frame() {
	s.tell()
	s.swallows += int64(s.pos - s.base)
	s.base, s.safe, s.framed = s.pos, s.pos, s.pos
}

// frameBlanks is frame for a mark whose following blanks belong to it.
func (s *scanner) frameBlanks() {
	s.frame()
	s.space()
	s.frame()
}

// begin, finish and drop are the course of a call; the arguments between are appended to delta.
func (s *scanner) begin(name, id string) {
	s.tell()
	s.open, s.delta = true, s.delta[:0]
	s.emit(Event{Kind: Begin, Call: s.nCalls, Name: name, ID: id})
}

func (s *scanner) finish(id string) {
	s.tell()
	s.open = false
	s.emit(Event{Kind: End, Call: s.nCalls, ID: id})
	s.nCalls++
	s.frame()
	s.bound()
}

func (s *scanner) drop() {
	if s.open {
		s.open = false
		s.emit(Event{Kind: Drop, Call: s.nCalls})
	}
}

// bound lets the next call begin here, and be as long as one may be.
func (s *scanner) bound() { s.limit = s.pos + maxCall }

// run reads an output.
func (s *scanner) run() {
	if h := s.family.header; h != nil {
		for _, text := range h.initial {
			if s.kind == Content && (text == "" || s.at(text)) && s.header(h) {
				break
			}
		}
	}
	if s.kind == Reasoning {
		s.space()
		s.frame()
	}
	s.bare()
	for {
		c := s.peek()
		if c < 0 {
			break
		}
		if s.first[c] && s.mark() {
			continue
		}
		s.character()
		if !blank(c) {
			s.safe = s.pos
		}
	}
	if s.framed > 0 && s.safe == s.framed {
		s.frame() // blanks after the last mark
	}
	s.safe = s.pos
	s.tell()
}

// mark steps over the mark that the output goes on with, and over what it opens. Where there is none, or
// it is only text here, it does nothing and returns false.
func (s *scanner) mark() bool {
	for _, m := range s.marks {
		if !s.at(m.text) {
			continue
		}
		switch m.is {
		case opensThought:
			if s.kind == Reasoning && s.framed != s.safe {
				return false
			}
			s.pos += len(m.text)
			s.frame()
			s.kind = Reasoning
			s.frameBlanks()
			return true
		case closesThought:
			if s.kind != Reasoning {
				return false
			}
			s.pos += len(m.text)
			s.frameBlanks()
			s.kind = Content
			s.bare()
			return true
		case skipped:
			s.pos += len(m.text)
			s.frameBlanks()
			return true
		case opensHeader:
			s.pos += len(m.text)
			s.header(s.family.header)
			return true
		case opensCalls:
			if s.kind == Reasoning && !s.family.callsEndThought {
				return false
			}
			return s.calls(m.text, m.forms)
		}
	}
	return false
}
