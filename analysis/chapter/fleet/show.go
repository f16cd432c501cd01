package fleet

import (
	"fmt"
	"strconv"
	"time"

	"moobench/analysis/chapter"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
)

// Show says which machines measured a merged campaign, and which shards are missing.
func (f *Fleet) Show(*chapter.Scene) []doc.Block {
	if len(f.Hosts) == 0 {
		return nil
	}
	sec := &doc.Section{Title: "Machines", About: "who measured which part of the plan"}
	cores, shown := "CPU", func(h Host) string { return h.CPU }
	if f.Lanes() > 0 {
		sec = &doc.Section{Title: "Lanes", About: "which cores of the machine measured which part of the plan, at once"}
		cores, shown = "CPUs", func(h Host) string { return h.CPUs }
	}
	t := &doc.Table{Columns: []doc.Column{
		{Head: f.Word()},
		{Head: cores, Rank: 1},
		{Head: "blocks", Number: true},
		{Head: "wall time", Number: true, Help: "of all its JVMs, one after the other"},
		{Head: "its own A/A", Help: "from its own blocks, five at least; corrected over all of them (Holm)"},
	}}
	for i, h := range f.Hosts {
		wall := figure.Roughly(time.Duration(h.WallNS))
		cells := doc.Texts(f.NameOf(i), shown(h), strconv.Itoa(h.Blocks), wall, hostAA(h))
		t.Rows = append(t.Rows, doc.Row{Cells: cells})
	}
	for _, m := range f.Missing {
		t.Notes = append(t.Notes, fmt.Sprintf("shard %s is missing: %s, about %s to measure", m.Shard,
			figure.Plural(m.Blocks, "block", "blocks"), figure.Roughly(time.Duration(m.WallNS))))
	}
	sec.Add(t)
	return []doc.Block{sec}
}

// hostAA describes the A/A of a host.
func hostAA(h Host) string {
	switch {
	case h.P == nil:
		return "too few blocks to say"
	case h.Failed:
		return "failed (" + figure.P(*h.P) + ")"
	}
	return "passed (" + figure.P(*h.P) + ")"
}

// Rows is empty: the numbers are about hosts, and not about cells.
func (f *Fleet) Rows(*chapter.Scene) []rows.Row { return nil }

// NameOf is the name of a host: with its machine's ID if several have the same name, with the boot if one
// machine booted several times.
func (f *Fleet) NameOf(host int) string {
	all := f.Hosts
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
