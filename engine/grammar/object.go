package grammar

import (
	"slices"
	"strings"
)

// object is the grammar of objects: the properties in their order, those that are not required or not there, then others.
func (c *converter) object(s *shape) (*expr, error) {
	properties := slices.Clone(s.properties)
	named, needed := map[string]bool{}, map[string]bool{}
	for _, p := range properties {
		named[p.name] = true
	}
	for _, name := range s.required {
		if needed[name] = true; !named[name] {
			p := property{name: name, all: []schema{{&value{kind: 'b', yes: true}, "#true"}}}
			if s.others != nil {
				p.all = *s.others
			}
			properties = append(properties, p)
		}
	}
	other, err := c.otherMember(s, properties)
	if err != nil {
		return nil, err
	}
	open := seq(char('{'), c.json("space"))
	end := seq(c.json("space"), char('}'))
	comma := seq(char(','), c.json("space"))
	if len(properties) == 0 {
		if other == nil {
			if s.fewest > 0 {
				return alt(), nil
			}
			return seq(open, char('}')), nil
		}
		if s.others == nil && s.fewest == 0 && s.most < 0 {
			return c.json("object"), nil
		}
		if s.most == 0 || s.most > 0 && s.most < s.fewest {
			if s.most < s.fewest {
				return alt(), nil
			}
			return seq(open, char('}')), nil
		}
		limit := s.most
		if limit > 0 {
			limit--
		}
		members := seq(other, repeat(seq(comma, other), max(s.fewest-1, 0), limit))
		if s.fewest == 0 {
			members = optional(members)
		}
		return seq(open, members, end), nil
	}
	if s.fewest > len(s.required) || s.most >= 0 && (other != nil || s.most < len(properties)) {
		return nil, s.from.fault("minProperties and maxProperties beside properties are not supported")
	}

	// From the last property to the first: what may follow when members are there before (more), and when none is
	// (first), as rules, for each is used twice.
	more, first := nothing(), nothing()
	if other != nil {
		more = many(seq(comma, other))
		first = optional(seq(other, more))
	}
	for _, p := range slices.Backward(properties) {
		shapes, err := c.shapes(p.all)
		if err != nil {
			return nil, err
		}
		required := needed[p.name]
		if len(shapes) == 0 {
			if required {
				return alt(), nil
			}
			continue
		}
		value, err := c.all(p.all)
		if err != nil {
			return nil, err
		}
		member := c.member(literal(quoteJSON(p.name)), value)
		after := c.anonymous(more)
		with, began := seq(comma, member, after), seq(member, after)
		if required {
			more, first = with, began
		} else {
			more, first = alt(with, after), alt(began, c.anonymous(first))
		}
	}
	return seq(open, first, end), nil
}

// anonymous makes a rule of e unless it is nothing or one already.
func (c *converter) anonymous(e *expr) *expr {
	if e.isNothing() || e.kind == exprRef {
		return e
	}
	c.rules = append(c.rules, e)
	return ref(len(c.rules) - 1)
}

// otherMember is a member that additionalProperties allows; nil if it allows none.
func (c *converter) otherMember(s *shape, properties []property) (*expr, error) {
	value := c.json("value")
	if s.others == nil {
		if len(properties) > 0 {
			return nil, nil
		}
		return c.member(c.json("string"), value), nil
	}
	shapes, err := c.shapes(*s.others)
	if err != nil || len(shapes) == 0 {
		return nil, err
	}
	if value, err = c.all(*s.others); err != nil {
		return nil, err
	}
	name := c.json("string")
	if len(properties) > 0 {
		names := make([]string, len(properties))
		for i, p := range properties {
			names[i] = p.name
		}
		slices.Sort(names)
		name = seq(char('"'), c.noneOf(names), char('"'))
	}
	return c.member(name, value), nil
}

// noneOf is the inside of any JSON string but the names, which are sorted. As long as a text is the beginning of a name
// no \u stands in it: it could be a name in disguise.
func (c *converter) noneOf(names []string) *expr {
	ended := false
	var next []rune // the characters that go on in a name
	var choices []*expr
	for len(names) > 0 {
		if names[0] == "" {
			ended = true
			names = names[1:]
			continue
		}
		r := []rune(names[0])[0]
		n := 0
		var tails []string
		for n < len(names) && strings.HasPrefix(names[n], string(r)) {
			tails = append(tails, names[n][len(string(r)):])
			n++
		}
		names = names[n:]
		next = append(next, r)
		choices = append(choices, seq(literal(escapeJSON(r)), c.noneOf(tails)))
	}
	leave := plain.and(setOf(next...).not())
	short := setOf([]rune(shortNames)...)
	for _, r := range next {
		if i := strings.IndexRune(shortEscapes, r); i >= 0 {
			short = short.and(setOf(rune(shortNames[i])).not())
		}
	}
	choices = append(choices, seq(alt(chars(leave), seq(char('\\'), chars(short))), many(c.json("char"))))
	if !ended {
		choices = append(choices, nothing())
	}
	return alt(choices...)
}
