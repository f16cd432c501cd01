package doc

import (
	"slices"
	"strings"
	"testing"
)

// TestLabelsThatAreFree: a label that is taken gets the next number, from 2 on.
func TestLabelsThatAreFree(t *testing.T) {
	l := &latex{taken: map[string]bool{}}
	var got []string
	for range 3 {
		got = append(got, l.free("tab"))
	}
	if got = append(got, l.free("other")); !slices.Equal(got, []string{"tab", "tab-2", "tab-3", "other"}) {
		t.Errorf("%q", got)
	}
}

// TestColumnsThatJustFit: a table that is exactly as wide as the terminal loses no column, and is not unfolded.
func TestColumnsThatJustFit(t *testing.T) {
	table := &Table{
		Columns: []Column{{Head: "what"}, {Head: "one"}, {Head: "two", Rank: 1}},
		Rows:    []Row{{Cells: Texts("label", strings.Repeat("v", 60), "another")}},
	}
	whole := newTextTable(table, Full, 1000)
	if !whole.kept[2] {
		t.Fatal("there is room for all")
	}
	for _, c := range []struct {
		room int
		kept bool
	}{{whole.width(), true}, {whole.width() - 1, false}} {
		if got := newTextTable(table, Full, c.room); got.kept[2] != c.kept || !got.kept[1] {
			t.Errorf("%d columns: %v", c.room, got.kept)
		}
	}
	table.Unfold, table.Columns[2].Rank = true, 0
	for width, unfolded := range map[int]bool{whole.width(): false, whole.width() - 1: true} {
		var b strings.Builder
		if err := Text(&b, &Document{Blocks: []Block{table}}, TextOptions{Width: width, Depth: Full}); err != nil {
			t.Fatal(err)
		}
		if got := !strings.Contains(b.String(), "v  another"); got != unfolded {
			t.Errorf("%d columns:\n%s", width, b.String())
		}
	}
}

// TestOneFact: a single fact stands in a text without a title, too.
func TestOneFact(t *testing.T) {
	for _, facts := range [][]string{{"the only fact"}, {"one", "two"}} {
		var b strings.Builder
		if err := Text(&b, &Document{Facts: facts}, TextOptions{Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, fact := range facts {
			if strings.Count(b.String(), fact) != 1 {
				t.Errorf("%q is not in it:\n%s", fact, b.String())
			}
		}
	}
}

// TestOpening: an entry's opening stands before the first item, if there is one.
func TestOpening(t *testing.T) {
	e := Entry{Opening: "slower", Items: []Paragraph{{Text: "by much"}, {Text: "always"}}}
	if got := e.said(); len(got) != 2 || got[0].Text != "slower: by much" || got[1].Text != "always" {
		t.Errorf("%+v", got)
	}
	if e.Items[0].Text != "by much" {
		t.Error("the entry was changed")
	}
	e.Opening = ""
	if got := e.said(); got[0].Text != "by much" {
		t.Errorf("%+v", got)
	}
	if e = (Entry{Opening: "slower"}); len(e.said()) != 0 {
		t.Errorf("%+v", e.said())
	}
}
