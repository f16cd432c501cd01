package report

import (
	"fmt"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

// byHost has each machine's result in the primary metric, and the combined one.
func (b *builder) byHost() *doc.Section {
	s, m, word := b.s, primary(b.s), b.a.Campaign.Word()
	t := &doc.Table{Columns: []doc.Column{
		{Head: "variant"},
		{Head: word},
		{Head: "blocks", Number: true},
		{Head: "adds", Number: true},
		{Head: "verdict", Rank: 1},
	}}
	rows := &plot.Rows{Alt: "What each machine says of each variant", Zero: true}
	for i := range s.Cells {
		c := &s.Cells[i]
		a := metricOf(c, m.Name)
		if a == nil || a.Hosts == nil || a.Difference == nil {
			continue
		}
		label := c.Label
		add := func(who, blocks string, e *analysis.Estimate, verdict string) {
			if c.Executions > 0 {
				e = e.Over(float64(c.Executions))
			}
			cell := added(e, m.Unit)
			t.Rows = append(t.Rows, doc.Row{
				Cells: []doc.Cell{{Text: label}, {Text: who}, {Text: blocks}, cell, {Text: verdict}},
			})
			rows.Items = append(rows.Items, plot.RowOf(c.Label+" · "+who, cell.Text, e))
			label = ""
		}
		for _, h := range a.Hosts.Each {
			e := &analysis.Estimate{N: h.Pairs, Value: h.Value, Interval: h.Interval}
			add(b.a.Campaign.NameOf(h.Host), strconv.Itoa(h.Pairs), e, "")
		}
		n := len(a.Hosts.Each)
		if a.Hosts.OfThese {
			add(fmt.Sprintf("these %d %ss", n, word), "", a.Difference, string(a.Verdict))
		}
		if a.Healthy != nil {
			add("without those whose A/A failed", "", a.Healthy, "")
		}
		if a.Hosts.Like != nil {
			verdict := textIf(a.Hosts.LikeVerdict != infer.NoAnswer, string(a.Hosts.LikeVerdict))
			add("machines like these", "", a.Hosts.Like, verdict)
		}
		if i := a.Hosts.Next; i != nil {
			add("another such machine", "", &analysis.Estimate{Value: (i.Low + i.High) / 2, Interval: i}, "")
		}
	}
	if len(t.Rows) == 0 {
		return &doc.Section{}
	}
	rows.Axis = plot.InUnit(rows.Axis, "more than the baseline", m.Unit, rows.Values())
	about := "what each " + word + " says of " + m.Name + ", from its own blocks, and what they say together"
	sec := &doc.Section{Title: "By " + word, About: about}
	if b.paged {
		sec.Add(doc.FigureOf(rows.SVG(), ""))
	}
	t.Notes = []string{
		"these " + word + "s: the mean of their means, each with the same weight; nothing is said of others",
	}
	if b.a.Campaign.Lanes() == 0 { // there are no other lanes
		t.Notes = append(t.Notes, "machines like these: these are taken for a sample of them; "+
			"of fewer than three there is no verdict")
	}
	sec.Add(t)
	return sec
}
