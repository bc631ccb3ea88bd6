package chat

import (
	"slices"
	"strconv"
	"strings"
)

// The grammar is jinja2's, with its peculiarities: filters bind closer than all operators but the
// sign, ~ closer than + and -, and ** groups to the left.

// tuple parses an expression, or several with commas between. cond: whether a condition (a if b) may
// stand there; until: words that end a tuple after a comma.
func (p *parser) tuple(cond bool, until []string) expr {
	one := p.or
	if cond {
		one = p.expression
	}
	return p.tupleOf(one, until)
}

func (p *parser) tupleOf(one func() expr, until []string) expr {
	at := p.tok.at
	var items []expr
	isTuple := false
	for {
		if len(items) > 0 && p.endsTuple(until) {
			break
		}
		items = append(items, one())
		if !p.skip(op, ",") {
			break
		}
		isTuple = true
	}
	if !isTuple {
		return items[0]
	}
	return &tupleExpr{at, items}
}

func (p *parser) endsTuple(until []string) bool {
	switch p.tok.kind {
	case outputEnd, statementEnd:
		return true
	case op:
		return p.tok.text == ")" || p.tok.text == "="
	case name:
		return slices.Contains(until, p.tok.text)
	}
	return false
}

func (p *parser) expression() expr {
	p.enter()
	defer func() { p.depth-- }()
	x := p.or()
	n := 0
	for p.isWord("if") {
		p.link(&n)
		at := p.next().at
		soft := p.soft
		p.soft = true
		c := &condExpr{place: at, test: p.or(), yes: x}
		if p.skip(name, "else") {
			c.no = p.expression()
		}
		p.soft = soft
		x = c
	}
	return x
}

func (p *parser) or() expr {
	x := p.and()
	for n := 0; p.isWord("or"); {
		p.link(&n)
		at := p.next().at
		x = &logicExpr{at, true, x, p.and()}
	}
	return x
}

func (p *parser) and() expr {
	x := p.not()
	for n := 0; p.isWord("and"); {
		p.link(&n)
		at := p.next().at
		x = &logicExpr{at, false, x, p.not()}
	}
	return x
}

func (p *parser) not() expr {
	if !p.isWord("not") {
		return p.compare()
	}
	p.enter()
	defer func() { p.depth-- }()
	at := p.next().at
	return &unaryExpr{at, "not", p.not()}
}

func (p *parser) compare() expr {
	x := p.sum()
	var c *compareExpr
	for n := 0; ; p.link(&n) {
		at, o := p.tok.at, ""
		switch {
		case p.tok.kind == op && slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, p.tok.text):
			o = p.tok.text
		case p.isWord("in"):
			o = "in"
		case p.isWord("not") && p.peek().is(name, "in"):
			p.next()
			o = "not in"
		default:
			if c == nil {
				return x
			}
			return c
		}
		p.next()
		if c == nil {
			c = &compareExpr{place: at, x: x}
		}
		c.ops = append(c.ops, o)
		c.ys = append(c.ys, p.sum())
	}
}

// chain parses a chain of operators that group to the left.
func (p *parser) chain(part func() expr, ops ...string) expr {
	x := part()
	for n := 0; p.tok.kind == op && slices.Contains(ops, p.tok.text); {
		p.link(&n)
		t := p.next()
		x = &binaryExpr{t.at, t.text, x, part()}
	}
	return x
}

func (p *parser) sum() expr { return p.chain(p.concat, "+", "-") }

func (p *parser) concat() expr {
	x := p.product()
	if !p.isOp("~") {
		return x
	}
	c := &concatExpr{p.tok.at, []expr{x}}
	for p.skip(op, "~") {
		c.items = append(c.items, p.product())
	}
	return c
}

func (p *parser) product() expr { return p.chain(p.power, "*", "/", "//", "%") }

func (p *parser) power() expr { return p.chain(func() expr { return p.unary(true) }, "**") }

func (p *parser) unary(filters bool) expr {
	p.enter()
	defer func() { p.depth-- }()
	var x expr
	if p.isOp("-") || p.isOp("+") {
		t := p.next()
		x = &unaryExpr{t.at, t.text, p.unary(false)}
	} else {
		x = p.primary()
	}
	x = p.postfix(x)
	if filters {
		x = p.filterExpr(x)
	}
	return x
}

func (p *parser) primary() expr {
	t := p.tok
	switch t.kind {
	case name:
		p.next()
		switch t.text {
		case "true", "True":
			return &constExpr{t.at, true}
		case "false", "False":
			return &constExpr{t.at, false}
		case "none", "None":
			return &constExpr{t.at, nil}
		}
		p.speaksOf(t.text)
		return nameExpr{t.at, t.text}
	case str:
		p.next()
		if p.tok.kind != str {
			return &constExpr{t.at, t.text}
		}
		var b strings.Builder
		b.WriteString(t.text)
		for p.tok.kind == str {
			b.WriteString(p.next().text)
		}
		return &constExpr{t.at, b.String()}
	case integer:
		p.next()
		return &constExpr{t.at, parseInt(t.text, 0)}
	case float:
		p.next()
		f, _ := strconv.ParseFloat(t.text, 64) // out of range: an infinity, as in Python
		return &constExpr{t.at, f}
	case op:
		switch t.text {
		case "(":
			p.next()
			if p.skip(op, ")") {
				return &tupleExpr{t.at, nil}
			}
			x := p.tuple(true, nil)
			p.expectOp(")")
			return x
		case "[":
			p.next()
			return &listExpr{t.at, p.items("]")}
		case "{":
			return p.dict()
		}
	}
	p.fail("unexpected %s: a value is expected", t)
	return nil
}

// speaksOf notes what a macro's body asks of its caller.
func (p *parser) speaksOf(word string) {
	if p.macro == nil {
		return
	}
	switch word {
	case "caller":
		p.macro.caller = true
	case "varargs":
		p.macro.varargs = true
	case "kwargs":
		p.macro.kwargs = true
	}
}

// items parses expressions up to the closing bracket.
func (p *parser) items(closing string) []expr {
	var items []expr
	for !p.isOp(closing) {
		if len(items) > 0 {
			p.expectOp(",")
			if p.isOp(closing) {
				break
			}
		}
		items = append(items, p.expression())
	}
	p.next()
	return items
}

func (p *parser) dict() expr {
	d := &dictExpr{place: p.next().at}
	for !p.isOp("}") {
		if len(d.keys) > 0 {
			p.expectOp(",")
			if p.isOp("}") {
				break
			}
		}
		d.keys = append(d.keys, p.expression())
		p.expectOp(":")
		d.values = append(d.values, p.expression())
	}
	p.next()
	return d
}

func (p *parser) postfix(x expr) expr {
	for n := 0; ; p.link(&n) {
		switch {
		case p.isOp("."), p.isOp("["):
			x = p.subscript(x)
		case p.isOp("("):
			x = p.call(x)
		default:
			return x
		}
	}
}

func (p *parser) filterExpr(x expr) expr {
	for n := 0; ; p.link(&n) {
		switch {
		case p.isOp("|"):
			x = p.filter(x)
		case p.isWord("is"):
			x = p.test(x)
		case p.isOp("("):
			x = p.call(x)
		default:
			return x
		}
	}
}

func (p *parser) subscript(x expr) expr {
	t := p.next()
	if t.text == "." {
		switch a := p.next(); a.kind {
		case name:
			return &attrExpr{a.at, x, a.text}
		case integer:
			return &indexExpr{a.at, x, &constExpr{a.at, parseInt(a.text, 0)}}
		default:
			p.failAt(a.at, "a name or number is expected after '.', not %s", a)
		}
	}
	if p.isOp("]") {
		p.fail("an index is expected, not %s", p.tok)
	}
	var items []expr
	var slice *sliceExpr
	for !p.isOp("]") {
		if len(items) > 0 {
			p.expectOp(",")
		}
		if slice != nil {
			p.failAt(t.at, "slices in several dimensions are not known here")
		}
		var i expr
		if i, slice = p.index(t.at); slice != nil && len(items) > 0 {
			p.failAt(t.at, "slices in several dimensions are not known here")
		}
		items = append(items, i)
	}
	p.next()
	switch {
	case slice != nil:
		slice.x = x
		return slice
	case len(items) == 1:
		return &indexExpr{t.at, x, items[0]}
	}
	return &indexExpr{t.at, x, &tupleExpr{t.at, items}}
}

// index parses an index or a slice.
func (p *parser) index(at place) (expr, *sliceExpr) {
	var start expr
	if !p.isOp(":") {
		if start = p.expression(); !p.isOp(":") {
			return start, nil
		}
	}
	s := &sliceExpr{place: at, start: start}
	part := func() expr {
		if p.isOp("]") || p.isOp(",") || p.isOp(":") {
			return nil
		}
		return p.expression()
	}
	p.next()
	s.stop = part()
	if p.skip(op, ":") {
		s.step = part()
	}
	return nil, s
}

func (p *parser) call(x expr) expr {
	at := p.tok.at
	return &callExpr{at, x, p.callArgs()}
}

// callArgs parses arguments with their brackets.
func (p *parser) callArgs() argExprs {
	p.expectOp("(")
	var a argExprs
	for n := 0; !p.isOp(")"); n++ {
		if n > 0 {
			p.expectOp(",")
			if p.isOp(")") {
				break
			}
		}
		switch {
		case p.isOp("**") && a.stars == nil:
			p.next()
			a.stars = p.expression()
		case p.isOp("*") && a.star == nil && a.stars == nil:
			p.next()
			a.star = p.expression()
		case a.stars != nil:
			p.fail("an argument follows **arguments")
		case p.tok.kind == name && p.peek().is(op, "="):
			a.names = append(a.names, p.next().text)
			p.next()
			a.args = append(a.args, p.expression())
		case len(a.names) > 0 || a.star != nil:
			p.fail("an argument without a name follows one with a name")
		default:
			a.args = append(a.args, p.expression())
		}
	}
	p.next()
	return a
}

// dotted parses a filter's or test's name, which may have dots.
func (p *parser) dotted() (string, place) {
	t := p.expectName()
	var s strings.Builder
	s.WriteString(t.text)
	for p.skip(op, ".") {
		s.WriteString("." + p.expectName().text)
	}
	return s.String(), t.at
}

// filters parses the filters of a block; bare: the first has no bar before it.
func (p *parser) filters(x expr, bare bool) expr {
	if bare {
		x = p.namedFilter(x)
	}
	for n := 0; p.isOp("|"); p.link(&n) {
		x = p.filter(x)
	}
	return x
}

func (p *parser) filter(x expr) expr {
	p.expectOp("|")
	return p.namedFilter(x)
}

func (p *parser) namedFilter(x expr) expr {
	s, at := p.dotted()
	if _, ok := filters[s]; !ok && !p.soft {
		p.failAt(at, "there is no filter named '%s'", clip(s))
	}
	f := &filterExpr{place: at, name: s, x: x}
	if p.isOp("(") {
		f.argExprs = p.callArgs()
	}
	return f
}

func (p *parser) test(x expr) expr {
	at := p.next().at
	not := p.skip(name, "not")
	s, sat := p.dotted()
	if _, ok := tests[s]; !ok && !p.soft {
		p.failAt(sat, "there is no test named '%s'", clip(s))
	}
	t := &testExpr{place: sat, name: s, x: x}
	switch {
	case p.isOp("("):
		t.argExprs = p.callArgs()
	case p.isWord("is"):
		p.fail("tests cannot be chained with 'is'")
	case p.isWord("else"), p.isWord("or"), p.isWord("and"):
	case p.tok.kind == name, p.tok.kind == str, p.tok.kind == integer, p.tok.kind == float, p.isOp("["), p.isOp("{"):
		t.args = []expr{p.postfix(p.primary())}
	}
	if not {
		return &unaryExpr{at, "not", t}
	}
	return t
}
