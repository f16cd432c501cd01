package report

import (
	"io"
	"strconv"
	"strings"

	"moobench/analysis/compare"
	"moobench/analysis/infer"
)

// compareMarkdown prints a comparison as Markdown with tables: for a job's
// summary, or a pull request.
func compareMarkdown(w io.Writer, c *compare.Comparison) error {
	var b comparisonMarkdown
	b.line("## Comparison: " + inMarkdown(comparedName(c)))
	b.line("")
	for _, one := range c.Campaigns {
		b.line("- **" + inMarkdown(one.Title) + "**: " + inMarkdown(strings.Join(campaignFacts(one), " · ")))
	}
	b.line("")
	for _, s := range comparisonStamps(c) {
		b.quote("**" + inMarkdown(s) + "**")
	}
	for _, w := range comparedWarnings(c) {
		b.quote("! " + inMarkdown(w))
	}
	b.differences(c, "Why they are not alike", c.Unlike)
	for _, n := range c.Notes {
		b.quote(inMarkdown(n))
	}
	b.differences(c, "Not the same", c.Changed)
	said := map[string]bool{}
	for i := range c.Scenarios {
		notes := &footnotes{}
		for j := range c.Scenarios[i].Metrics {
			b.metric(c, &c.Scenarios[i], &c.Scenarios[i].Metrics[j], notes, said)
		}
	}
	if only := onlyTexts(c); len(only) > 0 {
		b.line("Not compared: " + inMarkdown(strings.Join(only, ", ")))
		b.line("")
	}
	for _, why := range incompleteness(c) {
		b.quote("**Incomplete:** " + inMarkdown(why))
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// comparisonMarkdown collects lines.
type comparisonMarkdown struct{ strings.Builder }

func (b *comparisonMarkdown) line(text string) { b.WriteString(text + "\n") }

func (b *comparisonMarkdown) quote(text string) { b.line("> " + text + "\n") }

// row is one of a table; its texts are written as they are.
func (b *comparisonMarkdown) row(cells ...string) { b.line("| " + strings.Join(cells, " | ") + " |") }

// head begins a table, whose columns but the first n are numbers.
func (b *comparisonMarkdown) head(left int, cells ...string) {
	b.row(cells...)
	rules := make([]string, len(cells))
	for i := range rules {
		if rules[i] = "---"; i >= left {
			rules[i] = "---:"
		}
	}
	b.row(rules...)
}

func (b *comparisonMarkdown) differences(c *compare.Comparison, title string, all []compare.Difference) {
	if len(all) == 0 {
		return
	}
	cells := []string{inMarkdown(title)}
	for _, one := range c.Campaigns {
		cells = append(cells, inMarkdown(one.Title))
	}
	b.head(len(cells), cells...)
	for _, d := range all {
		what := d.What
		if about := aboutCells(d); about != "" {
			what += " of " + about
		}
		cells := []string{inMarkdown(what)}
		for _, v := range d.Values {
			cells = append(cells, inMarkdown(v))
		}
		b.row(cells...)
	}
	b.line("")
}

func (b *comparisonMarkdown) metric(c *compare.Comparison, s *compare.Scenario, m *compare.Metric, notes *footnotes, said map[string]bool) {
	b.line("### " + inMarkdown(s.Label+": "+m.Metric.Name))
	b.line("")
	if about := comparedMetric(s, m); about != "" {
		b.line(inMarkdown(about) + "  ")
	}
	b.line("**" + inMarkdown(tally(c, m)) + "**")
	b.line("")
	b.head(1, comparisonHead(c, inMarkdown)...)
	before := len(notes.notes)
	for i := range m.Rows {
		b.row(b.cells(c, m, &m.Rows[i], notes)...)
	}
	b.line("")
	for _, line := range legendOf(c, m) {
		if !said[line] {
			b.line(inMarkdown(line) + "  ")
		}
		said[line] = true
	}
	b.line("")
	for i, n := range notes.notes[before:] {
		b.line("- **!" + strconv.Itoa(before+i+1) + "** " + inMarkdown(n.text()))
	}
	if len(notes.notes) > before {
		b.line("")
	}
}

// comparisonHead are the heads of a metric's table: of each campaign its
// overhead, of the later ones the change, and the means of all.
func comparisonHead(c *compare.Comparison, text func(string) string) []string {
	head := []string{"cell"}
	for i, one := range c.Campaigns {
		head = append(head, text(one.Title))
		if i > 0 {
			head = append(head, "change", "verdict", "p")
		}
	}
	for _, one := range c.Campaigns {
		head = append(head, "mean "+text(one.Title))
	}
	return head
}

// cells are those of one row, under comparisonHead.
func (b *comparisonMarkdown) cells(c *compare.Comparison, m *compare.Metric, r *compare.Row, notes *footnotes) []string {
	cells := []string{inMarkdown(fullLabel(r))}
	if marks := comparedMarks(c, r, notes); marks != "" {
		cells[0] += " " + marks
	}
	for i, one := range c.Campaigns {
		cells = append(cells, inMarkdown(overheadOf(&r.Sides[i], m.Metric)))
		if i == 0 {
			continue
		}
		change := changeTo(r, one.Title)
		if change == nil {
			cells = append(cells, "–", "", "")
			continue
		}
		verdict := inMarkdown(verdictOf(change, m.Metric, c.Margin))
		if change.Verdict == infer.Regression {
			verdict = "**" + verdict + "**"
		}
		if change.Absent != "" {
			verdict += ": " + inMarkdown(change.Absent)
		}
		cells = append(cells, inMarkdown(changeOf(change, m.Metric).String()), verdict, inMarkdown(adjustedP(change)))
	}
	for i := range r.Sides {
		cells = append(cells, inMarkdown(sideMean(&r.Sides[i], m.Metric)))
	}
	return cells
}
