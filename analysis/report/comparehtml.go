package report

import (
	"bytes"
	"html/template"
	"io"
	"strconv"

	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// comparisonPage is what its template prints.
type comparisonPage struct {
	*compare.Comparison
	Name     string
	Facts    [][]string // of each campaign
	Stamps   []string
	Warned   []string
	Lacking  []string
	Onlys    []string
	Within   string          // the margin
	Why      differenceTable // they are not alike
	Others   differenceTable // that do not forbid to compare
	Sections []comparedSection
	Style    template.CSS
}

// differenceTable is what differs, a column for each campaign.
type differenceTable struct {
	Titles []string
	Rows   []differenceRow
}

type differenceRow struct {
	What, About string // About is which cells it is of, "" of all
	Values      []string
}

// comparedSection is one metric of one scenario.
type comparedSection struct {
	ID, Title, About, Tally string
	Worse                   bool
	Head                    []string
	Rows                    []comparedRow
	Plot                    changePlot
	Legend                  []string
	Footnotes               []footnote
}

// comparedRow is one cell: its overhead in each campaign, and what changed.
type comparedRow struct {
	Label string
	Sides []comparedSide
}

// comparedSide is a cell in one campaign, with its change where there is one.
type comparedSide struct {
	Overhead, Mean string
	Marks          []string
	First          bool // the campaign that the others are set against
	Change         shown
	Verdict, Class string
	Absent, P      string
}

// compareHTML prints a comparison as one page that needs nothing else: no
// network and no script. The same comparison gives the same bytes.
func compareHTML(w io.Writer, c *compare.Comparison) error {
	p, err := newComparisonPage(c)
	if err != nil {
		return err
	}
	t, err := template.New("compare.tmpl").ParseFS(pageFiles, "page/compare.tmpl")
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, p); err != nil {
		return err
	}
	_, err = w.Write(buf.Bytes())
	return err
}

func newComparisonPage(untrusted *compare.Comparison) (*comparisonPage, error) {
	c, err := cleanCopy(untrusted)
	if err != nil {
		return nil, err
	}
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return nil, err
	}
	p := &comparisonPage{
		Comparison: c, Name: comparedName(c), Stamps: comparisonStamps(c), Warned: comparedWarnings(c), Lacking: incompleteness(c), Onlys: onlyTexts(c),
		Within: figure.Level(c.Margin), Why: newDifferences(c, c.Unlike), Others: newDifferences(c, c.Changed), Style: template.CSS(style),
	}
	for _, one := range c.Campaigns {
		p.Facts = append(p.Facts, campaignFacts(one))
	}
	for i := range c.Scenarios {
		s, notes := &c.Scenarios[i], &footnotes{}
		for j := range s.Metrics {
			p.Sections = append(p.Sections, newComparedSection(c, s, &s.Metrics[j], "m"+strconv.Itoa(len(p.Sections)), notes))
		}
	}
	return p, nil
}

func newDifferences(c *compare.Comparison, all []compare.Difference) differenceTable {
	var t differenceTable
	for _, one := range c.Campaigns {
		t.Titles = append(t.Titles, one.Title)
	}
	for _, d := range all {
		t.Rows = append(t.Rows, differenceRow{d.What, aboutCells(d), d.Values})
	}
	return t
}

// newComparedSection is one metric; what marks say that are in notes already, an
// earlier section of the scenario has said.
func newComparedSection(c *compare.Comparison, s *compare.Scenario, m *compare.Metric, id string, notes *footnotes) comparedSection {
	sec := comparedSection{
		ID: id, Title: s.Label + ": " + m.Metric.Name, About: comparedMetric(s, m), Tally: tally(c, m), Worse: m.Count(infer.Regression) > 0,
		Plot: newChangePlot(c, m), Legend: legendOf(c, m),
	}
	before := len(notes.notes)
	for i := range m.Rows {
		r := &m.Rows[i]
		row := comparedRow{Label: fullLabel(r)}
		for k := range r.Sides {
			row.Sides = append(row.Sides, newComparedSide(c, m, r, k))
		}
		comparedMarks(c, r, notes)
		sec.Rows = append(sec.Rows, row)
	}
	sec.Footnotes = notes.notes[before:]
	for i, one := range c.Campaigns {
		sec.Head = append(sec.Head, one.Title)
		if i > 0 {
			sec.Head = append(sec.Head, "change", "verdict", "p")
		}
	}
	return sec
}

func newComparedSide(c *compare.Comparison, m *compare.Metric, r *compare.Row, i int) comparedSide {
	s := comparedSide{
		Overhead: overheadOf(&r.Sides[i], m.Metric), Mean: sideMean(&r.Sides[i], m.Metric), Marks: markTexts(r.Sides[i].Marks), First: i == 0,
	}
	change := changeTo(r, c.Campaigns[i].Title)
	switch {
	case s.First:
	case change == nil:
		s.Verdict, s.Class, s.Absent = string(infer.NotJudged), "none", r.Sides[i].Absent
	default:
		s.Change, s.Verdict, s.Class = changeOf(change, m.Metric), verdictOf(change, m.Metric, c.Margin), comparedClass(change.Verdict)
		s.Absent, s.P = change.Absent, adjustedP(change)
	}
	return s
}

// comparedClass is that of a verdict's badge.
func comparedClass(v infer.Judgement) string {
	switch v {
	case infer.Regression:
		return "badmark"
	case infer.Improvement:
		return "less"
	case infer.Same:
		return "free"
	case infer.Changed, infer.DiffersTonight:
		return "more"
	case infer.UndecidedYet:
		return "undecided"
	}
	return "none"
}

// plotted says whether a row is drawn: what a variant's overhead, or that of
// the second baseline, changed by.
func plotted(r *compare.Row, change *compare.Change) bool {
	return (r.Role == results.RoleVariant || r.Role == results.RoleAA) && change.Estimate != nil && change.Estimate.Interval != nil && change.Relative
}
