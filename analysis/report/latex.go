package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"moobench/analysis"
)

// How many rows a table may have, of figures and of sentences: more do not fit on
// a page, and go into another table.
const latexRows, latexSentences = 36, 12

// LaTeX prints the answers as tables for a thesis, to be read by \input: floats
// with captions and labels, ruled by booktabs. A comment at the head names the
// packages; pdflatex compiles it.
func LaTeX(w io.Writer, a *analysis.Answers) error {
	var b strings.Builder
	latexHead(&b, a)
	taken := distinct{}
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		label := taken.name("tab:moobench-"+slug(s.Label), "-")
		for _, t := range latexSheets(s) {
			t.spoilt(a, s)
			latexFloats(&b, s, t, strings.TrimSuffix(label+"-"+t.key, "-"))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexSheets are the tables of a scenario, narrow enough for a page: the ratios
// have one of their own, with the marks in words. What a delivered record costs
// is left to the other formats.
func latexSheets(s *analysis.Scenario) []sheet {
	var all []sheet
	for _, t := range sheets(s) {
		if t.key != "" {
			all = append(all, t)
			continue
		}
		ratios := t.only("variant", "level", "ratio", "marks")
		ratios.key, ratios.title, ratios.remarks = "ratios", "ratios to the baseline, "+primary(s).Name, nil
		all = append(all, t.without("ratio", "per record", "marks"))
		if slices.Contains(ratios.head, "ratio") {
			all = append(all, ratios)
		}
	}
	return append(all, questionSheet(s))
}

// latexHead says in comments what the file is and needs.
func latexHead(b *strings.Builder, a *analysis.Answers) {
	for _, line := range []string{
		`Tables of a moobench campaign, for \input{...} in a document with`,
		`  \usepackage[T1]{fontenc}`,
		`  \usepackage[utf8]{inputenc}  % TeX Live before 2018`,
		`  \usepackage{textcomp}        % TeX Live before 2020`,
		`  \usepackage{booktabs}`,
		`and a document class with floats. The intervals are over JVM invocations.`,
	} {
		fmt.Fprintln(b, "%", line)
	}
	for _, o := range provenance(a) {
		fmt.Fprintln(b, "%", o.name+":", o.value)
	}
}

// spoilt puts what is true of all numbers of a scenario before a table's own
// remarks: a table is read by itself.
func (t *sheet) spoilt(a *analysis.Answers, s *analysis.Scenario) {
	var all []string
	for _, text := range append(headTexts(a), s.Notes...) {
		all = append(all, "! "+text)
	}
	t.remarks = append(all, t.remarks...)
}

// questionSheet are the questions with their answers in words.
func questionSheet(s *analysis.Scenario) sheet {
	t := sheet{key: "questions", title: "questions and answers", head: []string{"question", "answer"}, text: []bool{true, true}}
	for _, q := range ordered(s.Answers) {
		answer := q.Sentence
		if q.Detail != "" {
			answer += " (" + q.Detail + ")"
		}
		t.rows = append(t.rows, []string{q.Text, answer})
	}
	if s.Unseen != "" {
		t.remarks = append(t.remarks, s.Unseen)
	}
	return t
}

// latexFloats writes a table in as many floats as its rows need.
func latexFloats(b *strings.Builder, s *analysis.Scenario, t sheet, label string) {
	most := latexRows
	if t.sentences() {
		most = latexSentences
	}
	for from := 0; from < len(t.rows); from += most {
		part, name, title := t, label, upper(t.title)+" ("+s.Label+")"
		part.rows = t.rows[from:min(from+most, len(t.rows))]
		if from > 0 {
			name, title = fmt.Sprintf("%s-part-%d", label, 1+from/most), title+", continued"
		}
		if t.about != "" {
			title += ": " + t.about
		}
		latexFloat(b, part, title, name)
	}
}

func latexFloat(b *strings.Builder, t sheet, title, label string) {
	fmt.Fprintf(b, "\n\\begin{table}[htbp]\n  \\centering\n  \\caption{%s.}\n  \\label{%s}\n  \\footnotesize\n  \\setlength{\\tabcolsep}{4pt}\n", latexText(title), label)
	fmt.Fprintf(b, "  \\begin{tabular}{%s}\n    \\toprule\n", latexColumns(t))
	fmt.Fprintf(b, "    %s \\\\\n    \\midrule\n", latexLine(t.head))
	for _, r := range t.rows {
		fmt.Fprintf(b, "    %s \\\\\n", latexLine(r))
	}
	b.WriteString("    \\bottomrule\n  \\end{tabular}\n")
	if len(t.remarks) > 0 {
		b.WriteString("  \\par\\medskip\n  \\begin{minipage}{\\linewidth}\\footnotesize\\raggedright\n")
		for _, remark := range t.remarks {
			fmt.Fprintf(b, "    %s\\par\n", latexText(remark))
		}
		b.WriteString("  \\end{minipage}\n")
	}
	b.WriteString("\\end{table}\n")
}

// sentences says whether a table is of whole sentences.
func (t *sheet) sentences() bool { return len(t.head) == 2 && t.text[0] && t.text[1] }

// latexColumns are the kinds of columns: to the left, to the right, and those of
// sentences and marks as broad as a part of the line.
func latexColumns(t sheet) string {
	if t.sentences() {
		return `p{0.36\linewidth}p{0.56\linewidth}`
	}
	var kinds strings.Builder
	for i, text := range t.text {
		switch {
		case t.head[i] == "marks":
			kinds.WriteString(`p{0.28\linewidth}`)
		case text:
			kinds.WriteByte('l')
		default:
			kinds.WriteByte('r')
		}
	}
	return kinds.String()
}

func latexLine(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = latexText(t)
	}
	return strings.Join(all, " & ")
}

// latexWords are the signs that pdflatex reads otherwise than as themselves, or
// not at all, with what stands for them.
var latexWords = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': `\textquotedbl{}`, '`': `\textasciigrave{}`, '[': `{[}`, ']': `{]}`, '*': `{*}`,
	'±': `$\pm$`, '×': `$\times$`, '−': `$-$`, '·': `$\cdot$`, '…': `\ldots{}`, '–': `--`, '—': `---`,
	'“': `\textquotedblleft{}`, '”': `\textquotedblright{}`, '’': `\textquoteright{}`, '‘': `\textquoteleft{}`,
	'\u00b5': `\textmu{}`, '\u03bc': `\textmu{}`, '∞': `$\infty$`, '√': `$\surd$`,
	'≤': `$\le$`, '≥': `$\ge$`, '→': `$\rightarrow$`, '²': `\texttwosuperior{}`, '°': `\textdegree{}`,
}

// latexText is a text that is nothing but text in LaTeX. Letters of western
// Europe stay; of others their code is told, so that no letter stops pdflatex.
func latexText(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range oneLine(s) {
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
