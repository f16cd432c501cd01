package lanes

import (
	"fmt"
	"strconv"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
)

// Show says how the lanes of the machine affect each other.
func (l *Lanes) Show(at *chapter.Scene) []doc.Block {
	if l == nil {
		return nil
	}
	m := at.Metric(at.Primary)
	answer := prose.LanesAtOnce(l.Judgement) +
		prose.If(l.Judgement == infer.Same, ", within %s", figure.Percent(l.Margin))
	about := fmt.Sprintf(
		"what each cell takes while all %d lanes are busy, against what it takes while the others are idle: %s",
		l.Count, answer)
	sec := &doc.Section{Title: "Lanes at once", About: about}
	t := &doc.Table{Columns: []doc.Column{
		{Head: "cell"},
		{Head: "alone", Number: true, Help: "JVMs while the other lanes were idle"},
		{Head: "all busy", Number: true, Help: "JVMs while all lanes were busy"},
		{
			Head:   "busy against alone",
			Number: true,
			Help:   "turn by turn, in units of each lane's level; the intervals hold together",
		},
		{Head: "verdict"},
	}}
	for _, c := range l.Cells {
		cell := doc.Cell{Text: c.NoRatio}
		if c.Ratio != nil {
			cell.Text = prose.Over(c.Ratio)
		}
		t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{
			{Text: c.Label},
			{Text: strconv.Itoa(c.Alone)},
			{Text: strconv.Itoa(c.Busy)},
			cell,
			{Text: prose.Judgement(infer.Judge(c.Verdict, "", false), l.Margin)},
		}})
	}
	levels := &doc.Table{Columns: []doc.Column{{Head: "lane"}, {Head: "CPUs"}, {Head: "baseline", Number: true}}}
	for _, level := range l.Levels {
		cells := append(doc.Texts("lane "+strconv.Itoa(level.Lane), level.CPUs), doc.Mean(level.Mean, m.Unit))
		levels.Rows = append(levels.Rows, doc.Row{Cells: cells})
	}
	levels.Notes = []string{
		"lanes whose baselines differ have different cores: no cost includes that, " +
			"for each block has its own baseline in its lane",
	}
	sec.Add(t, levels)
	return []doc.Block{sec}
}

// Rows has the ratio of each cell with all lanes busy to the same cell alone.
func (l *Lanes) Rows(at *chapter.Scene) []rows.Row {
	if l == nil {
		return nil
	}
	var found []rows.Row
	for _, c := range l.Cells {
		if cell := at.Cell(c.Cell); c.Ratio != nil && cell != nil {
			found = append(found, rows.Row{
				Key: cell.Key, Metric: at.Metric(at.Primary), Statistic: "busy_over_alone",
				About: "with all lanes busy over alone", Estimate: c.Ratio, Alone: cell.Marks,
			})
		}
	}
	return found
}
