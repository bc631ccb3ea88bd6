package grammar

import (
	"slices"
	"strings"
)

// shape is a schema without references and alternatives: what several say about the same value, joined.
type shape struct {
	from  schema
	types types
	typed bool // a type is said

	enum    []string // the values as compact JSON, with enums the types of each
	enums   []types
	hasEnum bool

	properties []property
	required   []string
	others     *[]schema // additionalProperties; nil: nothing is said
	fewest     int       // properties
	most       int       // < 0: no limit

	prefix   [][]schema
	items    *[]schema
	minItems int // < 0: nothing is said
	maxItems int

	minLength, maxLength int
	pattern, format      string

	low, high *bound
	kinds     types // that other keywords than type are about
}

type property struct {
	name string
	all  []schema
}

// types is a set of JSON's types. A number is an integer or another one.
type types uint8

const (
	isNull types = 1 << iota
	isBoolean
	isInteger
	isFraction
	isString
	isArray
	isObject
	isNumber = isInteger | isFraction
	isAny    = isNull | isBoolean | isNumber | isString | isArray | isObject
)

var typeNames = map[string]types{"null": isNull, "boolean": isBoolean, "integer": isInteger, "number": isNumber, "string": isString, "array": isArray, "object": isObject}

func newShape(from schema) *shape {
	return &shape{from: from, types: isAny, most: -1, minItems: -1, maxItems: -1, maxLength: -1}
}

// ignored are keywords that describe, or that another one handles.
const ignored = " $ref allOf anyOf oneOf $defs definitions $schema $id $comment $anchor title description default examples deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema "

// refused are keywords of JSON Schema that would have to be obeyed.
const refused = " not if then else dependentSchemas dependentRequired dependencies patternProperties propertyNames contains minContains maxContains multipleOf $dynamicRef $recursiveRef "

// keywords reads what a schema says itself; nil if no value can match.
func (c *converter) keywords(s schema) (*shape, error) {
	sh := newShape(s)
	var err error
	for _, name := range s.v.names {
		sub := s.at(name)
		if strings.Contains(ignored, " "+name+" ") {
			continue
		}
		if strings.Contains(refused, " "+name+" ") {
			return nil, sub.fault("%s is not supported", name)
		}
		switch name {
		case "type":
			sh.typed = true
			sh.types, err = sub.types()
		case "enum", "const":
			list := []*value{sub.v}
			if name == "enum" {
				if sub.v.kind != 'a' {
					return nil, sub.fault("a list of values is needed")
				}
				list = sub.v.list
			}
			other := newShape(sub)
			other.hasEnum = true
			for _, v := range list {
				other.enum, other.enums = append(other.enum, v.String()), append(other.enums, typeOf(v))
			}
			sh, err = join(sh, other)
			if sh == nil && err == nil {
				return nil, nil
			}
		case "properties":
			sh.kinds |= isObject
			if sub.v.kind != 'o' {
				return nil, sub.fault("an object of schemas is needed")
			}
			for _, name := range sub.v.names {
				sh.properties = append(sh.properties, property{name, []schema{sub.at(name)}})
			}
		case "required":
			sh.kinds |= isObject
			if sub.v.kind != 'a' {
				return nil, sub.fault("a list of names is needed")
			}
			seen := map[string]bool{}
			for _, v := range sub.v.list {
				if v.kind != 's' {
					return nil, sub.fault("a list of names is needed")
				}
				if sh.required = append(sh.required, v.text); seen[v.text] {
					sh.required = sh.required[:len(sh.required)-1]
				}
				seen[v.text] = true
			}
		case "additionalProperties":
			sh.kinds |= isObject
			sh.others = &[]schema{sub}
		case "minProperties":
			sh.kinds |= isObject
			sh.fewest, err = sub.count()
		case "maxProperties":
			sh.kinds |= isObject
			sh.most, err = sub.count()
		case "uniqueItems":
			if sub.v.kind != 'b' || sub.v.yes {
				return nil, sub.fault("no grammar can keep uniqueItems: leave it out, and items may come again")
			}
		case "unevaluatedProperties", "unevaluatedItems":
			if sub.v.kind != 'b' || sub.v.yes {
				return nil, sub.fault("%s is not supported but for false", name)
			}
		case "items", "prefixItems", "additionalItems":
			sh.kinds |= isArray
			switch {
			case name == "additionalItems" && (s.v.members["items"] == nil || s.v.members["items"].kind != 'a'):
			case name != "additionalItems" && sub.v.kind == 'a':
				for i := range sub.v.list {
					sh.prefix = append(sh.prefix, []schema{sub.index(i)})
				}
			case name == "prefixItems":
				return nil, sub.fault("a list of schemas is needed")
			default:
				sh.items = &[]schema{sub}
			}
		case "minItems":
			sh.kinds |= isArray
			sh.minItems, err = sub.count()
		case "maxItems":
			sh.kinds |= isArray
			sh.maxItems, err = sub.count()
		case "minLength":
			sh.kinds |= isString
			sh.minLength, err = sub.count()
		case "maxLength":
			sh.kinds |= isString
			sh.maxLength, err = sub.count()
		case "pattern", "format":
			if sub.v.kind != 's' {
				return nil, sub.fault("a string is needed")
			}
			text := sub.v.text
			_, known := formats[text]
			switch {
			case name == "pattern":
				sh.pattern = text
			case numberFormats[text]: // it says how a number is stored
				continue
			case known || strings.Contains(refusedFormats, " "+text+" "):
				sh.format = text
			}
			sh.kinds |= isString
		case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
			sh.kinds |= isNumber
			err = sh.limit(sub, name, s)
		}
		if err != nil {
			return nil, err
		}
	}
	return sh, nil
}

// refusedFormats are formats of JSON Schema that no pattern is here for; other names describe, and are passed over.
const refusedFormats = " idn-email idn-hostname iri iri-reference uri-reference uri-template json-pointer relative-json-pointer regex "

var numberFormats = map[string]bool{"int32": true, "int64": true, "uint": true, "uint32": true, "uint64": true, "float": true, "double": true}

func (s schema) types() (t types, err error) {
	list := []*value{s.v}
	if s.v.kind == 'a' {
		list = s.v.list
	}
	for _, v := range list {
		one, ok := typeNames[v.text]
		if v.kind != 's' || !ok {
			return 0, s.fault("the type %s is not known: there are null, boolean, integer, number, string, array and object", v)
		}
		t |= one
	}
	return t, nil
}

func typeOf(v *value) types {
	switch v.kind {
	case 'n':
		return isNull
	case 'b':
		return isBoolean
	case '0':
		if d, ok := readDecimal(v.text); ok && d.frac == "" {
			return isInteger
		}
		return isFraction
	case 's':
		return isString
	case 'a':
		return isArray
	}
	return isObject
}

func (s schema) count() (int, error) {
	if s.v.kind == '0' {
		if d, ok := readDecimal(s.v.text); ok && !d.negative && d.frac == "" && len(d.whole) < 8 {
			n := 0
			for i := range len(d.whole) {
				n = 10*n + int(d.whole[i]-'0')
			}
			if n <= maxRepeat {
				return n, nil
			}
			return 0, s.fault("%s is more than the %d that can be counted", s.v.text, maxRepeat)
		}
	}
	return 0, s.fault("a count is needed, not %s", s.v)
}

// join is what two shapes say about the same value; nil if they contradict each other.
func join(a, b *shape) (*shape, error) {
	s := *a
	s.types &= b.types
	s.typed = a.typed || b.typed
	s.kinds |= b.kinds
	if s.types == 0 {
		return nil, nil
	}
	if b.hasEnum {
		s.hasEnum, s.enum, s.enums = true, nil, nil
		for i, v := range b.enum {
			if !a.hasEnum || slices.Contains(a.enum, v) {
				s.enum, s.enums = append(s.enum, v), append(s.enums, b.enums[i])
			}
		}
	}
	s.properties = joinProperties(a.properties, b.properties)
	s.required = slices.Clone(a.required)
	if len(a.required) == 0 {
		s.required = b.required
	} else {
		for _, name := range b.required {
			if !slices.Contains(a.required, name) {
				s.required = append(s.required, name)
			}
		}
	}
	s.others = both(a.others, b.others)
	s.fewest = max(a.fewest, b.fewest)
	s.most = lesser(a.most, b.most)
	if len(b.prefix) > 0 || b.items != nil {
		if len(a.prefix) > 0 && len(b.prefix) != len(a.prefix) {
			return nil, b.from.fault("prefixItems of different lengths cannot be joined")
		}
		s.prefix = slices.Clone(a.prefix)
		for i, p := range b.prefix {
			if i < len(s.prefix) {
				s.prefix[i] = append(slices.Clone(s.prefix[i]), p...)
			} else {
				s.prefix = append(s.prefix, p)
			}
		}
		s.items = both(a.items, b.items)
	}
	s.minItems = max(a.minItems, b.minItems)
	s.maxItems = lesser(a.maxItems, b.maxItems)
	s.minLength = max(a.minLength, b.minLength)
	s.maxLength = lesser(a.maxLength, b.maxLength)
	for _, t := range []struct {
		name        string
		into, other *string
	}{{"pattern", &s.pattern, &b.pattern}, {"format", &s.format, &b.format}} {
		switch {
		case *t.other == "" || *t.into == *t.other:
		case *t.into == "":
			*t.into = *t.other
		default:
			return nil, b.from.fault("two different values of %s cannot be joined", t.name)
		}
	}
	s.low, s.high = narrower(a.low, b.low, true), narrower(a.high, b.high, false)
	return &s, nil
}

func joinProperties(a, b []property) []property {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	all := slices.Clone(a)
	at := map[string]int{}
	for i, p := range all {
		at[p.name] = i
	}
	for _, p := range b {
		if i, ok := at[p.name]; ok {
			all[i].all = append(slices.Clone(all[i].all), p.all...)
		} else {
			all = append(all, p)
		}
	}
	return all
}

func both(a, b *[]schema) *[]schema {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	all := append(slices.Clone(*a), *b...)
	return &all
}

// lesser is the lesser of two limits; below 0 is none.
func lesser(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// shape is the grammar of the values of a shape.
func (c *converter) shape(s *shape) (*expr, error) {
	of := s.types
	if s.hasEnum {
		if s.kinds != 0 && s.properties == nil {
			for _, t := range s.enums {
				if t&s.kinds != 0 {
					return nil, s.from.fault("enum or const beside keywords that limit the same values is not supported")
				}
			}
		}
		var choices []string
		for i, v := range s.enum {
			if s.enums[i]&of != 0 {
				choices = append(choices, v)
			}
		}
		slices.Sort(choices)
		return oneOfTexts(slices.Compact(choices)), nil
	}
	if !s.typed && s.kinds != 0 {
		of = s.kinds // what is about objects alone means an object
	}
	if of == isAny && s.kinds == 0 {
		return c.json("value"), nil
	}
	var choices []*expr
	add := func(e *expr, err error) error {
		choices = append(choices, e)
		return err
	}
	var err error
	for _, t := range []struct {
		is   types
		made func() error
	}{
		{isNull, func() error { return add(c.json("null"), nil) }},
		{isBoolean, func() error { return add(c.json("boolean"), nil) }},
		{isNumber, func() error { return add(c.number(s, of), nil) }},
		{isString, func() error { return add(c.text(s)) }},
		{isArray, func() error { return add(c.array(s)) }},
		{isObject, func() error { return add(c.object(s)) }},
	} {
		if of&t.is != 0 && err == nil {
			err = t.made()
		}
	}
	return alt(choices...), err
}

// text is the grammar of strings.
func (c *converter) text(s *shape) (*expr, error) {
	quoted := func(e *expr) *expr { return seq(char('"'), e, char('"')) }
	pattern := s.pattern
	if s.format != "" {
		known, ok := formats[s.format]
		if !ok {
			return nil, s.from.fault("the format %q is not supported", s.format)
		}
		if pattern != "" {
			return nil, s.from.fault("pattern beside format is not supported")
		}
		pattern = known
	}
	if pattern == "" {
		if s.minLength == 0 && s.maxLength < 0 {
			return c.json("string"), nil
		}
		if s.maxLength >= 0 && s.maxLength < s.minLength {
			return alt(), nil
		}
		return quoted(repeat(c.json("char"), s.minLength, s.maxLength)), nil
	}
	if s.minLength > 0 || s.maxLength >= 0 {
		if s.format == "" || s.minLength > 1 {
			return nil, s.from.fault("minLength and maxLength beside pattern or format are not supported")
		}
	}
	e, err := c.rule("pattern "+pattern, func() (*expr, error) { return c.pattern(pattern) })
	if err != nil {
		return nil, s.from.fault("pattern %q: %v", pattern, err)
	}
	return quoted(e), nil
}
