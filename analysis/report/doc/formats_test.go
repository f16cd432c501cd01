package doc

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"moobench/internal/testgolden"
)

// golden compares a text with testdata/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testgolden.Check(t, filepath.Join("testdata", name), got)
}

// paragraphs has a paragraph of each tone, mark and depth.
func paragraphs() *Section {
	s := &Section{ID: "texts", Title: "texts", About: "what is said, and how loud", Badge: Badge{Text: "higher", Kind: "worse"}}
	for i, tone := range []Tone{Plain, Soft, Strong, Good, Warning, Bad} {
		s.Add(Paragraph{Tone: tone, Text: fmt.Sprintf("a text in tone %d", i)}, Paragraph{Tone: tone, Mark: "!", Text: fmt.Sprintf("it distorts in tone %d", i)})
	}
	for i, depth := range []Depth{Terse, Unpaged, Brief, Full, Written, Paged} {
		s.Add(Paragraph{Depth: depth, Text: fmt.Sprintf("a text of depth %d", i)})
	}
	s.Add(
		Paragraph{Mark: "!1", Text: "a footnote that is so long that it does not fit into a line of an ordinary terminal, and hangs"},
		Paragraph{Mark: "!2", Text: "another one"}, Paragraph{Mark: "! spoilt", Tone: Warning, Text: "in a word"}, Paragraph{Mark: "note", Text: "behind a word"},
		Paragraph{General: true, Text: "of all numbers"}, Paragraph{}, &Section{Title: "of nothing", Blocks: []Block{Paragraph{}}},
	)
	return s
}

// costs is a table with everything that rows and columns may have.
func costs() *Table {
	sort := 2072.0
	return &Table{
		Title: "costs", Explore: "", Groups: "depth", Legend: []string{"mean of each", "intervals are over JVMs."}, Notes: []string{"of all of it"},
		Columns: []Column{
			{Head: "variant", Short: "what"},
			{Head: "mean", Number: true, Help: "per call"},
			{Head: "adds", Number: true, Rank: 1, Note: "over the baseline", Zero: "25"},
			{Head: "paper", Number: true, Rank: 2, Foreign: true, Instead: "the paper's are left out"},
			{Head: "empty", Rank: 1},
			{Head: "remarks", Rank: 3, Wide: true, Short: " "},
			{Head: "caveats", Depth: Written},
		},
		Rows: []Row{
			{Group: "depth = 10"},
			{Cells: []Cell{{Text: "none"}, {Text: "56.10 ns", Half: "± 1.7 %", Sort: &sort}}},
			{Note: "it is said below the label", Under: "and below the cells", Cells: []Cell{
				{Text: "kieker/bci/tcp", Link: "kieker"},
				{Text: "2.072 µs", Half: "± 0.4 %"},
				{Text: "+2.016 µs", Interval: "1.981 … 2.052", Remark: "+3,594 %", Tone: Warning, Drawing: "<svg/>", Marks: []string{"lost 9 %"}},
				{Text: "2.1 µs", Struck: true, Below: "in 2014", Note: "of another machine"},
				{},
				{Text: "higher", Kind: "worse", Codes: []string{"-Da=b"}},
				{Text: "lost 9 %"},
			}},
			{Tone: Bad, Cells: Texts("opentelemetry"), Span: "not instrumented", Under: "no record"},
			{Group: "depth = 1"},
			{Depth: Full, Tone: Soft, Cells: Texts("a label that is longer than all the others, and needs its own line", "1 ns", "", "", "", "", "lost 9 %")},
			{Depth: Paged, Cells: Texts("on the page", "2 ns")},
			{Cells: Texts("…"), Span: "and 7 others"},
		},
	}
}

// everything is a document with blocks of all kinds.
func everything() *Document {
	d := &Document{Title: "nightly <1>", Facts: []string{"6 blocks", "17.0.15+6"}, Foot: "How it is to be read.", Source: "moobench 1.0 · seed 7"}
	d.Add(Paragraph{Text: "before all", Tone: Strong}, &Entries{Names: 9, Items: []Entry{
		{Mark: "ok", Name: "governor", Term: "performance"},
		{Mark: "!", Name: "turbo", Struck: "is on", Term: "was on", Do: "moobench doctor", Tone: Warning},
	}})
	d.Add(paragraphs())
	answers := &Section{ID: "answers", Title: "answers"}
	answers.Add(&Entries{Title: "questions", Items: []Entry{
		{Term: "Does it cost more?", Link: "texts", Opening: "yes", Badge: Badge{Text: "yes", Kind: "worse"}, Items: []Paragraph{
			{Text: "it adds 3 ns"}, {Text: "paired t = 3", Depth: Full, Tone: Soft, Fold: "the test"}, {Mark: "!", Text: "few", Tone: Warning},
		}},
		{Term: "Is it free?", Opening: "no", Badge: Badge{Text: "other"}, Items: []Paragraph{{Text: "it is not"}}},
		{Term: "Nothing said"},
	}})
	answers.Add(&Entries{Facts: true, Inner: true, Items: []Entry{
		{Name: "host", Term: "8 CPUs", Link: "texts", Items: []Paragraph{{Mark: "kernel", Text: "6.1"}, {Text: "bare"}, {Mark: "!", Text: "it was hot", Tone: Warning}}},
	}})
	d.Add(answers)
	tables := &Section{ID: "tables", Title: "tables", Tone: Warning}
	inner := &Section{Title: "inner one", Badge: Badge{Text: "good"}, Blocks: []Block{Paragraph{General: true, Text: "said of each table"}}}
	inner.Add(costs(), Paragraph{Mark: "!1", Text: "behind it"}, costs())
	explored, reads, runs, figured := costs(), costs(), costs(), costs()
	explored.Explore, reads.Reads, runs.Runs = "cell cells", true, true
	figured.Columns, figured.Notes, figured.Legend = figured.Columns[:3], nil, nil
	for i, r := range figured.Rows {
		figured.Rows[i].Cells = r.Cells[:min(3, len(r.Cells))]
	}
	folded := &Section{Title: "all of it", About: "folded", Folded: true, Open: true, Tone: Bad, Badge: Badge{Text: "bad"}, Depth: Full}
	folded.Add(explored, figured)
	tables.Add(inner, folded, &Section{Title: "duration", Folded: true, Blocks: []Block{reads}}, &Section{Title: "foreign", Tone: Warning, Blocks: []Block{Paragraph{Text: "of others"}}})
	figure := &Figure{id: "chart-1", SVG: "<svg></svg>", Alt: "a \"chart\"", Caption: "what it shows", chart: map[string]any{"x": 1}}
	tables.Add(figure, &Figure{SVG: "<svg></svg>"}, &Listing{
		Title: "command", About: "of 2 runs", Notes: []string{"as it was"}, Words: []Word{{Text: "java"}, {Text: "-D<a>", Marked: true}, {Text: "x\ty"}}, Runs: runs,
	})
	d.Add(tables, &Section{Title: "at the end", Last: 1, Blocks: []Block{Paragraph{Text: "last"}}}, &Section{Silent: true, Title: "silent", Blocks: []Block{Paragraph{Text: "after it"}}})
	d.Add(&Section{Tight: true, Flush: true, Title: "tight", Blocks: []Block{Paragraph{Text: "flush"}}}, &Section{Tone: Soft, Title: "soft", Blocks: []Block{Paragraph{Text: "of the part before"}}})
	return d
}

// TestFormats: a document with everything that one may hold, in each format.
func TestFormats(t *testing.T) {
	written := func(write func(w io.Writer) error) string {
		t.Helper()
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	inset := everything()
	inset.Inset = true
	page := HTML(everything())
	var links []string
	for _, s := range page.Links {
		links = append(links, s.ID)
	}
	for name, got := range map[string]string{
		"terminal.txt":   written(func(w io.Writer) error { return Text(w, everything(), TextOptions{}) }),
		"narrow.txt":     written(func(w io.Writer) error { return Text(w, everything(), TextOptions{Width: 44}) }),
		"wide.txt":       written(func(w io.Writer) error { return Text(w, everything(), TextOptions{Width: 160, Depth: Full}) }),
		"colored.txt":    strings.ReplaceAll(written(func(w io.Writer) error { return Text(w, inset, TextOptions{Width: 100, Color: true}) }), "\x1b", "ESC"),
		"markdown.md":    written(func(w io.Writer) error { return Markdown(w, everything(), Brief) }),
		"full.md":        written(func(w io.Writer) error { return Markdown(w, everything(), Full) }),
		"tables.tex":     written(func(w io.Writer) error { return LaTeX(w, everything(), Brief) }),
		"one.tex":        written(func(w io.Writer) error { return LaTeXTable(w, everything(), "tables-inner-one-2") }),
		"page.html":      page.Head + "----\n" + page.Body,
		"texnames.txt":   strings.Join(LaTeXTables(everything()), "\n"),
		"pagelinks.txt":  fmt.Sprintln(links, page.Charts),
		"shortened.txt":  shortened(t, written),
		"paper.txt":      written(func(w io.Writer) error { return Text(w, paper(), TextOptions{Width: 60}) }),
		"unfolded.txt":   written(func(w io.Writer) error { return Text(w, unfolded(), TextOptions{Width: 40}) }),
		"manyfloats.tex": written(func(w io.Writer) error { return LaTeX(w, long(), Brief) }),
	} {
		golden(t, name, got)
	}
}

// shortened are tables of which a terminal has the first two rows.
func shortened(t *testing.T, written func(func(w io.Writer) error) string) (all string) {
	t.Helper()
	for _, n := range []int{2, 3, 4} {
		table := &Table{Columns: []Column{{Head: "row"}}}
		for i := range n {
			table.Rows = append(table.Rows, Row{Cells: Texts(fmt.Sprint("row ", i))})
		}
		table.Shorten(2, "row", "rows", " (-o x.html)")
		all += written(func(w io.Writer) error { return Text(w, &Document{Blocks: []Block{table}}, TextOptions{}) }) + "--\n"
	}
	return all
}

// paper is a table as papers set it, whose labels are said once.
func paper() *Document {
	return &Document{Blocks: []Block{&Table{
		Paper: true, Joined: true, Columns: []Column{{Head: "framework", Short: "framework"}, {Head: "mode"}, {Head: "mean"}, {Head: "none"}},
		Rows: []Row{{Cells: Texts("kieker", "bci", "1.5")}, {Cells: Texts("kieker", "manual", "12.25")}, {Cells: Texts("other", "bci", "3")}},
	}}}
}

// unfolded is a table whose rows become lines where there is no room.
func unfolded() *Document {
	table := func(text string) *Table {
		return &Table{Unfold: true, Columns: []Column{{Head: "file"}, {Head: "why"}, {Head: "what to do about it"}}, Rows: []Row{
			{Note: "(old)", Cells: Texts("a.toml", text, "mend it")}, {Cells: Texts("b.toml", "it is fine", "")},
		}}
	}
	return &Document{Title: "files", Blocks: []Block{table("x"), table("a reason that is longer than there is room for beside the others")}}
}

// long needs several floats: a table with too many rows and columns, and one of sentences.
func long() *Document {
	numbers := &Table{Columns: []Column{{Head: "row"}}, Notes: []string{"a note"}}
	sentences := &Table{Columns: []Column{{Head: "what"}, {Head: "why"}}}
	for i := range 14 {
		numbers.Columns = append(numbers.Columns, Column{Head: fmt.Sprintf("number %d", i), Number: true})
		sentences.Rows = append(sentences.Rows, Row{Cells: Texts(fmt.Sprint("what ", i), "because it is so, and for no other reason that anybody knows of")})
	}
	for i := range 38 {
		cells := []string{fmt.Sprint("row ", i)}
		for k := range 14 {
			cells = append(cells, fmt.Sprint(100*i+k))
		}
		numbers.Rows = append(numbers.Rows, Row{Cells: Texts(cells...)})
	}
	d := &Document{Title: "long"}
	d.Add(&Section{Title: "a part", Blocks: []Block{numbers, sentences}}, &Section{Title: "a part", Blocks: []Block{&Table{Columns: []Column{{Head: "x"}, {Head: "y", Number: true}}, Rows: []Row{{Cells: Texts("a", "1")}}}}})
	return d
}

// TestMarkdownIsCut: the summary of a job has a limit, and what is left out is counted.
func TestMarkdownIsCut(t *testing.T) {
	d := &Document{Title: "long"}
	for range markdownMost / 1000 {
		d.Add(Paragraph{Text: strings.Repeat("x", 1000)})
	}
	var b strings.Builder
	if err := Markdown(&b, d, Brief); err != nil {
		t.Fatal(err)
	}
	const end = "\n**2 lines are left out**: this summary holds at most 1048576 bytes. All of it: `moobench report` with `--format html`, or `--format json`.\n"
	if b.Len() > markdownMost || !strings.HasSuffix(b.String(), end) {
		t.Errorf("%d bytes, ending with %q", b.Len(), b.String()[b.Len()-300:])
	}
	d.Blocks = d.Blocks[:len(d.Blocks)-2]
	b.Reset()
	if err := Markdown(&b, d, Brief); err != nil || strings.Contains(b.String(), "left out") {
		t.Errorf("%v; what fits is cut: %q", err, b.String()[b.Len()-300:])
	}
}
