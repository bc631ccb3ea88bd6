package term

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
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

	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetStyle(style(color))
	header := make(table.Row, len(columns))
	configs := make([]table.ColumnConfig, len(columns))
	for i, c := range columns {
		header[i] = c.Title
		configs[i] = table.ColumnConfig{Number: i + 1, AlignHeader: text.AlignLeft}
		if c.Right {
			configs[i].Align, configs[i].AlignHeader = text.AlignRight, text.AlignRight
		}
		if c.Wrap && limit[i] > 0 {
			configs[i].WidthMax, configs[i].WidthMaxEnforcer = limit[i], text.WrapSoft
		}
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(header)
	for _, r := range rows {
		row := make(table.Row, len(r))
		for i, cell := range r {
			if row[i] = cell; columns[i].Give {
				row[i] = Cut(cell, limit[i])
			}
		}
		t.AppendRow(row)
	}
	t.SuppressTrailingSpaces()
	t.Render()
}

// style is bare: no frame, two blanks between columns, titles dim.
func style(color bool) table.Style {
	s := table.StyleDefault
	s.Box = table.BoxStyle{PaddingLeft: "", PaddingRight: "  "}
	s.Options = table.OptionsNoBordersAndSeparators
	s.Format = table.FormatOptions{Header: text.FormatDefault, Row: text.FormatDefault}
	if color {
		s.Color.Header = text.Colors{text.Faint}
	}
	return s
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

// Columns is the width of s on a terminal: wide characters take two.
func Columns(s string) int { return text.StringWidthWithoutEscSequences(s) }

// Cut shortens s to n columns, with an ellipsis where something is left out; n <= 0 leaves it.
func Cut(s string, n int) string {
	if n <= 0 || len(s) <= n || Columns(s) <= n {
		return s
	}
	var b strings.Builder
	used := 0
	for _, r := range s {
		c := text.RuneWidth(r)
		if used+c > n-1 {
			break
		}
		used += c
		b.WriteRune(r)
	}
	return b.String() + "…"
}
