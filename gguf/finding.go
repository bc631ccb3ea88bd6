package gguf

import "strconv"

// Severity is how bad a finding is.
type Severity uint8

// SeverityNote: worth knowing. SeverityWarning: programs disagree about the file, or it will not do everything.
// SeverityError: the file is damaged.
const (
	SeverityNote Severity = iota
	SeverityWarning
	SeverityError
)

func (s Severity) String() string {
	switch s {
	case SeverityNote:
		return "note"
	case SeverityWarning:
		return "warning"
	}
	return "error"
}

// Finding is one thing that is remarkable about a file. The rule's id is stable; subject is the key, the tensor or the
// shard as the file has it (raw: escape it before it reaches a terminal).
type Finding struct {
	Rule     string
	Severity Severity
	Subject  string
	Message  string
}

// perRule is how many findings of one rule are listed; of the rest only the number is told.
const perRule = 20

// findings collects what is found, in order.
type findings struct {
	list  []Finding
	count map[string]int // by rule
}

func (f *findings) add(rule string, s Severity, subject, message string) {
	if f.count == nil {
		f.count = make(map[string]int)
	}
	if f.count[rule]++; f.count[rule] <= perRule {
		f.list = append(f.list, Finding{rule, s, subject, message})
	}
}

// all is the list, with one more finding for each rule that had more than are listed.
func (f *findings) all() []Finding {
	out := f.list
	listed := make(map[string]int)
	for _, x := range f.list {
		listed[x.Rule]++
		if more := f.count[x.Rule] - perRule; more > 0 && listed[x.Rule] == perRule {
			out = append(out, Finding{x.Rule, x.Severity, "", "and " + strconv.Itoa(more) + " more of this kind"})
		}
	}
	return out
}
