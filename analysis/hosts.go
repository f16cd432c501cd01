package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis/evidence"
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

// FleetHost is one of the hosts that measured shards of a plan: a machine on one boot, or one of its lanes.
type FleetHost struct {
	Machine string `json:"machine"`        // ID
	Boot    string `json:"boot,omitempty"` // names the boot; absent if unknown
	Lane    int    `json:"lane,omitempty"` // from 1; absent if the machine measured one block at a time
	CPUs    string `json:"cpus,omitempty"` // of the lane's subjects
	Name    string `json:"name"`           // host name
	CPU     string `json:"cpu"`            // model
	Blocks  int    `json:"blocks"`         // planned blocks that it measured
	WallNS  int64  `json:"wall_ns"`        // total time of its invocations
	// P is the smallest p of its own A/As, adjusted over all hosts (Holm); absent with fewer than five blocks,
	// too few for an A/A.
	P *float64 `json:"aa_p,omitempty"`
	// Failed says that P is below 0.01: differences without such hosts are given as well. Nothing is dropped.
	Failed bool `json:"aa_failed,omitempty"`
}

// MissingShard is a shard that nobody measured, and the time it would take.
type MissingShard struct {
	Shard  string `json:"shard"`  // 3/16
	Blocks int    `json:"blocks"` // planned blocks
	// WallNS is about how long it will take, by the others' time per block; absent if unknown.
	WallNS int64 `json:"wall_ns,omitempty"`
}

// fleet says who measured a merged campaign, and which shards are missing.
func fleet(
	c *results.Campaign, machines []*results.Machine, all evidence.All,
) (hosts []FleetHost, missing []MissingShard) {
	if c.Merged == nil {
		return nil, nil
	}
	planned := map[int]bool{}
	for _, b := range c.Blocks {
		planned[b.Number] = b.Kind == results.BlockPlanned
	}
	wall, blocks := int64(0), map[int]bool{}
	for i, h := range all.Hosts {
		one, own := FleetHost{Machine: h.Machine, Boot: h.Boot, Lane: h.Lane}, map[int]bool{}
		if m := slices.IndexFunc(machines, func(m *results.Machine) bool { return m.ID == h.Machine }); m >= 0 {
			one.Name, one.CPU = machines[m].Host, machines[m].CPU
		}
		for _, e := range all.Invocations {
			if e.Host != i {
				continue
			}
			if h.Lane > 0 {
				one.CPUs = cmp.Or(one.CPUs, e.CPUs)
			}
			one.WallNS += max(0, e.End.Sub(e.Start).Nanoseconds())
			if planned[e.Block] {
				own[e.Block], blocks[e.Block] = true, true
			}
		}
		one.Blocks = len(own)
		wall += one.WallNS
		hosts = append(hosts, one)
	}
	for _, x := range c.Merged.Missing {
		m := MissingShard{Shard: fmt.Sprintf("%d/%d", x.Index, c.Merged.Count), Blocks: x.Blocks}
		if len(blocks) > 0 {
			m.WallNS = wall / int64(len(blocks)) * int64(x.Blocks)
		}
		missing = append(missing, m)
	}
	return hosts, missing
}

// noteTogether notes which answers treat the invocations of several hosts as one sample.
func (a *Answers) noteTogether(c *results.Campaign) {
	if len(a.Campaign.Fleet) < 2 {
		return
	}
	for i := range a.Scenarios {
		if all := a.Scenarios[i].together(&c.Scenarios[i]); len(all) > 0 {
			word := a.Campaign.HostWord()
			a.Scenarios[i].Notes = append(a.Scenarios[i].Notes, fmt.Sprintf(
				"%s: over all %ss together, so that what these differ by is in the spread; "+
					"compare means for an answer within %ss",
				strings.Join(all, ", "), word, word))
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

// lacking names the missing shards and how long they take to measure.
func lacking(missing []MissingShard) []string {
	return results.Each(missing, func(m MissingShard) string {
		return fmt.Sprintf("shard %s is missing: %s%s",
			m.Shard, figure.Plural(m.Blocks, "planned block", "planned blocks"),
			prose.If(m.WallNS > 0, ", about %s to measure", figure.Roughly(time.Duration(m.WallNS))))
	})
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
