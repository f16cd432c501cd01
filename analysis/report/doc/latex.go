package doc

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Limits of a float that fits on a page: rows of figures, rows of sentences, and characters of a row.
const latexRows, latexSentences, latexCharacters = 36, 12, 110

// latexHead says what a document needs to read the tables.
const latexHead = `% Tables of moobench, for \input{...} in a document with
%   \usepackage[T1]{fontenc}
%   \usepackage[utf8]{inputenc}  % TeX Live before 2018
%   \usepackage{textcomp}        % TeX Live before 2020
%   \usepackage{booktabs}
% and a document class with floats. The intervals are over JVM invocations.
`

// LaTeX prints the tables and the answers of a document for a thesis, to be read by \input: floats with
// captions and labels, ruled by booktabs. A comment at the head names the packages; pdflatex compiles it. A
// table is read by itself: caveats on all numbers of the document, or of the section, stand below each.
func LaTeX(w io.Writer, d *Document, most Depth) error {
	_, err := io.WriteString(w, newLaTeX(d, most, "").text.String())
	return err
}

// LaTeXTable prints only the table with this name, whatever its depth.
func LaTeXTable(w io.Writer, d *Document, name string) error {
	_, err := io.WriteString(w, newLaTeX(d, Full, name).text.String())
	return err
}

// LaTeXTables names all tables of a document: their labels without the common prefix.
func LaTeXTables(d *Document) []string { return newLaTeX(d, Full, "").names }

// labelled is the prefix of all labels of tables.
const labelled = "tab:moobench"

// newLaTeX renders a document as LaTeX: all of it to a depth, or one table.
func newLaTeX(d *Document, most Depth, only string) *latex {
	l := &latex{taken: map[string]bool{}, most: most, only: only}
	l.text.WriteString(latexHead)
	l.text.WriteString(LaTeXComment(append([]string{d.Title}, strings.Split(d.Source, " · ")...)...))
	l.section(&Section{Blocks: d.Blocks}, nil, nil)
	return l
}

// LaTeXComment writes each text that is not empty as a comment on a line of its own.
func LaTeXComment(texts ...string) string {
	all := ""
	for _, text := range texts {
		all += enclosed("% ", OneLine(text), "\n")
	}
	return all
}

type latex struct {
	text  strings.Builder
	taken map[string]bool // labels
	names []string        // of tables
	most  Depth
	only  string // the table to write; "": all
}

// section writes the tables of a section, and those of the sections in it. path are the titles above; notes are
// about all numbers in it. The paragraphs of a section stand below its first table.
func (l *latex) section(s *Section, path, notes []string) {
	notes = append(slices.Clone(notes), l.general(s.Blocks)...)
	// Paragraphs that are neither footnotes nor caveats on all numbers.
	said := l.textsOf(s.Blocks, func(t Paragraph) bool { return t.Mark == "" && !t.General })
	n := 0
	below := func(after []Block) []string {
		// Numbered notes follow a table, up to the next block of another kind.
		end := slices.IndexFunc(append(slices.Clone(after), &Entries{}), func(b Block) bool {
			_, ok := b.(Paragraph)
			return !ok && b.depth().written(l.most)
		})
		numbered := func(t Paragraph) bool { return t.Mark != "" && t.Mark != "!" }
		all := slices.Concat(notes, said, l.textsOf(after[:end], numbered))
		said = nil
		return all
	}
	for i, b := range s.Blocks {
		if !b.depth().written(l.most) {
			continue
		}
		switch b := b.(type) {
		case *Section:
			if b.Title != "" {
				l.section(b, append(slices.Clone(path), b.Title), notes)
			} else {
				l.section(b, path, below(nil))
			}
		case *Table:
			n++
			label := Slug(strings.Join(path, " "))
			if n > 1 {
				label += "-" + strconv.Itoa(n)
			}
			l.floats(newGrid(b, l.most), path, b.Title, label,
				append([]string{s.About}, b.Legend...), below(s.Blocks[i+1:]))
		case *Entries:
			if !b.Facts {
				l.floats(l.answers(b), path, b.Title, Slug(strings.Join(append(slices.Clone(path), b.Title), " ")),
					[]string{s.About}, below(nil))
			}
		}
	}
}

// answers are entries as a table.
func (l *latex) answers(e *Entries) grid {
	g := grid{head: []string{"question", "answer"}, numbers: make([]bool, 2)}
	for _, item := range e.Items {
		if e.Names > 0 {
			g.rows = append(g.rows, []string{item.label(), strings.TrimSpace(item.Struck + " " + item.text())})
			continue
		}
		var said []string
		for _, t := range item.said() {
			if t.Depth.written(l.most) {
				said = append(said, t.Text)
			}
		}
		g.rows = append(g.rows, []string{item.Term, strings.Join(said, "; ")})
	}
	if e.Names > 0 {
		g.head = []string{"what", "finding"}
	}
	return g
}

// textsOf are the texts of the written paragraphs that keep chooses, after their marks.
func (l *latex) textsOf(blocks []Block, keep func(Paragraph) bool) []string {
	var all []string
	for _, b := range blocks {
		if t, ok := b.(Paragraph); ok && t.Depth.written(l.most) && t.Text != "" && keep(t) {
			all = append(all, strings.TrimSpace(t.Mark+" "+t.Text))
		}
	}
	return all
}

// general are caveats on all numbers below some blocks; those of a part without a title apply to all parts.
func (l *latex) general(blocks []Block) []string {
	all := l.textsOf(blocks, func(t Paragraph) bool { return t.General })
	for _, b := range blocks {
		if s, ok := b.(*Section); ok && s.Title == "" {
			all = append(all, l.general(s.Blocks)...)
		}
	}
	return all
}

// floats writes a table in as many floats as its rows and columns need. A table without a title takes that of
// its section; about explains the numbers, notes stand below.
func (l *latex) floats(g grid, path []string, title, label string, about, notes []string) {
	if len(g.rows) == 0 {
		return
	}
	if n := len(path); title == "" && n > 0 {
		title, path = path[n-1], path[:n-1]
	}
	title = upper(cmp.Or(title, "findings"))
	if len(path) > 0 {
		title += " (" + path[0] + ")"
	}
	caption := title
	for _, text := range about {
		caption += enclosed(": ", strings.TrimSuffix(text, "."), "")
	}
	table := l.free(strings.TrimSuffix(labelled+"-"+label, "-"))
	name := strings.TrimPrefix(strings.TrimPrefix(table, labelled), "-")
	l.names = append(l.names, name)
	if l.only != "" && l.only != name {
		return
	}
	g, numbered := g.footnoted()
	below := latexNotes(numbered, slices.Concat(notes, g.remarks))
	part := 0
	for _, columns := range g.narrow() {
		most := latexRows
		if columns.sentences() {
			most = latexSentences
		}
		whole := columns
		for from := 0; from < len(whole.rows); from += most {
			to := min(from+most, len(whole.rows))
			columns.rows, columns.marks = whole.rows[from:to], whole.marks[from:to]
			if part++; part == 1 {
				l.float(columns, caption, table, below)
				continue
			}
			var first []string // only the first part has the notes
			if len(below) > 0 {
				first = []string{`Notes: see table~\ref{` + table + `}.`}
			}
			l.float(columns, title+", continued", l.free(fmt.Sprintf("%s-part-%d", table, part)), first)
		}
	}
}

// latexNotes are the notes below a table, in LaTeX: those on rows after their numbers, then those on all of it.
func latexNotes(numbered, notes []string) []string {
	var all []string
	for i, note := range numbered {
		all = append(all, fmt.Sprintf(`\textsuperscript{%d} %s`, i+1, EscapeLaTeX(note)))
	}
	for _, note := range notes {
		all = append(all, EscapeLaTeX(note))
	}
	return all
}

// footnoted replaces the notes of rows, and a last column of caveats, by numbers. It returns the notes in the
// order of their numbers, each once.
func (g grid) footnoted() (grid, []string) {
	var notes []string
	last := len(g.head) - 1
	caveats := last > 0 && g.head[last] == "caveats"
	g.marks = make([]string, len(g.rows))
	rows := slices.Clone(g.rows)
	for i, r := range rows {
		var texts, numbers []string
		if caveats && r[last] != "" {
			texts = append(texts, r[last])
		}
		if i < len(g.below) {
			texts = append(texts, g.below[i]...)
		}
		for _, text := range texts {
			at := slices.Index(notes, text)
			if at < 0 {
				at, notes = len(notes), append(notes, text)
			}
			numbers = append(numbers, strconv.Itoa(at+1))
		}
		g.marks[i] = strings.Join(numbers, ",")
		if caveats {
			rows[i] = r[:last]
		}
	}
	if g.rows = rows; caveats {
		g.head, g.numbers = g.head[:last], g.numbers[:last]
	}
	return g, notes
}

// free is a label that no table has yet: a number is appended to one that is taken.
func (l *latex) free(label string) string {
	free := label
	for i := 2; l.taken[free]; i++ {
		free = label + "-" + strconv.Itoa(i)
	}
	l.taken[free] = true
	return free
}

// sentences reports whether a table consists of whole sentences.
func (g grid) sentences() bool { return len(g.head) == 2 && !g.numbers[0] && !g.numbers[1] }

// narrow cuts a table into tables that fit on a page: each has the columns of texts before the first number,
// and as many of the others as fit.
func (g grid) narrow() []grid {
	if g.sentences() {
		return []grid{g}
	}
	first, labels := max(1, slices.Index(g.numbers, true)), 0
	widths := make([]int, len(g.head))
	for i, head := range g.head {
		widths[i] = Width(head)
		for _, r := range g.rows {
			widths[i] = max(widths[i], Width(r[i]))
		}
		if i < first {
			labels += widths[i]
		}
	}
	var all []grid
	for from, to := first, first; len(all) == 0 || from < len(g.head); from = to {
		for used := labels; to < len(g.head) && (to == from || used+widths[to] <= latexCharacters); to++ {
			used += widths[to]
		}
		cut := grid{
			head:    slices.Concat(g.head[:first], g.head[from:to]),
			numbers: slices.Concat(g.numbers[:first], g.numbers[from:to]),
			marks:   g.marks,
		}
		for _, r := range g.rows {
			cut.rows = append(cut.rows, slices.Concat(r[:first], r[from:to]))
		}
		all = append(all, cut)
	}
	return all
}

// float writes a table; its notes are in LaTeX.
func (l *latex) float(g grid, caption, label string, notes []string) {
	// Texts stand to the left, numbers to the right; columns of sentences get a share of the line's width.
	kinds := ""
	for i := range g.head {
		long := slices.ContainsFunc(g.rows, func(r []string) bool { return Width(r[i]) > wideText })
		switch {
		case g.numbers[i]:
			kinds += "r"
		case long && i > 0:
			kinds += `p{0.28\linewidth}`
		default:
			kinds += "l"
		}
	}
	if g.sentences() {
		kinds = `p{0.36\linewidth}p{0.56\linewidth}`
	}
	b := &l.text
	fmt.Fprintf(b, "\n\\begin{table}[htbp]\n  \\centering\n  \\caption{%s.}\n  \\label{%s}\n"+
		"  \\footnotesize\n  \\setlength{\\tabcolsep}{4pt}\n", EscapeLaTeX(caption), label)
	fmt.Fprintf(b, "  \\begin{tabular}{%s}\n    \\toprule\n    %s \\\\\n    \\midrule\n", kinds,
		escaped(g.head, EscapeLaTeX, " & "))
	for i, r := range g.rows {
		cells := make([]string, len(r))
		for k, text := range r {
			cells[k] = EscapeLaTeX(text)
		}
		if mark := g.marks[i]; mark != "" {
			cells[0] += `\textsuperscript{` + mark + `}`
		}
		fmt.Fprintf(b, "    %s \\\\\n", strings.Join(cells, " & "))
	}
	b.WriteString("    \\bottomrule\n  \\end{tabular}\n")
	if len(notes) > 0 {
		b.WriteString("  \\par\\medskip\n  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n")
		for _, note := range notes {
			fmt.Fprintf(b, "    %s\\par\n", note)
		}
		b.WriteString("  \\end{minipage}\n")
	}
	b.WriteString("\\end{table}\n")
}

// wideText is the number of characters above which a column of texts breaks its lines.
const wideText = 40

// latexWords replaces the characters that pdflatex reads as something else, or not at all.
var latexWords = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': `\textquotedbl{}`, '`': `\textasciigrave{}`, '[': `{[}`, ']': `{]}`, '*': `{*}`,
	'±': `$\pm$`, '×': `$\times$`, '−': `$-$`, '·': `$\cdot$`, '…': `\ldots{}`, '–': `--`, '—': `---`,
	'“': `\textquotedblleft{}`, '”': `\textquotedblright{}`, '’': `\textquoteright{}`, '‘': `\textquoteleft{}`,
	'\u00b5': `\textmu{}`, '\u03bc': `\textmu{}`, '∞': `$\infty$`, '√': `$\surd$`,
	'≤': `$\le$`, '≥': `$\ge$`, '→': `$\rightarrow$`, '²': `\texttwosuperior{}`, '°': `\textdegree{}`,
}

// EscapeLaTeX makes a text safe in LaTeX. Letters of western Europe stay; others become their code points, so
// that no letter stops pdflatex.
func EscapeLaTeX(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range OneLine(s) {
		word, known := latexWords[r]
		switch {
		case known:
			b.WriteString(word)
		case r == last && strings.ContainsRune("-,'", r): // two would be a ligature
			b.WriteString("{}" + string(r))
		case r <= unicode.MaxASCII, r >= 'À' && r <= 'ÿ':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "{[}U+%04X{]}", r)
		}
		last = r
	}
	return b.String()
}

// Slug turns a text into a name for other tools: small letters, digits, and single hyphens between them.
func Slug(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}
