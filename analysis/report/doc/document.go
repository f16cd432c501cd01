// Package doc is a report before it has a format: sections, paragraphs, lists of answers, tables, figures.
// Text, Markdown, LaTeX and HTML are one renderer each. The builder of a document decides its contents and
// their order; appearance, omissions for lack of room, and the neutralising of untrusted labels are decided
// here and nowhere else.
package doc

import (
	"slices"
	"strconv"
	"strings"
)

// Document is a report as a whole.
type Document struct {
	Title  string   // the subject: the name of a campaign
	Facts  []string // about the whole, after the title
	Blocks []Block
	Foot   string // how to read it, at the end of documents
	Source string // provenance of its numbers, in one line at its end
	Inset  bool   // on terminals all texts but titles are indented
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

// on reports whether a terminal shows parts of this depth, if its reader asked for most.
func (d Depth) on(most Depth) bool { return d <= most && (d != Terse || most == Brief) }

// written reports whether Markdown and LaTeX have parts of this depth, if their reader asked for most.
func (d Depth) written(most Depth) bool { return d.on(most) || d == Written }

// Section is a titled part. Terminals don't print the title of a silent one, where its place explains it; one
// in a soft tone belongs to the part before it.
type Section struct {
	ID     string // target of links to it; "" without any
	Title  string
	About  string // its contents, in one paragraph
	Badge  Badge  // behind the title, in documents
	Tone   Tone   // of the title
	Silent bool
	Flush  bool // on terminals its texts begin at the left edge
	Tight  bool // on terminals its title is an ordinary line, with no empty one before it
	Folded bool // the page shows it on demand
	Open   bool // a folded one is open from the start
	Last   int  // terminals print it after the other blocks, in this order; 0: at its place
	Depth  Depth
	Blocks []Block
}

// Add appends blocks to the section, except empty ones: tables without rows, entries without items, paragraphs
// without a text, sections of nothing else.
func (s *Section) Add(blocks ...Block) { s.Blocks = add(s.Blocks, blocks) }

// Add appends blocks to the document, except empty ones.
func (d *Document) Add(blocks ...Block) { d.Blocks = add(d.Blocks, blocks) }

func add(all, more []Block) []Block {
	return append(all, slices.DeleteFunc(slices.Clone(more), Block.empty)...)
}

// Paragraphs turns texts into paragraphs like this one; empty texts are dropped.
func Paragraphs(like Paragraph, texts ...string) []Block {
	var all []Block
	for _, like.Text = range texts {
		all = add(all, []Block{like})
	}
	return all
}

// Paragraph is a text. Its mark stands before it: "!" for a distortion of numbers, "!1" for a footnote, or a
// word.
type Paragraph struct {
	Mark, Text string
	Fold       string // the page folds the text under this one
	General    bool   // it is about all numbers of its section: LaTeX has it below each table
	Tone       Tone
	Depth      Depth
}

// Entries are terms with explanations: questions with their answers, or facts with their details.
type Entries struct {
	Title string // above them, not on terminals
	Items []Entry
	Facts bool
	Inner bool // on terminals they are indented further than the texts around them
	Names int  // least width of the names on terminals, in columns
	Depth Depth
}

// Entry is a term with its explanation. The first item begins with the opening: yes, no, undecided. A page
// shows the badge instead if both say the same.
type Entry struct {
	Mark    string // before all of it, in a column of its own
	Name    string // subject of the term, before it
	Struck  string // beginning of the term that does not hold, and is struck out
	Term    string
	Do      string // what to do about it, after it
	Link    string // ID of the section about it
	Tone    Tone   // of the term
	Badge   Badge
	Opening string
	Items   []Paragraph
}

// said are the items, the first one with the opening.
func (e *Entry) said() []Paragraph {
	items := slices.Clone(e.Items)
	if e.Opening != "" && len(items) > 0 {
		items[0].Text = e.Opening + ": " + items[0].Text
	}
	return items
}

// label is the text before the term.
func (e *Entry) label() string { return strings.TrimSpace(e.Mark + " " + e.Name) }

// text is the term, and what to do about it.
func (e *Entry) text() string { return e.Term + enclosed(" → ", e.Do, "") }

// Badge is a verdict in a word or two.
type Badge struct {
	Text string
	Kind string // class of the page; "": an ordinary one
}

// Table is a table whose first column holds labels.
type Table struct {
	Title   string // above it, not on terminals
	Columns []Column
	Rows    []Row
	Legend  []string // explanation of the numbers
	Notes   []string // remarks on them, below
	Groups  string   // head of the column of its groups; "": level
	Depth   Depth
	// Split says that no column may be left out on a narrow terminal: columns without room go into a further
	// table.
	Split bool
	// Joined says that a terminal prints a label once, if rows below each other share it.
	Joined bool
	// Unfold says that on a narrow terminal each row becomes lines: its label, and each cell after its head.
	Unfold bool
	// Explore lets a reader of the page sort and filter the rows. It is the word for one of them, and for
	// several: "cell cells"; "" leaves the table as it is.
	Explore string
	// Paper says that a terminal sets the table as papers do: every column, numbers to the right, and a row's
	// two labels close together.
	Paper bool
	// Reads says that the rows are the places of the drawing above, the last one first: a page's script reads
	// out the one below the pointer.
	Reads bool
	// Runs says that the rows are the runs of a listing, which a page's script copies.
	Runs bool
}

// Column is a head, and what happens to the column if there is little room.
type Column struct {
	Head   string
	Help   string // meaning of the head, where a page can show it
	Number bool
	// Rank is the order in which columns get room on a terminal; those of rank 0 always do.
	Rank int
	// Instead is printed below a table that has no room for the column.
	Instead string
	// Note is printed below a table that shows the column.
	Note string
	// Depth is the depth of the column alone.
	Depth Depth
	// Short is the head on a terminal; " " prints none.
	Short string
	// Zero is the position of 0 in the drawings of the column, in per cent of their width; "" if they have no
	// such line.
	Zero string
	// Foreign says that the column has figures of others, which the page sets apart.
	Foreign bool
	// Wide says that a narrow page leaves the column out.
	Wide bool
}

// notes are the remarks below the table: on all of it, and on the columns that are shown.
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
	Group string // the rest is empty then
	Cells []Cell // may be fewer than columns
	Span  string // one text in place of all cells but the first; its reason is in Under
	Under string // a line below the cells
	Depth Depth
	Note  string // a line below the label
	Tone  Tone
}

// Cell is a text in a table, with additions for a page.
type Cell struct {
	Text     string
	Half     string // half-width of its interval: ± 1.7 %
	Interval string // after it in parentheses, on a page below it
	Remark   string // after that
	Below    string // printed below the row if the column has no room
	Note     string // printed below the label if the column has no room
	Tone     Tone
	Kind     string   // class of the text as a badge, on the page
	Link     string   // ID of the section about it
	Marks    []string // its caveats: badges after it, on the page alone
	Struck   bool     // it does not hold, and is there for comparison
	Sort     *float64 // key by which the page sorts; nil: the text
	Drawing  string   // SVG: the number as a picture, on the page alone
	Codes    []string // words of a program, on the page alone
}

// shown is the table with only the columns that keep chooses; each row has a cell for each of them.
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

// cell is the i-th cell; empty if the row has fewer.
func (r *Row) cell(i int) Cell {
	if i < len(r.Cells) {
		return r.Cells[i]
	}
	return Cell{}
}

// texts are the texts of the cells; "" in columns that the row lacks.
func (r *Row) texts(columns int) []string {
	texts := make([]string, columns)
	for i, c := range r.Cells {
		texts[i] = c.String()
	}
	return texts
}

// Shorten leaves the rows after the first most to the page, and says how many there are, with the words for one
// of them and for several; hint says how to make a page.
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

// Texts are cells with only texts.
func Texts(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, t := range texts {
		cells[i].Text = t
	}
	return cells
}

// String formats the cell on one line: 2.072 µs ± 1.7 %, or +2.016 µs (1.981 … 2.052).
func (c Cell) String() string {
	text := c.Text + enclosed(" ", c.Half, "") + enclosed(" (", c.Interval, ")") + enclosed(" ", c.Remark, "")
	if c.Struck {
		text += " (struck out)"
	}
	return text
}

// Figure is a drawing with its caption, on the page alone.
type Figure struct {
	id      string // of the chart
	SVG     string // whole and trusted: made by package plot
	Alt     string // description for readers who can't see it
	Caption string
	chart   map[string]any // options of an interactive chart, nil without one
}

// Listing is a text with its own line breaks, on the page alone: a command line, the end of a log. Words that
// differ between the runs of a command are marked.
type Listing struct {
	Title, About string
	Notes        []string // above it
	Words        []Word
	Runs         *Table // the words of each run in place of the marked ones; nil without runs
}

// Word is one word of a listing.
type Word struct {
	Text   string
	Marked bool
}
