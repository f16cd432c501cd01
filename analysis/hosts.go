package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// Host is the state of one machine while a campaign measured on it.
type Host struct {
	ID   string `json:"id"`   // as in machines
	Name string `json:"name"` // host name
	// Quiet lists the settings made for the campaign; "" if none.
	Quiet string `json:"quiet,omitempty"`
	// Unmet say which requested settings could not be met, and why.
	Unmet []string `json:"unmet,omitempty"`
	// Changed lists what differed between sessions.
	Changed []Changed `json:"changed,omitempty"`
}

// Changed is a knob, fact or other property of a machine that differed between sessions.
type Changed struct {
	What   string   `json:"name"`   // its name
	Values []string `json:"values"` // one per state of the machine, the earliest first; "" if unknown
}

// hosts describes each machine once; the argument has the latest state of each first.
func hosts(machines []*results.Machine, control *results.Control) []Host {
	var all []Host
	for _, states := range stats.Grouped(machines, func(m *results.Machine) string { return m.ID }) {
		latest := states[0]
		h := Host{ID: latest.ID, Name: latest.Host, Quiet: quiet(latest.Knobs, control)}
		for _, k := range latest.Knobs {
			if !k.Unmet() {
				continue
			}
			var text string
			switch stays := cmp.Or(k.Got, k.Found); stays {
			case "":
				text = fmt.Sprintf("%s could not be set to %s", k.Name, k.Wanted)
			case "on", "off":
				text = fmt.Sprintf("%s stays %s", k.Name, stays)
			default:
				text = fmt.Sprintf("%s stays %s, not %s", k.Name, stays, k.Wanted)
			}
			then := map[bool]string{
				true:  ": it was required",
				false: ": recorded, went on",
			}[k.Policy == results.PolicyRequire]
			h.Unmet = append(h.Unmet, text+prose.If(k.Reason != "", " (%s)", k.Reason)+then)
		}
		slices.Reverse(states)
		h.Changed = changed(states)
		all = append(all, h)
	}
	return all
}

// noteTogether notes which answers treat the invocations of several hosts as one sample.
func (a *Answers) noteTogether(c *results.Campaign) {
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		if all := s.together(&c.Scenarios[i]); len(all) > 0 && len(a.Campaign.Hosts) > 1 {
			s.Notes = append(s.Notes, a.Campaign.Together(all))
		}
	}
}

// together names the answers that treat all invocations as one sample: ranks, counted events and growth are not
// estimated within hosts.
func (s *Scenario) together(planned *results.Scenario) (all []string) {
	add := func(so bool, what string) {
		if so && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	for _, q := range planned.Questions {
		add(q.Asked && infer.Question{Kind: q.Test}.ByRanks(), "ranks")
	}
	for _, a := range s.Answers {
		add(a.Rates != nil, "rates")
	}
	add(len(s.Growths) > 0, "growth")
	return all
}

// quiet lists the settings that took effect: "governor performance · turbo off".
func quiet(knobs []results.KnobState, control *results.Control) string {
	var set []string
	already := 0
	for _, k := range knobs {
		switch {
		case k.Wanted == "" || k.Unmet():
		case k.Found == k.Got:
			already++
		default:
			set = append(set, k.Name+" "+k.Got)
		}
	}
	fixed := control != nil && control.Profile == results.ProfileFixedHardware
	parts := slices.Concat([]string{prose.If(fixed, "profile %s", results.ProfileFixedHardware)}, set, []string{
		prose.If(len(set) > 0, "what was found is put back at the end"),
		prose.If(already > 0, "%s stood so already", figure.Plural(already, "knob", "knobs")),
	})
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// changed compares the states of one machine, the earliest first: its identity, its knobs during the
// measurement, and its facts.
func changed(states []*results.Machine) []Changed {
	type fact struct {
		name, value string
		state       int
	}
	var known []fact
	for i, m := range states {
		known = append(known, fact{"kernel", m.Kernel, i}, fact{"OS", m.OS, i}, fact{"CPUs", strconv.Itoa(m.CPUs), i})
		for _, k := range m.Knobs {
			known = append(known, fact{k.Name, cmp.Or(k.Got, k.Found), i})
		}
		for _, name := range slices.Sorted(maps.Keys(m.Facts)) {
			known = append(known, fact{name, m.Facts[name], i})
		}
	}
	var all []Changed
	for _, facts := range stats.Grouped(known, func(f fact) string { return f.name }) {
		c := Changed{facts[0].name, make([]string, len(states))}
		for _, f := range facts {
			c.Values[f.state] = f.value
		}
		if slices.ContainsFunc(c.Values, func(v string) bool { return v != c.Values[0] }) {
			all = append(all, c)
		}
	}
	return all
}
