package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
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
		for _, c := range h.Changed {
			p.wrapped(warn, "  !      ", c.Text())
		}
	}
}

// host is one machine, in its latest state, and what is to be said of it.
type host struct {
	*results.Machine
	Quiet   string
	Unmet   []string
	Changed []change
	States  int
}

// change is what was not the same in all sittings.
type change struct{ analysis.Changed }

// Text is "governor changed between sittings: powersave, then performance".
func (c change) Text() string {
	var values []string
	for _, v := range c.Values {
		values = append(values, cmp.Or(v, "not known"))
	}
	return c.What + " changed between sittings: " + strings.Join(values, ", then ")
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
			all[i].Quiet, all[i].Unmet = h.Quiet, h.Unmet
			for _, c := range h.Changed {
				all[i].Changed = append(all[i].Changed, change{c})
			}
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
		switch {
		case inv.LeftOut:
			r.Repeat = "as " + inv.RepeatedBy + ", and left out"
		case inv.RepeatedBy != "":
			r.Repeat = "as " + inv.RepeatedBy + ", and kept in"
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
	case inv.LeftOut:
		return " ! disturbed, repeated, left out"
	case inv.RepeatedBy != "":
		return " ! disturbed, repeated"
	}
	return " ! disturbed"
}
