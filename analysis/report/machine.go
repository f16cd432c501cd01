package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// machines says on what was measured, how it was quietened, and what could not
// be had: each machine once, whatever its number of states.
func (p *printer) machines(a *analysis.Answers) {
	for _, h := range newHosts(a) {
		p.wrapped(plain, "", strings.Join(machineLine(h.Machine, a.Campaign.Runtimes), " · "))
		if h.Quiet != "" {
			p.wrapped(dim, "  quiet  ", h.Quiet)
		}
		for _, u := range h.Unmet {
			p.wrapped(warn, "  !      ", u)
		}
		if c := h.Change(); c != "" {
			p.wrapped(warn, "  !      ", c)
		}
	}
}

// host is one machine, in its latest state, and what is to be said of it.
type host struct {
	*results.Machine
	Quiet   string
	Unmet   []string
	Changed []analysis.Changed
	States  int
}

// changesNamed is how many changes are named in one line.
const changesNamed = 4

// Change is "changed between sittings: governor (powersave, then performance)",
// "" when nothing did.
func (h host) Change() string {
	var texts []string
	for _, c := range h.Changed[:min(changesNamed, len(h.Changed))] {
		var values []string
		for _, v := range c.Values {
			values = append(values, cmp.Or(v, "not known"))
		}
		texts = append(texts, c.What+" ("+strings.Join(values, ", then ")+")")
	}
	if len(texts) == 0 {
		return ""
	}
	if more := len(h.Changed) - len(texts); more > 0 {
		texts = append(texts, figure.Plural(more, "other thing", "other things"))
	}
	return "changed between sittings: " + strings.Join(texts, ", ")
}

func newHosts(a *analysis.Answers) []host {
	var all []host
	for _, m := range a.Machines {
		i := slices.IndexFunc(all, func(h host) bool { return m != nil && h.ID == m.ID })
		switch {
		case m == nil:
		case i >= 0:
			all[i].States++
		default:
			all = append(all, host{Machine: m, States: 1})
		}
	}
	for i := range all {
		for _, h := range a.Hosts {
			if h.ID != all[i].ID {
				continue
			}
			all[i].Quiet, all[i].Unmet, all[i].Changed = h.Quiet, h.Unmet, h.Changed
			break
		}
	}
	return all
}

// oddRow is an invocation that was disturbed, or ran with other settings than
// the campaign's first one.
type oddRow struct{ Invocation, Cell, Settings, Because, Repeat string }

// newOdd lists them.
func newOdd(a *analysis.Answers, s *analysis.Scenario) []oddRow {
	var rows []oddRow
	for _, inv := range a.Invocations {
		if inv.Scenario != s.Label || inv.Disturbed == nil && len(inv.Settings) == 0 {
			continue
		}
		r := oddRow{Invocation: inv.ID, Cell: labelOf(s, inv.Cell), Settings: settingsText(inv.Settings)}
		if inv.Disturbed != nil {
			r.Because, r.Repeat = inv.Disturbed.Because, "no: it stays in"
		}
		if inv.RepeatedBy != "" {
			r.Repeat = "as " + inv.RepeatedBy + ", and counts all the same"
		}
		rows = append(rows, r)
	}
	return rows
}

// settingsText is "governor powersave, turbo on".
func settingsText(settings map[string]string) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		texts = append(texts, name+" "+cmp.Or(settings[name], "not known"))
	}
	return strings.Join(texts, ", ")
}

// disturbedText stands behind the value of an invocation that was disturbed.
func disturbedText(inv analysis.Invocation) string {
	switch {
	case inv.Disturbed == nil:
		return ""
	case inv.RepeatedBy != "":
		return " ! disturbed, repeated"
	}
	return " ! disturbed"
}
