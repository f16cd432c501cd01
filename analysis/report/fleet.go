package report

import (
	"fmt"
	"strconv"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
)

// fleet says which machines measured a merged campaign, and which shards are missing.
func fleet(a *analysis.Answers) *doc.Section {
	c := a.Campaign
	if len(c.Fleet) == 0 {
		return &doc.Section{}
	}
	sec := &doc.Section{Title: "Machines", About: "who measured which part of the plan"}
	cores, shown := "CPU", func(h analysis.FleetHost) string { return h.CPU }
	if c.Lanes() > 0 {
		sec = &doc.Section{Title: "Lanes", About: "which cores of the machine measured which part of the plan, at once"}
		cores, shown = "CPUs", func(h analysis.FleetHost) string { return h.CPUs }
	}
	t := &doc.Table{Columns: []doc.Column{
		{Head: c.HostWord()},
		{Head: cores, Rank: 1},
		{Head: "blocks", Number: true},
		{Head: "wall time", Number: true, Help: "of all its JVMs, one after the other"},
		{Head: "its own A/A", Help: "by its own blocks, of which it takes five; together over all of them (Holm)"},
	}}
	for i, h := range c.Fleet {
		wall := figure.Roughly(time.Duration(h.WallNS))
		cells := doc.Texts(machineName(a, i), shown(h), strconv.Itoa(h.Blocks), wall, hostAA(h))
		t.Rows = append(t.Rows, doc.Row{Cells: cells})
	}
	for _, m := range c.Missing {
		t.Notes = append(t.Notes, fmt.Sprintf("shard %s is missing: %s, about %s to measure", m.Shard,
			figure.Plural(m.Blocks, "block", "blocks"), figure.Roughly(time.Duration(m.WallNS))))
	}
	sec.Add(t)
	return sec
}

// hostAA describes the A/A of a host.
func hostAA(h analysis.FleetHost) string {
	switch {
	case h.P == nil:
		return "too few blocks to say"
	case h.Failed:
		return "failed (" + figure.P(*h.P) + ")"
	}
	return "passed (" + figure.P(*h.P) + ")"
}

// machineName is the name of a host: with its machine's ID if several have the same name, with the boot if one
// machine booted several times.
func machineName(a *analysis.Answers, host int) string {
	all := a.Campaign.Fleet
	if host < 0 || host >= len(all) {
		return "machine " + strconv.Itoa(host+1)
	}
	name, alike, boots := all[host].Name, 0, 0
	for _, h := range all {
		if h.Name == name {
			alike++
		}
		if h.Machine == all[host].Machine {
			boots++
		}
	}
	switch {
	case all[host].Lane > 0:
		return "lane " + strconv.Itoa(all[host].Lane)
	case boots > 1:
		return name + ", boot " + all[host].Boot
	case alike > 1:
		return name + " " + all[host].Machine
	}
	return name
}

// byHost has each machine's result in the primary metric, and the combined one.
func (b *builder) byHost() *doc.Section {
	s, m, word := b.s, primary(b.s), b.a.Campaign.HostWord()
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
			add(machineName(b.a, h.Host), strconv.Itoa(h.Pairs), e, "")
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
