package chat

// node is a statement. The evaluator switches on the types below.
type node any

// expr is an expression; pos is where messages about it point to.
type expr interface{ pos() place }

// Every expression has a place.
func (p place) pos() place { return p }

// Statements.
type (
	textNode   string
	outputNode struct{ value expr }
	ifNode     struct {
		tests  []expr // one a branch
		bodies [][]node
		last   []node // else
	}
	forNode struct {
		place
		target     expr // of assignment
		iter, test expr // test may be nil
		body, last []node
		recursive  bool
	}
	setNode struct {
		target, value expr
	}
	setBlockNode struct {
		target expr
		filter expr // of a captured{}; nil: none
		body   []node
	}
	withNode struct {
		targets, values []expr
		body            []node
	}
	macroNode struct {
		place
		name   string // "" for the caller of a call block
		params []param
		body   []node
		// Whether the body speaks of these: only then it may be called with what they hold.
		caller, varargs, kwargs bool
	}
	callNode struct {
		macro *macroNode
		call  *callExpr
	}
	filterNode struct {
		filter expr // of a captured{}
		body   []node
	}
	// scopeNode is {% generation %} and {% block %}: a body with its own variables.
	scopeNode struct {
		body   []node
		global bool // it sees only the template's own variables
	}
	breakNode    struct{}
	continueNode struct{}
	refusedNode  struct { // include, import, from, extends
		place
		what string
	}
)

type param struct {
	name  string
	value expr // default; nil: none
}

// Expressions.
type (
	constExpr struct {
		place
		value Value
	}
	nameExpr struct {
		place
		name string
	}
	// nsExpr is the target ns.attr of a set.
	nsExpr struct {
		place
		name, attr string
	}
	tupleExpr struct {
		place
		items []expr
	}
	listExpr struct {
		place
		items []expr
	}
	dictExpr struct {
		place
		keys, values []expr
	}
	unaryExpr struct {
		place
		op string // - + not
		x  expr
	}
	binaryExpr struct {
		place
		op   string // + - * / // % **
		x, y expr
	}
	logicExpr struct {
		place
		or   bool
		x, y expr
	}
	concatExpr struct {
		place
		items []expr
	}
	compareExpr struct {
		place
		x   expr
		ops []string // == != < <= > >= in, "not in"
		ys  []expr
	}
	condExpr struct {
		place
		test, yes, no expr // no may be nil
	}
	attrExpr struct {
		place
		x    expr
		name string
	}
	indexExpr struct {
		place
		x, index expr
	}
	sliceExpr struct {
		place
		x                 expr
		start, stop, step expr // may be nil
	}
	callExpr struct {
		place
		f expr
		argExprs
	}
	filterExpr struct {
		place
		name string
		x    expr
		argExprs
	}
	testExpr struct {
		place
		name string
		x    expr
		argExprs
	}
	// captured stands for the text of the block that a filter is applied to.
	captured struct{ place }
)

// argExprs are the arguments of a call.
type argExprs struct {
	args        []expr
	names       []string // of the last len(names) of args
	star, stars expr     // *star, **stars; may be nil
}
