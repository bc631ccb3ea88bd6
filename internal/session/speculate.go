package session

import "context"

// Speculation says whether tokens are guessed ahead and tried in one pass. It never changes which tokens are chosen.
type Speculation uint8

const (
	SpeculateAuto  Speculation = iota // SpeculateNGram where weights are streamed, and a pass costs the same for one token or ten
	SpeculateOff                      // one token a pass
	SpeculateNGram                    // what followed the last tokens where they were before
)

// maxDraft is how many tokens are guessed at once at most.
const maxDraft = 16

// lookup guesses how a text goes on from the text itself: what followed when its last three or two tokens were there
// before (prompt lookup decoding, Saxena 2023). It guesses more after it was right and fewer after it was wrong.
type lookup struct {
	text  []int
	after map[[3]int]int // by the last tokens, where they were followed the last time; of two, the first is -1
	size  int            // of the next guess
}

func newLookup(text []int) *lookup {
	l := &lookup{after: map[[3]int]int{}, size: maxDraft / 4}
	l.add(text...)
	return l
}

// add makes ids part of the text.
func (l *lookup) add(ids ...int) {
	for _, id := range ids {
		// The tokens before id are followed now; those that end with it are not yet.
		if n := len(l.text); n >= 2 {
			l.after[[3]int{-1, l.text[n-2], l.text[n-1]}] = n
			if n >= 3 {
				l.after[[3]int(l.text[n-3:])] = n
			}
		}
		l.text = append(l.text, id)
	}
}

// guess is at most most tokens that may come next, none where nothing is known.
func (l *lookup) guess(most int) []int {
	n := len(l.text)
	if n < 3 {
		return nil
	}
	at, ok := l.after[[3]int(l.text[n-3:])]
	if !ok {
		at, ok = l.after[[3]int{-1, l.text[n-2], l.text[n-1]}]
	}
	if !ok {
		return nil
	}
	return l.text[at:min(n, at+min(l.size, most))]
}

// learn hears how many of a guess were right.
func (l *lookup) learn(right, of int) {
	if right == of {
		l.size = min(2*l.size, maxDraft)
	} else {
		l.size = max(right+1, l.size/2)
	}
}

// stepper finds the logits after each token of a generation, a pass for each or, with guesses, for several.
type stepper struct {
	m     *Model
	guess *lookup     // nil: none
	rows  [][]float32 // after each of draft
	draft []int       // tokens that are in the cache, but not yet chosen
	tried int         // of the last guess

	drafted, accepted int
}

// stepper is one for a text that begins with ids.
func (m *Model) stepper(how Speculation, ids []int) *stepper {
	s := &stepper{m: m}
	if how == SpeculateNGram || how == SpeculateAuto && m.Stats().RingBytes > 0 {
		s.guess = newLookup(ids)
	}
	return s
}

// used is how many tokens the context holds without those that are only tried.
func (s *stepper) used() int { return len(s.m.cached) - len(s.draft) }

// step is the logits after id, the token that was chosen. At most most more will be.
func (s *stepper) step(ctx context.Context, id, most int) ([]float32, error) {
	if s.guess != nil {
		s.guess.add(id)
	}
	if len(s.draft) > 0 && s.draft[0] == id {
		s.accepted++
		logits := s.rows[0]
		s.draft, s.rows = s.draft[1:], s.rows[1:]
		return logits, nil
	}
	s.settle()
	ids := []int{id}
	if s.guess != nil {
		ids = append(ids, s.guess.guess(min(most-1, s.m.Context-len(s.m.cached)-1, s.m.session.Batch()-1))...)
	}
	rows, err := s.m.eval(ctx, ids, len(ids) > 1)
	if err != nil {
		return nil, err
	}
	s.draft, s.rows, s.tried = ids[1:], rows[1:], len(ids)-1
	s.drafted += s.tried
	return rows[0], nil
}

// settle takes back what was tried and not chosen.
func (s *stepper) settle() {
	if s.tried > 0 {
		s.guess.learn(s.tried-len(s.draft), s.tried)
	}
	s.m.cut(s.used())
	s.draft, s.rows, s.tried = nil, nil, 0
}
