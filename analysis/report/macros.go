package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/refusal"
	"moobench/results"
)

// macrosHead explains the commands.
const macrosHead = `% Numbers of moobench as commands, for \input{...} before \begin{document}, with
%   \usepackage[T1]{fontenc}
%   \usepackage{textcomp}        % TeX Live before 2020
% Behind a command write {} where a space follows it. Low and High are the bounds of the
% interval, in the Unit of the value; N is how many JVM invocations, or pairs, it rests on.
`

// writeMacros prints numbers of the answers as LaTeX commands, named after scenario, cell and metric. The
// caveats of a cell are a command, too.
func writeMacros(w io.Writer, a *analysis.Answers, o Options) error {
	m := &macros{given: map[string]string{}}
	m.text.WriteString(macrosHead)
	m.text.WriteString(doc.LaTeXComment(slices.Concat([]string{provenanceLine(a)}, headTexts(a), a.Warnings)...))
	c := a.Campaign
	machines := machineLines(a, ", ")
	for _, known := range withValues([]fact{
		{"campaign", c.Name},
		{"date", moment(&c.Created, "2006-01-02")},
		{"moobench", c.Versions["moobench"]},
		{"jdk", strings.Join(c.Runtimes, ", ")},
		{"machine", strings.Join(machines, "; ")},
		{"blocks", textIf(!c.Design.Imported(), strconv.Itoa(c.Blocks))},
		{"seed", textIf(!c.Design.Imported(), strconv.FormatUint(c.Seed, 10))},
		{"plan", c.PlanHash},
	}) {
		m.say([]string{known.Name}, known.Value)
	}
	campaign := campaignCaveats(a)
	for _, s := range a.Scenarios {
		m.text.WriteString("\n" +
			doc.LaTeXComment(append([]string{s.Label + ": " + priced(&s), "over " + s.Window}, s.Notes...)...))
		m.say([]string{s.Label, "intervals"}, together(&s, "95 %"))
		for _, c := range cellsOf(&s, func(c *analysis.Cell) bool { return c.Role != results.RoleAA }) {
			m.text.WriteString("\n" + doc.LaTeXComment(s.Label+": "+c.Label))
			m.say([]string{s.Label, c.Label, "caveats"}, strings.Join(shows(s.CaveatsAgainst(c, campaign)), "; "))
			if why := c.Unanswered(s.Primary); why != "" {
				m.say([]string{s.Label, c.Label, "no result"}, why)
				continue
			}
			m.cell(&s, c, o.All)
		}
		for _, r := range a.OwnRows(&s, campaign) {
			statistic := strings.ReplaceAll(string(r.Statistic), "_", " ")
			m.estimate([]string{s.Label, r.Label, bareName(r.Metric.Name, r.Metric.Unit), statistic}, r.Estimate, r.Unit)
		}
	}
	if m.taken != nil {
		return m.taken
	}
	_, err := io.WriteString(w, m.text.String())
	return err
}

// macros are LaTeX commands being written.
type macros struct {
	text  strings.Builder
	given map[string]string // the meaning of each name
	taken error             // the error if a name has two meanings
}

// cell writes a command for each number of a cell: its cost, and its key metrics, or all.
func (m *macros) cell(s *analysis.Scenario, c *analysis.Cell, everything bool) {
	named := func(parts ...string) []string { return append([]string{s.Label, c.Label}, parts...) }
	all := s.CellRows(c, nil)
	cost := func(statistics ...rows.Statistic) (e *analysis.Estimate) {
		for _, statistic := range statistics {
			e = cmp.Or(e, rows.Find(all, s.Primary, statistic))
		}
		return e
	}
	unit := primary(s).Unit
	m.estimate(named("adds"), cost(rows.PerExecution, rows.Difference), unit)
	m.estimate(named("adds at standard speed"), cost(rows.PerExecutionAtStandard, rows.DifferenceAtStandard), unit)
	m.estimate(named("adds per record"), cost(rows.PerRecord), unit)
	if r := c.Records; r != nil && r.Invocations > 0 {
		m.number(named("records expected"), figure.Count(r.Expected))
		m.number(named("records received"), figure.Count(r.Received))
		m.number(named("records lost"), figure.Count(r.Lost))
	}
	for _, r := range all {
		word, ok := macroWord(r.Statistic)
		if r.Estimate == nil || !ok || !r.Primary && !r.Metric.Key && !everything {
			continue
		}
		name := bareName(r.Metric.Name, r.Metric.Unit)
		m.estimate(prose.NonEmpty(named(name, word)...), r.Estimate, r.Unit)
		if r.Statistic == rows.Rate {
			m.number(named(name, "events"), figure.Count(metricOf(c, r.Metric.Name).Rate.Events))
		}
	}
}

// macroWord is the end of the names of a statistic's commands; ok is false for statistics without commands.
func macroWord(s rows.Statistic) (word string, ok bool) {
	switch s {
	case rows.Mean, rows.Rate:
		return "", true
	case rows.Difference, rows.RateDifference:
		return "adds", true
	case rows.Ratio:
		return "times", true
	}
	return string(s), s.Quantile()
}

// estimate writes commands for an estimate, as the answer prints it: value, unit, bounds and n.
func (m *macros) estimate(of []string, e *analysis.Estimate, unit string) {
	if e == nil {
		return
	}
	scale := addedScale(e, unit)
	part := func(name, value string) { m.number(append(slices.Clone(of), name), value) }
	m.number(of, scale.WithUnit(scale.Number(e.Value)))
	if scale.Unit != "" {
		part("unit", scale.Unit)
	}
	if i := e.Interval; i != nil {
		part("low", scale.Number(i.Low))
		part("high", scale.Number(i.High))
	}
	part("n", strconv.Itoa(e.N))
}

// define writes a command of this name, with its LaTeX. If the name is taken, the whole output fails: a paper
// would show one value for the other.
func (m *macros) define(of []string, value string) {
	name, is := `\mb`, strings.Join(of, " / ")
	for _, part := range of {
		name += letters(part)
	}
	if other, taken := m.given[name]; taken && m.taken == nil {
		m.taken = refusal.New(fmt.Errorf("%s would stand for %q and for %q: LaTeX commands have letters only",
			name, other, is),
			"give one of them another label or variant in benchmarks.toml, "+
				"or take the numbers from moobench report --format csv")
	}
	m.given[name] = is
	fmt.Fprintf(&m.text, "\\newcommand{%s}{%s}\n", name, value)
}

// say writes a command for a text.
func (m *macros) say(of []string, text string) { m.define(of, doc.EscapeLaTeX(text)) }

// number writes a command for a number: no line ends between it and its unit.
func (m *macros) number(of []string, text string) {
	m.define(of, strings.ReplaceAll(doc.EscapeLaTeX(text), " ", "~"))
}

// letters turns a name into letters alone: words begin with a capital, digits are spelled out, and everything
// else is left out.
func letters(s string) string {
	digits := [...]string{"Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"}
	all, last := "", ' '
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		letter := func(r rune) bool { return r <= unicode.MaxASCII && unicode.IsLetter(r) }
		figure := func(r rune) bool { return r >= '0' && r <= '9' }
		switch {
		case figure(r):
			all += digits[r-'0']
		case r == '.' && figure(last) && figure(next):
			all += "Point"
		case letter(r) && letter(last):
			all += string(r)
		case letter(r):
			all += string(unicode.ToUpper(r))
		}
		last = r
	}
	return all
}
