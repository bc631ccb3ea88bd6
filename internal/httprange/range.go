package httprange

import (
	"strconv"
	"strings"
)

// contentRange is a part of a file: bytes first to last, both included, of total (-1: not known).
type contentRange struct{ first, last, total int64 }

// header is the value of a Range header.
func (c contentRange) header() string {
	return "bytes=" + strconv.FormatInt(c.first, 10) + "-" + strconv.FormatInt(c.last, 10)
}

// parseContentRange reads "bytes 0-99/1234"; the total may be "*". "bytes */1234", of an answer 416, gives first and
// last of -1.
func parseContentRange(s string) (c contentRange, ok bool) {
	unit, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	span, total, found := strings.Cut(strings.TrimSpace(rest), "/")
	if !strings.EqualFold(unit, "bytes") || !found {
		return c, false
	}
	if c.total, ok = number(total); !ok {
		return c, false
	}
	if span == "*" {
		c.first, c.last = -1, -1
		return c, c.total >= 0
	}
	first, last, found := strings.Cut(span, "-")
	if !found {
		return c, false
	}
	var okFirst, okLast bool
	c.first, okFirst = number(first)
	c.last, okLast = number(last)
	ok = okFirst && okLast && 0 <= c.first && c.first <= c.last && (c.total < 0 || c.last < c.total)
	return c, ok
}

// number reads digits only; "*" is -1.
func number(s string) (int64, bool) {
	if s == "*" {
		return -1, true
	}
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err == nil
}
