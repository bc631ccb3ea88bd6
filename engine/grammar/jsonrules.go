package grammar

// json is the rule of a part of JSON, by name.
func (c *converter) json(name string) *expr {
	e, _ := c.rule(name, func() (*expr, error) { return c.jsonRule(name), nil }) // only schemas are too large
	return e
}

func (c *converter) jsonRule(name string) *expr {
	space := func() *expr { return c.json("space") }
	list := func(open rune, item *expr, end rune) *expr {
		more := many(seq(char(','), space(), item))
		return seq(char(open), space(), optional(seq(item, more)), space(), char(end))
	}
	switch name {
	case "space":
		return alt(nothing(), char(' '), seq(repeat(char('\n'), 1, 2), repeat(oneOf(' ', '\t'), 0, 20)))
	case "null":
		return literal("null")
	case "boolean":
		return alt(literal("true"), literal("false"))
	case "integer":
		return seq(optional(char('-')), wholeNumber())
	case "number":
		return seq(optional(char('-')), wholeNumber(), fraction(), optional(seq(oneOf('e', 'E'), optional(oneOf('+', '-')), wholeNumber())))
	case "char":
		hex := chars(runeSet{{'0', '9'}, {'A', 'F'}, {'a', 'f'}})
		code := alt(seq(chars(runeSet{{'0', '9'}, {'A', 'C'}, {'E', 'F'}, {'a', 'c'}, {'e', 'f'}}), repeat(hex, 3, 3)),
			seq(oneOf('d', 'D'), between('0', '7'), repeat(hex, 2, 2))) // no surrogates
		return alt(chars(plain), seq(char('\\'), alt(oneOf([]rune(shortNames)...), seq(char('u'), code))))
	case "string":
		return seq(char('"'), many(c.json("char")), char('"'))
	case "array":
		return list('[', c.json("value"), ']')
	case "object":
		return list('{', c.member(c.json("string"), c.json("value")), '}')
	}
	return alt(c.json("object"), c.json("array"), c.json("string"), c.json("number"), c.json("boolean"), c.json("null"))
}

// plain are the characters that stand for themselves in a JSON string.
var plain = runeSet{{0, 0x1f}, {'"', '"'}, {'\\', '\\'}, {0x7f, 0x7f}}.not()

func (c *converter) member(name, value *expr) *expr {
	return seq(name, c.json("space"), char(':'), c.json("space"), value)
}

// As in llama.cpp, numbers have at most 16 digits before the point and after it.
func wholeNumber() *expr { return alt(char('0'), seq(between('1', '9'), digits(0, 15))) }
func fraction() *expr    { return optional(seq(char('.'), digits(1, 16))) }

// array is the grammar of arrays.
func (c *converter) array(s *shape) (*expr, error) {
	if len(s.prefix) == 0 && s.items == nil && s.minItems <= 0 && s.maxItems < 0 {
		return c.json("array"), nil
	}
	least, most := s.minItems, s.maxItems
	var rest *expr // an item after the prefix; nil: there are none
	if s.items != nil {
		some, err := c.shapes(*s.items)
		if err != nil {
			return nil, err
		}
		if len(some) > 0 {
			if rest, err = c.all(*s.items); err != nil {
				return nil, err
			}
		}
	} else if len(s.prefix) == 0 {
		rest = c.json("value")
	}
	if least < 0 {
		least = len(s.prefix)
		if most >= 0 {
			least = min(least, most)
		}
	}
	if rest == nil {
		most = lesser(most, len(s.prefix))
	}
	if most >= 0 && most < least {
		return alt(), nil
	}
	prefix := s.prefix
	if most >= 0 && most < len(prefix) {
		prefix = prefix[:most]
	}
	// From the last item to the first: what may follow once i of them are there.
	space, comma := c.json("space"), seq(char(','), c.json("space"))
	tail := nothing()
	if n := len(prefix); rest != nil && (most < 0 || most > n) {
		m := max(least-n, 0)
		limit := most
		if limit >= 0 {
			limit -= n
		}
		tail = repeat(seq(comma, rest), m, limit)
		if n == 0 {
			if limit > 0 {
				limit--
			}
			if tail = seq(rest, repeat(seq(comma, rest), max(m-1, 0), limit)); m == 0 {
				tail = optional(tail)
			}
		}
	}
	for i := len(prefix) - 1; i >= 0; i-- {
		item, err := c.all(prefix[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			item = seq(comma, item)
		}
		if tail = seq(item, tail); i >= least {
			tail = optional(tail)
		}
	}
	return seq(char('['), space, tail, space, char(']')), nil
}
