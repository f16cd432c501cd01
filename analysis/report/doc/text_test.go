package doc

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A table that is wider than the terminal becomes several; no column is lost.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []string
		columns := rapid.IntRange(2, 12).Draw(t, "columns")
		table := &Table{Split: true, Columns: []Column{{Head: "variant"}}, Rows: []Row{{Group: "level"}, {Cells: Texts("spanned"), Span: "not instrumented"}}}
		for j := range columns - 1 {
			table.Columns = append(table.Columns, Column{Head: fmt.Sprintf("<h%d>", j)})
			all = append(all, fmt.Sprintf("<h%d>", j))
		}
		for i := range 3 {
			cells := []string{fmt.Sprintf("label %d", i)}
			for j := range columns - 1 {
				cells = append(cells, fmt.Sprintf("<%d.%d%s>", i, j, strings.Repeat("x", rapid.IntRange(0, 20).Draw(t, "more"))))
			}
			all = append(all, cells[1:]...)
			table.Rows = append(table.Rows, Row{Cells: Texts(cells...)})
		}
		var b strings.Builder
		columnsOfTerminal := rapid.IntRange(40, 160).Draw(t, "width")
		if err := Text(&b, &Document{Blocks: []Block{table}}, TextOptions{Width: columnsOfTerminal}); err != nil {
			t.Fatal(err)
		}
		for _, cell := range all {
			if strings.Count(b.String(), cell) != 1 {
				t.Fatalf("%s is there %d times:\n%s", cell, strings.Count(b.String(), cell), b.String())
			}
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if Width(line) > columnsOfTerminal {
				t.Fatalf("%d columns of %d: %s", Width(line), columnsOfTerminal, line)
			}
		}
	})
}

// What to do about a finding stands behind it where it fits, else below.
func TestFindings(t *testing.T) {
	var out strings.Builder
	d := &Document{Blocks: []Block{&Section{Title: "machine", Tight: true, Flush: true, Blocks: []Block{&Entries{Names: 6, Items: []Entry{
		{Mark: "ok", Name: "topic", Term: "ein Wort, noch ein Wört und noch eines", Do: "do = \"it\""},
		{Mark: "!", Term: "kurz", Do: "und gut"},
		{Mark: "!"},
		{Mark: "x", Name: "more", Term: "ein Wort, noch ein Wört und noch", Do: "vielerlei zu tun"},
	}}}}}}
	if err := Text(&out, d, TextOptions{Width: 42}); err != nil {
		t.Fatal(err)
	}
	want := "machine\n" +
		" ok  topic  ein Wort, noch ein Wört und\n" +
		"            noch eines  → do = \"it\"\n" +
		" !          kurz  → und gut\n" +
		" !\n" +
		" x   more   ein Wort, noch ein Wört und\n" +
		"            noch  → vielerlei zu tun\n"
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// A table in several parts has every column that says something, and so nothing below that
// stands for one.
func TestPartsStandForThemselves(t *testing.T) {
	table := &Table{
		Explore: "cell cells",
		Columns: []Column{{Head: "variant"}, {Head: "mean"}, {Head: "empty"}, {Head: "class", Rank: 1, Instead: "all flat"}},
		Rows:    []Row{{Cells: []Cell{{Text: "none"}, {Text: strings.Repeat("1", 32)}, {}, {Text: "flat", Below: "it is flat", Note: "! flat"}}}},
	}
	var b strings.Builder
	if err := Text(&b, &Document{Blocks: []Block{table}}, TextOptions{Width: 40, Depth: Full}); err != nil {
		t.Fatal(err)
	}
	if want := "        mean\n  none  11111111111111111111111111111111\n\n        class\n  none  flat\n"; b.String() != want {
		t.Errorf("%s", b.String())
	}
}
