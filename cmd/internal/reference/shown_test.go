package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/report/doc"
	"moobench/harness/strict"
	"moobench/internal/testgolden"
)

// small is a file with a key of each sort.
func small(width int) *File {
	of := func(typ string) strict.Kind { return strict.Kind{Type: typ} }
	number := func(least, most int64) strict.Kind {
		return strict.Kind{Type: "integer", Limits: &strict.Limits{Least: least, Most: most}}
	}
	below := func(typ, text string, several strict.Several, shared string) strict.Kind {
		return strict.Kind{Type: typ, Several: several, Section: func() strict.Table {
			table := strict.NewTable(text, strict.NewKey("k", of("string"), "a key"))
			table.Shared = shared
			return table
		}}
	}
	words := strict.Kind{Type: "string", Values: []string{"one", "two"}}
	open, explained := words, words
	open.Open = true
	explained.Means = []string{"the first of the words, which takes so long to explain that it is cut", "b|c"}
	const long = "a text that is too long for one line of so few columns"
	whole := strict.NewTable("The file: a|b, <x>.",
		strict.NewKey("name", of("string"), "what it is called, with a|b, <x>").Must().Like("a|b"),
		strict.NewKey("number", number(0, math.MaxInt64), "any number").In("blocks"),
		strict.NewKey("some", number(1, math.MaxInt64), "a number").In("bytes").Or(3),
		strict.NewKey("few", number(0, 9), "a digit").Or(3).Like(4),
		strict.NewKey("words", words, "one of them").Or("two"),
		strict.NewKey("others", open, "one of them, or another").Must().Or("two"),
		strict.NewKey("explained", explained, "what each is"),
		strict.NewKey("a_very_long_name_of_a_key", of("string"), long),
		strict.NewKey("part", below("table", "A part.", strict.One, ""), "a table"),
		strict.NewKey("again", below("table", "A part.", strict.One, ""), "the same table again"),
		strict.NewKey("parts", below("list of tables", "Parts.", strict.Listed, ""), "tables"),
		strict.NewKey("several", below("string, or table", "Several.", strict.One, ""), "a text or a table"),
		strict.NewKey("shared", below("string, or table", "Shared.", strict.One, "shared"), "a text or that table"),
		strict.NewKey("table", of("table of strings"), "with a default").Or(map[string]any{"a": "b"}),
	)
	whole.Keys[1].Since, whole.Keys[3].Since = "1.2", "1.3"
	return &File{whole.Sections(""), width}
}

// TestShown: what a terminal and a page show of each sort of key, in few and in many columns.
func TestShown(t *testing.T) {
	var b strings.Builder
	for _, width := range []int{50, 100} {
		fmt.Fprintf(&b, "== in %d columns\n%s", width, small(width).Text())
	}
	fmt.Fprintf(&b, "== page\n%s", small(80).Markdown())
	testgolden.Check(t, "testdata/shown.txt", b.String())
}

// TestFits: what fits into the columns stands in one line, also where it fills them.
func TestFits(t *testing.T) {
	whole, _, _ := strings.Cut(small(200).Text(), "\n      what it is called")
	line := whole[strings.LastIndex(whole, "\n")+1:]
	for _, more := range []int{-1, 0, 1} {
		text := small(doc.Width(line) + more).Text()
		if got := strings.Contains(text, line+"\n"); got != (more >= 0) {
			t.Errorf("in %+d columns, one line: %t\n%s", more, got, text)
		}
	}
}

// TestNames: sections and keys are named once each, in order.
func TestNames(t *testing.T) {
	want := strings.Fields("a_very_long_name_of_a_key again explained few k name number others part parts several " +
		"shared some table words")
	if got := small(80).Names(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	all := whole().Names()
	if !slices.Contains(all, "server.request") || slices.Contains(all, "") || !slices.IsSorted(all) {
		t.Errorf("%q", all)
	}
}

// TestAsAbove: a table that several keys have is named where its section is, also as the first of all.
func TestAsAbove(t *testing.T) {
	f := small(100)
	f.sections[0], f.sections[1] = f.sections[1], f.sections[0]
	if text := f.Text(); !strings.HasPrefix(text, "[part]\n") || !strings.Contains(text, "table, as [part]\n") {
		t.Error(text)
	}
}

// TestEachPart: a key is found in each of its tables, or in the one that is named; a word only where it is explained.
func TestEachPart(t *testing.T) {
	for name, want := range map[string]string{
		"k": "[part]: 1 [[parts]]: 1 [several]: 1 [shared]: 1", "parts.k": "[[parts]]: 1", "part": "[part]: 1",
		"one": ": 1", "few": ": 1", "three": "", "part.few": "", "part.one": "",
	} {
		var got []string
		if found, err := small(80).About(name); err == nil {
			for _, s := range found.sections {
				got = append(got, fmt.Sprintf("%s: %d", s.Name, len(s.Keys)))
			}
			if found.width != 80 {
				t.Errorf("%s: in %d columns", name, found.width)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
