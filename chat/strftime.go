package chat

import (
	"strconv"
	"strings"
	"time"
)

// strftime is C's, in the C locale.
func (m *machine) strftime(t time.Time, format string) string {
	p := printer{m: m}
	for {
		before, rest, found := strings.Cut(format, "%")
		p.write(before)
		if !found {
			return p.b.String()
		}
		unpadded := false
		if len(rest) > 1 && rest[0] == '-' {
			unpadded, rest = true, rest[1:]
		}
		if rest == "" {
			p.write("%")
			return p.b.String()
		}
		s, ok := timePart(t, rest[0])
		switch {
		case !ok:
			s = "%" + rest[:1]
		case unpadded && len(s) > 1:
			s = strings.TrimLeft(s[:len(s)-1], "0 ") + s[len(s)-1:]
		}
		p.write(s)
		format = rest[1:]
	}
}

func timePart(t time.Time, c byte) (string, bool) {
	if layout, ok := map[byte]string{
		'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'H': "15", 'I': "03", 'M': "04", 'S': "05", 'p': "PM",
		'B': "January", 'b': "Jan", 'h': "Jan", 'A': "Monday", 'a': "Mon", 'j': "002", 'z': "-0700", 'Z': "MST",
		'F': "2006-01-02", 'D': "01/02/06", 'T': "15:04:05", 'R': "15:04", 'r': "03:04:05 PM",
		'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'X': "15:04:05",
	}[c]; ok {
		return t.Format(layout), true
	}
	two := func(n int) string {
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	sunday := int(t.Weekday())
	monday := (sunday + 6) % 7
	year, week := t.ISOWeek()
	switch c {
	case '%':
		return "%", true
	case 'n':
		return "\n", true
	case 't':
		return "\t", true
	case 'f':
		s := strconv.Itoa(1e6 + t.Nanosecond()/1000)
		return s[1:], true
	case 's':
		return strconv.FormatInt(t.Unix(), 10), true
	case 'w':
		return strconv.Itoa(sunday), true
	case 'u':
		return strconv.Itoa(monday + 1), true
	case 'C':
		return two(t.Year() / 100), true
	case 'k', 'l':
		h := t.Hour()
		if c == 'l' {
			h = (h+11)%12 + 1
		}
		s := two(h)
		if s[0] == '0' {
			s = " " + s[1:]
		}
		return s, true
	case 'G':
		return strconv.Itoa(year), true
	case 'V':
		return two(week), true
	case 'U':
		return two((t.YearDay() + 6 - sunday) / 7), true
	case 'W':
		return two((t.YearDay() + 6 - monday) / 7), true
	}
	return "", false
}
