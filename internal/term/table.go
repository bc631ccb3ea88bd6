package term

import (
	"io"
	"strings"
)

// Column of a table.
type Column struct {
	Title string
	Right bool // numbers
	Give  bool // gives way where the terminal is narrow: its cells are cut with an ellipsis
	Wrap  bool // gives way too, but its cells take several lines
	Keep  int  // columns that it gives up only after the others
}

// unbounded is the width of a cell that gives way where the output is no terminal.
const unbounded = 120

// Table writes rows under the titles of columns. Cells are made safe here. width 0 is unlimited.
func Table(w io.Writer, width int, color bool, columns []Column, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = Columns(c.Title)
		for _, r := range rows {
			r[i] = Safe(r[i])
			widths[i] = max(widths[i], Columns(r[i]))
		}
	}
	limit := fit(widths, columns, width)

	lines := make([][][]string, 0, len(rows)+1) // of each cell, the titles first
	titles := make([][]string, len(columns))
	for i, c := range columns {
		titles[i] = []string{c.Title}
	}
	lines = append(lines, titles)
	for _, r := range rows {
		cells := make([][]string, len(r))
		for i, cell := range r {
			switch c := columns[i]; {
			case c.Wrap && limit[i] > 0:
				cells[i] = wrap(cell, limit[i])
			case c.Give:
				cells[i] = []string{Cut(cell, limit[i])}
			default:
				cells[i] = []string{cell}
			}
		}
		lines = append(lines, cells)
	}
	write(w, color, columns, lines)
}

// write puts the cells under each other, two blanks between columns, titles dim.
func write(w io.Writer, color bool, columns []Column, rows [][][]string) {
	widths := make([]int, len(columns))
	for _, cells := range rows {
		for i, lines := range cells {
			for _, line := range lines {
				widths[i] = max(widths[i], Columns(line))
			}
		}
	}
	var b strings.Builder
	for n, cells := range rows {
		height := 0
		for _, lines := range cells {
			height = max(height, len(lines))
		}
		for at := range height {
			blanks := 0 // owed, so that a line does not end in any
			for i, lines := range cells {
				text := ""
				if at < len(lines) {
					text = lines[at]
				}
				rest := widths[i] - Columns(text)
				if columns[i].Right {
					blanks, rest = blanks+rest, 0
				}
				if text != "" {
					b.WriteString(strings.Repeat(" ", blanks))
					blanks = 0
					if color && n == 0 {
						text = "\x1b[2m" + text + "\x1b[0m"
					}
					b.WriteString(text)
				}
				blanks += rest + 2
			}
			b.WriteByte('\n')
		}
	}
	io.WriteString(w, b.String())
}

// wrap divides s between words, and a word that is too long anywhere, into lines of at most n columns.
func wrap(s string, n int) []string {
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		for wide := Columns(word); ; wide = Columns(word) {
			if line != "" && used+1+wide <= n {
				line, used = line+" "+word, used+1+wide
				break
			}
			if line != "" {
				lines = append(lines, line)
				line = ""
			}
			if wide <= n {
				line, used = word, wide
				break
			}
			head := prefix(word, n)
			lines = append(lines, head)
			word = word[len(head):]
		}
	}
	return append(lines, line)
}

// fit gives each column its limit, 0 for none: what is too much for width is taken from the columns
// that give way, the widest first.
func fit(widths []int, columns []Column, width int) []int {
	limit := make([]int, len(widths))
	if width == 0 {
		for i, c := range columns {
			if c.Give {
				limit[i] = unbounded
			}
		}
		return limit
	}
	total := 2 * (len(widths) - 1)
	for i, c := range columns {
		if (c.Give || c.Wrap) && widths[i] > width {
			widths[i], limit[i] = width, width
		}
		total += widths[i]
	}
	const least = 12
	widestAbove := func(keep bool) int {
		widest := -1
		for i, c := range columns {
			floor := least
			if keep {
				floor = max(floor, c.Keep)
			}
			if (c.Give || c.Wrap) && widths[i] > floor && (widest < 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		return widest
	}
	for ; total > width; total-- {
		widest := widestAbove(true)
		if widest < 0 {
			widest = widestAbove(false)
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		limit[widest] = widths[widest]
	}
	return limit
}

// Cut shortens s to n columns, with an ellipsis where something is left out; n <= 0 leaves it.
func Cut(s string, n int) string {
	if n <= 0 || len(s) <= n || Columns(s) <= n {
		return s
	}
	return prefix(s, n-1) + "…"
}

// prefix is what of s fits n columns.
func prefix(s string, n int) string {
	for i, r := range s {
		if n -= columnsOf(r); n < 0 {
			return s[:i]
		}
	}
	return s
}
