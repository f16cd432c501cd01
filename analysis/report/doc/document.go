// Package doc is a report before it has a format: sections, paragraphs, lists of
// answers, tables, figures. Text, Markdown, LaTeX and HTML are one renderer each.
// The builder of a document decides what is said and in which order; how it looks, what
// is left out where there is no room, and what an untrusted label may not do is
// decided here and nowhere else.
package doc

import (
	"slices"
	"strconv"
	"strings"
)

// Document is a report as a whole.
type Document struct {
	Title  string   // what it is about: the name of a campaign
	Facts  []string // about the whole, behind the title
	Blocks []Block
	Foot   string // how it is to be read, at the end of documents
	Source string // where its numbers come from, in one line at its end
	Inset  bool   // on terminals all texts but titles stand in
}

// Block is a part of a document: *Section, Paragraph, *Entries, *Table, *Figure or
// *Listing.
type Block interface {
	depth() Depth // how much a reader has to ask for to see it
	empty() bool  // it says nothing
}

func (s *Section) depth() Depth  { return s.Depth }
func (t Paragraph) depth() Depth { return t.Depth }
func (e *Entries) depth() Depth  { return e.Depth }
func (t *Table) depth() Depth    { return t.Depth }
func (*Figure) depth() Depth     { return Paged }
func (*Listing) depth() Depth    { return Paged }

func (s *Section) empty() bool {
	return s == nil || !slices.ContainsFunc(s.Blocks, func(b Block) bool { return !b.empty() })
}
func (t Paragraph) empty() bool { return t.Text == "" }
func (e *Entries) empty() bool  { return len(e.Items) == 0 }
func (t *Table) empty() bool    { return len(t.Rows) == 0 }
func (f *Figure) empty() bool   { return f.SVG == "" }
func (*Listing) empty() bool    { return false }

// Tone is how a text is meant. It never carries a meaning that the words lack.
type Tone int

// The tones, the loudest last.
const (
	Plain Tone = iota
	Soft
	Strong
	Good
	Warning
	Bad
)

// Depth says which readers get a part of a document.
type Depth int

const (
	Terse   Depth = iota - 2 // every reader but the page's, and those who asked for more
	Unpaged                  // every reader but the page's
	Brief                    // every reader
	Full                     // a terminal with --all, and the page
	Written                  // Markdown, LaTeX and the page: no terminal
	Paged                    // the page alone
)

// on says whether a terminal shows what has this depth, when its reader asked for most.
func (d Depth) on(most Depth) bool { return d <= most && (d != Terse || most == Brief) }

// written says whether Markdown and LaTeX have what has this depth, when their reader asked
// for most.
func (d Depth) written(most Depth) bool { return d.on(most) || d == Written }

// Section is a titled part. The title of a silent one is not printed on terminals,
// where its place says what it is; one in a soft tone belongs to the part before it.
type Section struct {
	ID     string // of links to it, "" when there are none
	Title  string
	About  string // what is below, in one paragraph
	Badge  Badge  // behind the title, in documents
	Tone   Tone   // of the title
	Silent bool
	Flush  bool // on terminals its texts begin at the left edge
	Tight  bool // on terminals its title is a line like others, and there is none before it
	Folded bool // the page shows it when it is asked to
	Open   bool // a folded one is open from the start
	Last   int  // terminals print it after the other blocks, in this order; 0: at its place
	Depth  Depth
	Blocks []Block
}

// Add appends blocks to the section, but for those that say nothing: tables without rows,
// entries without items, paragraphs without a text, sections of nothing else.
func (s *Section) Add(blocks ...Block) { s.Blocks = add(s.Blocks, blocks) }

// Add appends blocks to the document, but for those that say nothing.
func (d *Document) Add(blocks ...Block) { d.Blocks = add(d.Blocks, blocks) }

func add(all, more []Block) []Block {
	return append(all, slices.DeleteFunc(slices.Clone(more), Block.empty)...)
}

// Paragraphs are texts as paragraphs that look like this one; empty texts become none.
func Paragraphs(like Paragraph, texts ...string) []Block {
	var all []Block
	for _, like.Text = range texts {
		all = add(all, []Block{like})
	}
	return all
}

// Paragraph is a text. Its mark hangs before it: "!" of what distorts numbers, "!1" of
// a footnote, or a word.
type Paragraph struct {
	Mark, Text string
	Fold       string // the page has the text behind this one, until it is asked for
	General    bool   // it is said of all numbers of its section: LaTeX has it below each table
	Tone       Tone
	Depth      Depth
}

// Entries are terms, each with what is to be said of it: questions with their
// answers, or facts with what belongs to them.
type Entries struct {
	Title string // above them, not on terminals
	Items []Entry
	Facts bool
	Inner bool // on terminals they stand deeper than the texts around them
	Names int  // how wide the names are on terminals at least, in columns
	Depth Depth
}

// Entry is a term and what is said of it. The first item begins with the opening: yes,
// no, undecided. A page shows the badge in its place where both say the same.
type Entry struct {
	Mark    string // before all of it, in a column of its own
	Name    string // what the term is about, before it
	Struck  string // the term begins with this, which does not hold and is struck out
	Term    string
	Do      string // what to do about it, behind it
	Link    string // ID of the section about it
	Tone    Tone   // of the term
	Badge   Badge
	Opening string
	Items   []Paragraph
}

// said is what is said of the term, behind the opening.
func (e *Entry) said() []Paragraph {
	items := slices.Clone(e.Items)
	if e.Opening != "" && len(items) > 0 {
		items[0].Text = e.Opening + ": " + items[0].Text
	}
	return items
}

// label is what stands before the term.
func (e *Entry) label() string { return strings.TrimSpace(e.Mark + " " + e.Name) }

// text is the term with what to do about it.
func (e *Entry) text() string { return e.Term + enclosed(" → ", e.Do, "") }

// Badge is a verdict in a word or two.
type Badge struct {
	Text string
	Kind string // class of the page, "" of an ordinary one
}

// Table is a table whose first column holds labels.
type Table struct {
	Title   string // above it, not on terminals
	Columns []Column
	Rows    []Row
	Legend  []string // what the numbers are
	Notes   []string // what is to be remarked of them, below
	Groups  string   // what the names of its groups are, "" of levels
	Depth   Depth
	// Split says that no column may be left out on a narrow terminal: those without
	// room go into a further table.
	Split bool
	// Joined says that a terminal prints a label once, where rows below each other
	// share it.
	Joined bool
	// Unfold says that on a narrow terminal each row becomes lines: its label, and
	// each cell behind its head.
	Unfold bool
	// Explore lets a reader of the page sort and filter the rows. It says what one of
	// them is, and several: "cell cells"; "" leaves the table as it is.
	Explore string
	// Paper says that a terminal sets the table as papers do: every column, numbers to
	// the right, and a row's two labels close together.
	Paper bool
	// Reads says that the rows are the places of the drawing above, the last one first:
	// a page's script reads out the one below the pointer.
	Reads bool
	// Runs says that the rows are the runs of a listing, which a page's script copies.
	Runs bool
}

// Column is a head, and what becomes of the column where there is little room.
type Column struct {
	Head   string
	Help   string // what the head means, where a page can show it
	Number bool
	// Rank is the order in which columns get room on a terminal; those of rank 0 do
	// in any case.
	Rank int
	// Instead is printed below a table that has no room for the column.
	Instead string
	// Note is remarked below a table that shows the column.
	Note string
	// Depth is that of the column alone.
	Depth Depth
	// Short is what a terminal prints as head; " " prints none.
	Short string
	// Zero is where 0 lies in the drawings of the column, in percent of their width; ""
	// when they have no such line.
	Zero string
	// Foreign says that the column has figures of others, which the page sets apart.
	Foreign bool
	// Wide says that a narrow page leaves the column out.
	Wide bool
}

// notes are what is remarked below the table: of all of it, and of the columns that are shown.
func (t *Table) notes(shown func(column int) bool) []string {
	all := slices.Clone(t.Notes)
	for i, c := range t.Columns {
		if c.Note != "" && shown(i) && !slices.Contains(all, c.Note) {
			all = append(all, c.Note)
		}
	}
	return all
}

// Row is a line of a table: cells, or a group's name over the rows that follow.
type Row struct {
	Group string // then there is nothing else
	Cells []Cell // may be fewer than columns
	Span  string // one text in place of all cells but the first; its reason is what stands under
	Under string // a line below the cells
	Depth Depth
	Note  string // a line below the label
	Tone  Tone
}

// Cell is a text in a table, with what a page shows beside it.
type Cell struct {
	Text     string
	Half     string // half of its interval: ± 1.7 %
	Interval string // behind it in parentheses, on a page below it
	Remark   string // behind that
	Below    string // printed below the row where the column has no room
	Note     string // printed below the label where the column has no room
	Tone     Tone
	Kind     string   // class of the text as a badge, on the page
	Link     string   // ID of the section about it
	Marks    []string // its caveats, badges behind it, on the page alone
	Struck   bool     // it does not hold, and stands for comparison
	Sort     *float64 // what the page sorts by, nil: the text
	Drawing  string   // SVG: the number as a picture, on the page alone
	Codes    []string // words of a program, on the page alone
}

// shown is the table with the columns alone that keep chooses; each row has a cell for
// each of them.
func (t *Table) shown(keep func(column int) bool) *Table {
	some := *t
	some.Columns, some.Rows = nil, slices.Clone(t.Rows)
	for i := range some.Rows {
		some.Rows[i].Cells = nil
	}
	for i, c := range t.Columns {
		if !keep(i) {
			continue
		}
		some.Columns = append(some.Columns, c)
		for k := range t.Rows {
			some.Rows[k].Cells = append(some.Rows[k].Cells, t.Rows[k].cell(i))
		}
	}
	return &some
}

// cell is the i-th cell, an empty one where a row has none.
func (r *Row) cell(i int) Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return Cell{}
}

// texts are what the cells say, "" in columns for which the row has none.
func (r *Row) texts(columns int) []string {
	texts := make([]string, columns)
	for i, c := range r.Cells {
		texts[i] = c.String()
	}
	return texts
}

// Shorten leaves the rows after so many to the page, and says how many there are, in words for
// one of them and for several; hint is how a page is asked for.
func (t *Table) Shorten(most int, one, many, hint string) {
	n := len(t.Rows) - most
	if n <= 0 {
		return
	}
	for i := range t.Rows[most:] {
		t.Rows[most+i].Depth = Paged
	}
	left := strconv.Itoa(n) + " " + many
	if n == 1 {
		left = "1 " + one
	}
	t.Rows = append(t.Rows, Row{Cells: Texts(rest), Span: "and " + left + ": the page has them" + hint, Depth: Unpaged})
}

// Texts are cells without anything but their texts.
func Texts(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}

// String is the cell on one line: 2.072 µs ± 1.7 %, or +2.016 µs (1.981 … 2.052).
func (c Cell) String() string {
	text := c.Text + enclosed(" ", c.Half, "") + enclosed(" (", c.Interval, ")") + enclosed(" ", c.Remark, "")
	if c.Struck {
		text += " (struck out)"
	}
	return text
}

// Figure is a drawing with its caption, on the page alone.
type Figure struct {
	ID      string // of the chart
	SVG     string // whole and trusted: made by package plot
	Alt     string // what it shows, for those who can't see it
	Caption string
	Chart   map[string]any // options of an interactive chart, nil without one
}

// Listing is a text that stays as it is, on the page alone: a command line, the end
// of a log. Words that differ between the runs of a command are marked.
type Listing struct {
	Title, About string
	Notes        []string // above it
	Words        []Word
	Runs         *Table // what each run had in place of the marked words, nil without runs
}

// Word is one word of a listing.
type Word struct {
	Text   string
	Marked bool
}
