package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// FromSchema makes the grammar of the JSON texts that match a JSON schema (2020-12, and what earlier drafts call the
// same). Its errors are *Error. As in llama.cpp
//
//   - an object has the properties in the order of the schema, and others only where additionalProperties allows them
//     or the schema says nothing about properties;
//   - oneOf is anyOf; a tuple (prefixItems, or a list as items) has all of its items unless minItems says otherwise;
//   - blanks are at most one, or an indented line.
//
// Keywords that only describe are passed over, so are unknown ones. Keywords that would have to be obeyed and are not
// are errors: not, if, patternProperties, propertyNames, uniqueItems, contains, multipleOf, dependentRequired, ...
func FromSchema(text []byte) (*Grammar, error) {
	root, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	c := &converter{root: root, named: map[string]int{}, busy: map[string]bool{}, known: map[string][]*shape{}}
	c.rules = append(c.rules, nil)
	if err := c.convert(root); err != nil {
		return nil, err
	}
	if !prune(c.rules) {
		return nil, &Error{Message: "no JSON text of finite length matches the schema"}
	}
	return finish(c.rules)
}

const (
	maxRules  = 200_000 // of a schema
	maxChoice = 500     // ways that anyOf, oneOf and allOf multiply to
)

// converter turns schemas into rules. Rules of schemas are named by the places of the schemas, so that references may
// go in circles; rules of JSON itself by words.
type converter struct {
	root  *value
	rules []*expr
	named map[string]int
	busy  map[string]bool     // references being followed
	known map[string][]*shape // of references that were followed
}

// schema is one at a place of the document.
type schema struct {
	v    *value
	path string
}

func (s schema) at(name string) schema {
	return schema{s.v.members[name], s.path + "/" + escapePointer(name)}
}

func escapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func (s schema) fault(format string, args ...any) error {
	return &Error{Path: s.path + "/", Message: fmt.Sprintf(format, args...)}
}

// index is the i-th of a list.
func (s schema) index(i int) schema { return schema{s.v.list[i], fmt.Sprintf("%s/%d", s.path, i)} }

func (c *converter) convert(root *value) error {
	e, err := c.all([]schema{{root, "#"}})
	if err != nil {
		return err
	}
	c.rules[0] = e
	return nil
}

// all is what matches each of the schemas: a reference to their rule.
func (c *converter) all(list []schema) (*expr, error) {
	paths := make([]string, len(list))
	for i, s := range list {
		paths[i] = s.path
	}
	slices.Sort(paths)
	name := strings.Join(slices.Compact(paths), " ")
	return c.rule("schema "+name, func() (*expr, error) {
		shapes, err := c.shapes(list)
		if err != nil {
			return nil, err
		}
		var choices []*expr
		for _, s := range shapes {
			e, err := c.shape(s)
			if err != nil {
				return nil, err
			}
			choices = append(choices, e)
		}
		return alt(choices...), nil
	})
}

// rule is a reference to the rule of a name, made when it is first needed; made is not called again while it runs.
func (c *converter) rule(name string, made func() (*expr, error)) (*expr, error) {
	i, ok := c.named[name]
	if !ok {
		if i = len(c.rules); i > maxRules {
			return nil, &Error{Message: "the schema is too large"}
		}
		c.named[name] = i
		c.rules = append(c.rules, nil)
		e, err := made()
		if err != nil {
			return nil, err
		}
		c.rules[i] = e
	}
	return ref(i), nil
}

// shapes are the schemas joined, as alternatives without allOf, anyOf and references.
func (c *converter) shapes(list []schema) ([]*shape, error) {
	all := []*shape{newShape(schema{path: "#"})}
	for _, s := range list {
		one, err := c.shapesOf(s)
		if err != nil {
			return nil, err
		}
		if all, err = product(s, all, one); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// product is each of a joined with each of b.
func product(s schema, a, b []*shape) ([]*shape, error) {
	var out []*shape
	for _, x := range a {
		for _, y := range b {
			z, err := join(x, y)
			if err != nil {
				return nil, err
			}
			if z == nil {
				continue
			}
			if out = append(out, z); len(out) > maxChoice {
				return nil, s.fault("anyOf, oneOf and allOf multiply to more than %d choices", maxChoice)
			}
		}
	}
	return out, nil
}

func (c *converter) shapesOf(s schema) ([]*shape, error) {
	if s.v.kind == 'b' {
		if s.v.yes {
			return []*shape{newShape(s)}, nil
		}
		return nil, nil
	}
	if s.v.kind != 'o' {
		return nil, s.fault("a schema is an object, true or false")
	}
	own, err := c.keywords(s)
	if err != nil {
		return nil, err
	}
	all := []*shape{own}
	if own == nil {
		all = nil
	}
	for _, name := range s.v.names {
		sub := s.at(name)
		var some []*shape
		switch name {
		case "$ref":
			target, err := c.target(sub)
			if err != nil {
				return nil, err
			}
			if c.busy[target.path] {
				return nil, sub.fault("the reference leads back to itself")
			}
			var ok bool
			if some, ok = c.known[target.path]; !ok {
				c.busy[target.path] = true
				some, err = c.shapesOf(target)
				delete(c.busy, target.path)
				if err != nil {
					return nil, err
				}
				c.known[target.path] = some
			}
		case "anyOf", "oneOf":
			if err := sub.isList(); err != nil {
				return nil, err
			}
			for i := range sub.v.list {
				one, err := c.shapesOf(sub.index(i))
				if err != nil {
					return nil, err
				}
				if some = append(some, one...); len(some) > maxChoice {
					return nil, sub.fault("more than %d choices", maxChoice)
				}
			}
		case "allOf":
			if err := sub.isList(); err != nil {
				return nil, err
			}
			for i := range sub.v.list {
				one, err := c.shapesOf(sub.index(i))
				if err != nil {
					return nil, err
				}
				if all, err = product(sub, all, one); err != nil {
					return nil, err
				}
			}
			continue
		default:
			continue
		}
		if all, err = product(sub, all, some); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s schema) isList() error {
	if s.v.kind != 'a' || len(s.v.list) == 0 {
		return s.fault("a list of schemas is needed")
	}
	return nil
}

// target is the schema that a $ref names.
func (c *converter) target(s schema) (schema, error) {
	if s.v.kind != 's' {
		return s, s.fault("a reference is a string")
	}
	pointer, ok := strings.CutPrefix(s.v.text, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return s, s.fault("the reference %q leads out of the schema or is by name; #/a/b is what can be followed", s.v.text)
	}
	at := schema{c.root, "#"}
	for _, name := range strings.Split(pointer, "/")[1:] {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
		next := -1
		switch at.v.kind {
		case 'o':
			next = slices.Index(at.v.names, name)
		case 'a':
			for i := range at.v.list {
				if fmt.Sprint(i) == name {
					next = i
				}
			}
		}
		if next < 0 {
			return s, s.fault("the reference %q leads nowhere: there is no %q in %s", s.v.text, name, at.path)
		}
		at = schema{at.v.list[next], at.path + "/" + escapePointer(name)}
	}
	return at, nil
}

// prune takes out what can never end, such as an object that needs itself, and tells whether anything is left of the
// root: otherwise a text could be led where no text ends.
func prune(rules []*expr) bool {
	ends := make([]bool, len(rules))
	memo := map[*expr]bool{}
	var can func(e *expr) bool
	can = func(e *expr) bool {
		switch e.kind {
		case exprSet:
			return len(e.set) > 0
		case exprRef:
			return ends[e.rule]
		case exprRepeat:
			return e.min == 0 || can(e.list[0])
		case exprToken:
			return true
		}
		if memo[e] {
			return true
		}
		ok := e.kind == exprSeq && !slices.ContainsFunc(e.list, func(x *expr) bool { return !can(x) }) ||
			e.kind == exprAlt && slices.ContainsFunc(e.list, can)
		if ok {
			memo[e] = true
		}
		return ok
	}
	// Rules need later ones mostly, or earlier ones: either way, going up and down finds most of them at once.
	for again, up := true, false; again; up = !up {
		again = false
		for n := range rules {
			i := n
			if !up {
				i = len(rules) - 1 - n
			}
			if !ends[i] && can(rules[i]) {
				ends[i], again = true, true
			}
		}
	}
	cut := map[*expr]*expr{}
	var trim func(e *expr) *expr
	trim = func(e *expr) *expr {
		if len(e.list) == 0 {
			return e
		}
		if t := cut[e]; t != nil {
			return t
		}
		t := *e
		t.list = nil
		for _, x := range e.list {
			if can(x) {
				t.list = append(t.list, trim(x))
			}
		}
		if e.kind == exprRepeat && t.list == nil {
			t = *nothing()
		}
		cut[e] = &t
		return &t
	}
	for i, e := range rules {
		if ends[i] {
			rules[i] = trim(e)
		} else {
			rules[i] = alt()
		}
	}
	return ends[0]
}
