package chat

import (
	"fmt"
	"strconv"
)

// Value is a value of a template, one of:
//
//	nil        None
//	bool       bool
//	int64      int
//	float64    float
//	string     str
//	*List      list
//	*Dict      dict, order kept
//
// and, only within a template, what the language adds: tuples, ranges, macros and so on. Lists and
// dicts are immutable while a template runs, as transformers' sandbox has it. Integers that int64
// cannot hold are kept to be printed and compared, but not reckoned with.
type Value any

// List is a Python list.
type List struct{ Items []Value }

// NewList makes a list that holds items itself.
func NewList(items ...Value) *List { return &List{items} }

type (
	bigInt  string // decimal digits, beyond int64
	markup  string // a string that needs no HTML escapes any more
	tuple   []Value
	rangeOf struct{ start, stop, step int64 }
	// undefined stands for what is not there. why is the message of whoever uses it.
	undefined struct{ why string }
	// method is a bound method of a value.
	method struct {
		self Value
		name string
	}
	// function is one of the globals, or of a loop or so.
	function struct {
		name string
		call func(m *machine, a *args) Value
	}
	namespace struct{ attrs *Dict }
	// view is what items(), keys() and values() of a dict return.
	view struct {
		of   *Dict
		kind string // items, keys, values
	}
	// group is a pair that groupby makes.
	group struct {
		grouper Value
		list    *List
	}
	// object has attributes by name and nothing else, as a cycler has.
	object struct {
		class string
		attr  func(m *machine, name string) (Value, bool)
		call  *function
	}
)

// missing marks what was not given.
type missing struct{}

// typeName is Python's name of the value's type.
func typeName(v Value) string {
	switch v := v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, bigInt:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case markup:
		return "Markup"
	case *List:
		return "list"
	case tuple:
		return "tuple"
	case *Dict:
		return "dict"
	case rangeOf:
		return "range"
	case *undefined:
		return "Undefined"
	case method:
		return "builtin_function_or_method"
	case *function:
		return "function"
	case *macro:
		return "Macro"
	case *namespace:
		return "Namespace"
	case view:
		return "dict_" + v.kind
	case *generator:
		return "generator"
	case *loop:
		return "LoopContext"
	case group:
		return "_GroupTuple"
	case *object:
		return v.class
	}
	return fmt.Sprintf("%T", v)
}

// described names the value in messages about what it has not.
func described(v Value) string {
	if v == nil {
		return "None"
	}
	return typeName(v) + " object"
}

// truth is Python's bool(v).
func truth(v Value) bool {
	switch v := v.(type) {
	case nil, *undefined:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case markup:
		return v != ""
	case *List:
		return len(v.Items) > 0
	case tuple:
		return len(v) > 0
	case *Dict:
		return v.Len() > 0
	case view:
		return v.of.Len() > 0
	case rangeOf:
		return v.len() > 0
	}
	return true
}

func (r rangeOf) len() int64 {
	switch {
	case r.step > 0 && r.start < r.stop:
		return (r.stop-r.start-1)/r.step + 1
	case r.step < 0 && r.start > r.stop:
		return (r.start-r.stop-1)/-r.step + 1
	}
	return 0
}

// asString is the text of a string or of markup.
func asString(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case markup:
		return string(v), true
	}
	return "", false
}

// asInt is the number of an int or of a bool.
func asInt(v Value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// asFloat is any number as a float.
func asFloat(v Value) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bigInt:
		f, _ := strconv.ParseFloat(string(v), 64)
		return f, true
	}
	i, ok := asInt(v)
	return float64(i), ok
}

// parseInt reads digits that the lexer or JSON's grammar has seen; base as in strconv.
func parseInt(s string, base int) Value {
	if base == 0 && len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		base = 10
	}
	i, err := strconv.ParseInt(s, base, 64)
	if err == nil {
		return i
	}
	if base == 0 && len(s) > 1 && s[0] == '0' {
		fail("the number %s is too large", clip(s))
	}
	if len(s) > 4300 { // Python's own limit
		fail("an integer of %d digits is too large", len(s))
	}
	return bigInt(s)
}

// sequence is the items of a list, a tuple or a pair of groupby.
func sequence(v Value) ([]Value, bool) {
	switch v := v.(type) {
	case *List:
		return v.Items, true
	case tuple:
		return v, true
	case group:
		return []Value{v.grouper, v.list}, true
	}
	return nil, false
}
