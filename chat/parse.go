package chat

import (
	"fmt"
	"slices"
)

const (
	maxNesting = 200 // brackets in brackets, blocks in blocks
	maxChain   = 500 // links of one chain, as a.b.c or a + b + c: each is a level for the evaluator
)

type parser struct {
	lex   *lexer
	tok   token // the current one
	ahead []token
	depth int
	loops int        // for statements around
	soft  bool       // inside of an if: unknown filters and tests are no error until they are used
	macro *macroNode // the innermost around
}

func newParser(src string) *parser { return &parser{lex: newLexer(src)} }

// template parses all of it.
func (p *parser) template() []node {
	p.next()
	body := p.statements()
	if p.tok.kind != end {
		p.fail("unexpected %s", p.tok)
	}
	return body
}

func (p *parser) next() token {
	t := p.tok
	if len(p.ahead) > 0 {
		p.tok, p.ahead = p.ahead[0], p.ahead[1:]
	} else {
		p.tok = p.lex.next()
	}
	return t
}

// peek is the token behind the current one.
func (p *parser) peek() token {
	if len(p.ahead) == 0 {
		p.ahead = append(p.ahead, p.lex.next())
	}
	return p.ahead[0]
}

// fail places the message at the current token.
func (p *parser) fail(format string, args ...any) { p.failAt(p.tok.at, format, args...) }

func (p *parser) failAt(at place, format string, args ...any) {
	panic(failure{fmt.Sprintf(format, args...), at})
}

func (t token) is(k kind, text string) bool { return t.kind == k && t.text == text }

func (p *parser) isOp(s string) bool   { return p.tok.is(op, s) }
func (p *parser) isWord(s string) bool { return p.tok.is(name, s) }

// skip passes the current token if it is this one.
func (p *parser) skip(k kind, text string) bool {
	if p.tok.is(k, text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expectOp(s string) token {
	if !p.isOp(s) {
		p.fail("'%s' is expected, not %s", s, p.tok)
	}
	return p.next()
}

func (p *parser) expectName() token {
	if p.tok.kind != name {
		p.fail("a name is expected, not %s", p.tok)
	}
	return p.next()
}

func (p *parser) statementEnd() {
	if p.tok.kind != statementEnd {
		p.fail("'%%}' is expected, not %s", p.tok)
	}
	p.next()
}

// enter counts a level of nesting; leave it with p.depth--.
func (p *parser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail("the template is nested too deeply")
	}
}

// link counts a link of a chain.
func (p *parser) link(n *int) {
	if *n++; *n > maxChain {
		p.fail("the expression has too many parts")
	}
}

// statements parses up to a statement with one of these names, which stays the current token, or to
// the end of the template.
func (p *parser) statements(until ...string) []node {
	p.enter()
	defer func() { p.depth-- }()
	var body []node
	for {
		switch p.tok.kind {
		case text:
			body = append(body, textNode(p.next().text))
		case output:
			p.next()
			v := p.tuple(true, nil)
			if p.tok.kind != outputEnd {
				p.fail("'}}' is expected, not %s", p.tok)
			}
			p.next()
			body = append(body, outputNode{v})
		case statement:
			at := p.next().at
			if p.tok.kind == name && slices.Contains(until, p.tok.text) {
				return body
			}
			body = append(body, p.statement(at))
		default:
			if len(until) > 0 {
				p.fail("unexpected end of template: {%% %s %%} is missing", until[len(until)-1])
			}
			return body
		}
	}
}

// until parses a body and passes the name of the statement that ends it, which is returned.
func (p *parser) until(names ...string) ([]node, string) {
	body := p.statements(names...)
	return body, p.next().text
}

// inner parses a body with a scope of its own, up to the statement {% last %}.
func (p *parser) inner(last string) []node {
	soft := p.soft
	p.soft = false
	body, _ := p.until(last)
	p.soft = soft
	p.statementEnd()
	return body
}

// statement parses a statement; the current token is its name. at is where it begins.
func (p *parser) statement(at place) node {
	if p.tok.kind != name {
		p.fail("a statement's name is expected, not %s", p.tok)
	}
	word := p.next()
	switch word.text {
	case "if":
		return p.ifStatement()
	case "for":
		return p.forStatement(at)
	case "set":
		return p.setStatement()
	case "with":
		return p.withStatement()
	case "macro":
		return p.macroStatement(at)
	case "call":
		return p.callStatement(at)
	case "filter":
		f := p.filters(captured{at}, true)
		p.statementEnd()
		return filterNode{f, p.inner("endfilter")}
	case "generation":
		p.statementEnd()
		return scopeNode{p.inner("endgeneration"), false}
	case "block":
		return p.blockStatement()
	case "print":
		c := &concatExpr{at, []expr{p.expression()}}
		for p.skip(op, ",") {
			c.items = append(c.items, p.expression())
		}
		p.statementEnd()
		return outputNode{c}
	case "break", "continue":
		if p.loops == 0 {
			p.failAt(word.at, "{%% %s %%} outside of a loop", word.text)
		}
		p.statementEnd()
		if word.text == "break" {
			return breakNode{}
		}
		return continueNode{}
	case "include", "import", "from", "extends":
		for p.tok.kind != statementEnd && p.tok.kind != end {
			p.next()
		}
		p.statementEnd()
		return refusedNode{at, word.text}
	case "else", "elif", "endif", "endfor", "endmacro", "endset", "endcall", "endfilter", "endwith", "endgeneration", "endblock":
		p.failAt(word.at, "{%% %s %%} has nothing to end", word.text)
	}
	p.failAt(word.at, "unknown statement '%s'", clip(word.text))
	return nil
}

func (p *parser) ifStatement() node {
	soft := p.soft
	p.soft = true
	defer func() { p.soft = soft }()
	var n ifNode
	for {
		n.tests = append(n.tests, p.tuple(false, nil))
		p.statementEnd()
		body, word := p.until("elif", "else", "endif")
		n.bodies = append(n.bodies, body)
		if word == "elif" {
			continue
		}
		if word == "else" {
			p.statementEnd()
			n.last, _ = p.until("endif")
		}
		p.statementEnd()
		return n
	}
}

func (p *parser) forStatement(at place) node {
	n := forNode{place: at, target: p.target("in")}
	if !p.skip(name, "in") {
		p.fail("'in' is expected, not %s", p.tok)
	}
	n.iter = p.tuple(false, []string{"recursive"})
	soft := p.soft
	p.soft = false
	defer func() { p.soft = soft }()
	if p.skip(name, "if") {
		n.test = p.expression()
	}
	n.recursive = p.skip(name, "recursive")
	p.statementEnd()
	p.loops++
	body, word := p.until("endfor", "else")
	p.loops--
	n.body = body
	if word == "else" {
		p.statementEnd()
		n.last, _ = p.until("endfor")
	}
	p.statementEnd()
	return n
}

func (p *parser) setStatement() node {
	t := p.nsTarget()
	if p.skip(op, "=") {
		n := setNode{t, p.tuple(true, nil)}
		p.statementEnd()
		return n
	}
	n := setBlockNode{target: t}
	if p.isOp("|") {
		n.filter = p.filters(captured{t.pos()}, false)
	}
	p.statementEnd()
	n.body = p.inner("endset")
	return n
}

func (p *parser) withStatement() node {
	var n withNode
	for p.tok.kind != statementEnd {
		if len(n.targets) > 0 {
			p.expectOp(",")
		}
		n.targets = append(n.targets, p.target())
		p.expectOp("=")
		n.values = append(n.values, p.expression())
	}
	p.statementEnd()
	n.body = p.inner("endwith")
	return n
}

func (p *parser) blockStatement() node {
	p.expectName()
	scoped := false
	for p.tok.kind == name && (p.tok.text == "scoped" || p.tok.text == "required") {
		scoped = scoped || p.tok.text == "scoped"
		p.next()
	}
	p.statementEnd()
	loops, macro := p.loops, p.macro
	p.loops, p.macro = 0, nil
	soft := p.soft
	p.soft = false
	body, _ := p.until("endblock")
	p.loops, p.macro, p.soft = loops, macro, soft
	if p.tok.kind == name {
		p.next()
	}
	p.statementEnd()
	return scopeNode{body, !scoped}
}

func (p *parser) macroStatement(at place) node {
	t := p.targetName()
	m := &macroNode{place: at, name: t.name, params: p.params()}
	p.statementEnd()
	p.macroBody(m, "endmacro")
	return m
}

func (p *parser) callStatement(at place) node {
	m := &macroNode{place: at}
	if p.isOp("(") {
		m.params = p.params()
	}
	c, ok := p.unary(true).(*callExpr)
	if !ok {
		p.failAt(at, "a call is expected in {%% call %%}")
	}
	p.statementEnd()
	p.macroBody(m, "endcall")
	return callNode{m, c}
}

func (p *parser) macroBody(m *macroNode, last string) {
	around, loops := p.macro, p.loops
	p.macro, p.loops = m, 0
	m.body = p.inner(last)
	p.macro, p.loops = around, loops
}

// params parses a macro's parameters with their brackets.
func (p *parser) params() []param {
	p.expectOp("(")
	var list []param
	for !p.isOp(")") {
		if len(list) > 0 {
			p.expectOp(",")
		}
		a := param{name: p.targetName().name}
		if p.skip(op, "=") {
			a.value = p.expression()
		} else if len(list) > 0 && list[len(list)-1].value != nil {
			p.fail("a parameter without a default follows one with a default")
		}
		list = append(list, a)
	}
	p.next()
	return list
}

// targetName parses a name that can be set.
func (p *parser) targetName() nameExpr {
	t := p.expectName()
	switch t.text {
	case "true", "false", "none", "True", "False", "None":
		p.failAt(t.at, "cannot assign to '%s'", t.text)
	}
	return nameExpr{t.at, t.text}
}

// nsTarget parses what {% set %} sets: a target, or an attribute of a namespace.
func (p *parser) nsTarget() expr {
	if p.tok.kind == name && p.peek().is(op, ".") {
		ns := p.next()
		p.next()
		return nsExpr{ns.at, ns.text, p.expectName().text}
	}
	return p.target()
}

// target parses a name, or names for the parts of a value.
func (p *parser) target(until ...string) expr {
	t := p.tupleOf(func() expr { return p.targetPart() }, until)
	return t
}

func (p *parser) targetPart() expr {
	if p.isOp("(") {
		p.enter()
		defer func() { p.depth-- }()
		p.next()
		t := p.tupleOf(p.targetPart, nil)
		p.expectOp(")")
		return t
	}
	if p.tok.kind == name && p.peek().is(op, ".") {
		return p.nsTarget()
	}
	return p.targetName()
}
