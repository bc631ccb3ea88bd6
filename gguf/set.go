package gguf

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// opened is one shard with what its name and its split.* keys say.
type opened struct {
	part      Part
	f         *File
	err       error
	base      string // of the name
	named     bool   // the name has llama.cpp's form
	nameNo    int
	nameCount int
	no        int64 // split.no, split.count, split.tensors.count; -1 if the key is missing or no integer
	count     int64
	nTensors  int64
}

func openPart(p Part) opened {
	o := opened{part: p, no: -1, count: -1, nTensors: -1}
	o.f, o.err = open(p.R, p.Size, p.Name)
	o.base, o.nameNo, o.nameCount, o.named = ParseShardName(p.Name)
	for key, dst := range map[string]*int64{"split.no": &o.no, "split.count": &o.count, "split.tensors.count": &o.nTensors} {
		if v, ok := o.f.Value(key); ok {
			if n, ok := v.Int(); ok && n >= 0 {
				*dst = n
			}
		}
	}
	return o
}

// set collects the shards of one model and what is wrong with them.
type set struct {
	shards []opened
	first  error
	findings
}

// report notes a fault of the set; the first one becomes the error.
func (s *set) report(rule, subject string, err error) {
	if s.first == nil {
		s.first = err
	}
	s.add(rule, SeverityError, subject, err.Error())
}

// openSet opens the parts and, if they are shards of a set, the rest of it.
func openSet(parts []Part, rest func(base string, count int, have map[int]bool) ([]Part, error)) (*File, error) {
	first := openPart(parts[0])
	if len(parts) == 1 {
		if first.named && first.nameCount > 1 && first.count <= 1 && first.err == nil {
			first.f.Findings = append(first.f.Findings, Finding{"shard-unmarked", SeverityWarning, "split.count", fmt.Sprintf(
				"by its name it is shard %d of %d, but it has no split.count: it is opened alone", first.nameNo+1, first.nameCount)})
		}
		if first.err != nil || first.count <= 1 {
			return first.f, first.err
		}
		if !first.named || first.no >= first.count {
			first.f.Findings = append(first.f.Findings, lonely(first))
			return first.f, nil
		}
	}
	s := set{shards: []opened{first}}
	for _, p := range parts[1:] {
		s.shards = append(s.shards, openPart(p))
	}
	have := make(map[int]bool)
	for _, o := range s.shards {
		if o.named {
			have[o.nameNo] = true
		}
	}
	if first.named && (first.count < 0 || first.count == int64(first.nameCount)) {
		more, err := rest(first.base, first.nameCount, have)
		if err != nil {
			s.report("shard-unreadable", "", err)
		}
		for _, p := range more {
			s.shards = append(s.shards, openPart(p))
		}
	}
	s.checkShards()
	s.checkMissing()
	f := s.merge()
	return f, s.first
}

// lonely is the finding of a shard whose set cannot be found by its name.
func lonely(o opened) Finding {
	if o.no >= o.count {
		return Finding{"split-number", SeverityWarning, "split.no", fmt.Sprintf("split.no %d of %d shards: the numbers go from 0; the file is opened alone", o.no, o.count)}
	}
	return Finding{"shards-missing", SeverityWarning, "split.count", fmt.Sprintf(
		"this is one of %d shards, and only it is seen: the others are found only if all have names like %s in one folder", o.count, ShardName("model", 0, int(min(o.count, 99999))))}
}

// checkShards compares the shards with each other and with their names, drops what is no part of the set, and brings
// the others into order.
func (s *set) checkShards() {
	refAt := 0
	for i, o := range s.shards { // the set is that of its first shard, if that is there
		if o.err == nil && o.no == 0 && o.count > 1 {
			refAt = i
			break
		}
	}
	ref := s.shards[refAt]
	var kept []opened
	byNo := make(map[int64]string)
	for i, o := range s.shards {
		if why := foreign(o, ref); why != "" {
			s.report("shard-foreign", o.part.Name, &Error{Offset: -1, Field: "shard " + quote(o.part.Name), Err: problemf(ErrFormat, "%s", why)})
			if i != refAt {
				continue
			}
		}
		if o.err != nil {
			s.report("shard-damaged", o.part.Name, inShard(o.part.Name, o.err))
			if o.no < 0 && o.named {
				o.no = int64(o.nameNo)
			}
		}
		if twin, twice := byNo[o.no]; twice {
			s.report("shard-foreign", o.part.Name, &Error{Offset: -1, Field: "shard " + quote(o.part.Name), Err: problemf(ErrFormat,
				"it is shard %d of the set, as %s is", o.no+1, quote(twin))})
			continue
		}
		byNo[o.no] = o.part.Name
		kept = append(kept, o)
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].no < kept[j].no })
	s.shards = kept
}

// foreign says why o is no shard of ref's set, "" if it is one.
func foreign(o, ref opened) string {
	if o.err != nil && o.count < 0 {
		return "" // too damaged to tell
	}
	switch {
	case o.count <= 1:
		return "it is no shard: it has no split.count above 1; open it alone"
	case o.count != ref.count:
		return fmt.Sprintf("split.count is %d, that of %s is %d: it belongs to another set", o.count, quote(ref.part.Name), ref.count)
	case o.no < 0 || o.no >= o.count:
		return fmt.Sprintf("split.no is missing or not below split.count, %d", o.count)
	case o.named && (int64(o.nameNo) != o.no || int64(o.nameCount) != o.count):
		return fmt.Sprintf("by its name it is shard %d of %d, by its keys %d of %d: was it renamed?", o.nameNo+1, o.nameCount, o.no+1, o.count)
	case o.named && ref.named && o.base != ref.base:
		return fmt.Sprintf("its name is not that of %s: it belongs to another set", quote(ref.part.Name))
	case o.nTensors >= 0 && ref.nTensors >= 0 && o.nTensors != ref.nTensors:
		return fmt.Sprintf("split.tensors.count is %d, that of %s is %d: it belongs to another set", o.nTensors, quote(ref.part.Name), ref.nTensors)
	}
	for _, key := range []string{"general.uuid", "general.architecture", "general.name"} {
		a, errA := o.f.Get(key)
		b, errB := ref.f.Get(key)
		if x, ok := a.(string); ok && errA == nil && errB == nil {
			if y, ok := b.(string); ok && x != y {
				return fmt.Sprintf("%s is %s, that of %s is %s: it belongs to another set", key, quote(x), quote(ref.part.Name), quote(y))
			}
		}
	}
	return ""
}

// checkMissing names the shards that are not there, all at once.
func (s *set) checkMissing() {
	if len(s.shards) == 0 {
		return
	}
	ref := s.shards[0]
	count := max(ref.count, int64(ref.nameCount))
	if missing := count - int64(len(s.shards)); missing > 0 {
		const most = 5
		var names []string
		i := 0
		for no := int64(0); no < count && len(names) < most; no++ {
			if i < len(s.shards) && s.shards[i].no == no {
				i++
				continue
			}
			name := fmt.Sprintf("shard %d", no+1)
			if ref.named {
				name = quote(ShardName(ref.base, int(no), int(count)))
			}
			names = append(names, name)
		}
		text := strings.Join(names, ", ")
		if more := missing - int64(len(names)); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		s.report("shards-missing", "split.count", &Error{Offset: -1, Field: "shards", Err: problemf(ErrMissingShard,
			"%d of %d are missing: %s; put all of them into one folder", missing, count, text)})
		return
	}
	have := 0
	for _, o := range s.shards {
		have += len(o.f.Tensors)
	}
	if want := ref.nTensors; want >= 0 && want != int64(have) {
		s.report("split-tensors-count", "split.tensors.count", &Error{Offset: -1, Field: "split.tensors.count", Value: fmt.Sprint(want), Err: problemf(ErrFormat,
			"the shards have %d tensors together: one of them is not of this set or damaged", have)})
	}
}

// merge makes one File of the shards: the metadata of the first, the tensors of all.
func (s *set) merge() *File {
	if len(s.shards) == 0 {
		return &File{DataOffset: -1, Findings: s.all()}
	}
	head := s.shards[0].f
	f := &File{Version: head.Version, BigEndian: head.BigEndian, Alignment: head.Alignment, DataOffset: head.DataOffset,
		Metadata: head.Metadata, keys: head.keys, names: make(map[string]int)}
	for i, o := range s.shards {
		f.Size += o.f.Size
		f.Shards = append(f.Shards, o.f.Shards...)
		for _, t := range o.f.Tensors {
			t.Shard = i
			if first, twice := f.names[t.Name]; !twice {
				f.names[t.Name] = len(f.Tensors)
			} else if other := f.Tensors[first].Shard; other != i {
				s.report("tensor-duplicate", t.Name, &Error{t.at, tensorField(t.Name, ""), "", problemf(ErrFormat,
					"it is in %s and in %s", quote(s.shards[other].part.Name), quote(o.part.Name))})
			}
			f.Tensors = append(f.Tensors, t)
		}
		for _, x := range o.f.Findings {
			if x.Severity == SeverityError {
				continue // reported with the name of the shard
			}
			s.add(x.Rule, x.Severity, x.Subject, x.Message)
		}
	}
	f.Findings = s.all()
	return f
}

// inShard puts the shard's name before an error of its file.
func inShard(name string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{e.Offset, "shard " + quote(name) + ": " + e.Field, e.Value, e.Err}
	}
	return err
}
