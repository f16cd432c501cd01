package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// none is the value of a property that a campaign is known to lack.
const none = "–"

// UnlikeError lists the differences of campaigns that a comparison would measure instead of its
// subject.
type UnlikeError struct {
	Titles []string // of the campaigns
	Lines  []Difference
}

func (e *UnlikeError) Error() string {
	alike := stats.Grouped(e.Lines, func(d Difference) string { return d.What })
	names := results.Each(alike, func(of []Difference) string { return of[0].What })
	return "the campaigns are not alike: " + strings.Join(names, ", ")
}

// lines collects differences; a difference of several cells is one line.
type lines []Difference

// add notes a difference between campaigns with known values; cell is "" when it is about all.
func (l *lines) add(what, cell string, values []string) {
	if !differ(values) {
		return
	}
	i := slices.IndexFunc(*l, func(d Difference) bool { return d.What == what && slices.Equal(d.Values, values) })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Difference{What: what, Values: values})
	}
	if cell != "" {
		(*l)[i].Cells = append((*l)[i].Cells, cell)
	}
}

// differ reports whether two known values differ.
func differ(values []string) bool {
	known := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" })
	return len(slices.Compact(known)) > 1
}

// settled drops the names of cells if the difference is about all n.
func (l lines) settled(n int) []Difference {
	for i := range l {
		if len(l[i].Cells) >= n {
			l[i].Cells = nil
		}
	}
	return l
}

// each returns the value of each element; "" for nil.
func each[T any](all []*T, value func(*T) string) []string {
	values := make([]string, len(all))
	for i, one := range all {
		if one != nil {
			values[i] = value(one)
		}
	}
	return values
}

// unlike returns the differences that forbid a comparison: design, machine, JDK, and the plan of
// the shared cells.
func (t *table) unlike() []Difference {
	l := &lines{}
	l.add("design", "", each(t.answers, func(a *analysis.Answers) string { return string(a.Campaign.Design) }))
	l.add("measured by", "", each(t.answers, func(a *analysis.Answers) string { return a.Campaign.Source }))
	ids := each(t.answers, func(a *analysis.Answers) string { return strings.Join(machineIDs(a), " ") })
	if !byModel(t.answers) && differ(ids) {
		pools, cpus := each(t.answers, pool), each(t.answers, models)
		if pools[0] != "" && len(slices.Compact(pools)) == 1 && differ(cpus) {
			l.add("CPU model in the pool "+pools[0], "", cpus)
		} else {
			described := func(a *analysis.Answers) string { return strings.Join(machines(a), "; ") }
			l.add("machine", "", each(t.answers, described))
		}
	}
	if differ(each(t.answers, majorVersion)) {
		l.add("moobench", "", each(t.answers, version))
	}
	scale := func(a *analysis.Answers) string { return fmt.Sprint(cmp.Or(a.Campaign.Scale, 1)) }
	l.add("shortened to", "", each(t.answers, scale))
	for _, s := range t.sections {
		s.unlike(l, len(t.sections) > 1)
		for _, m := range s.cells {
			m.unlike(l)
		}
	}
	return l.settled(t.cells())
}

func version(a *analysis.Answers) string { return a.Campaign.Versions["moobench"] }

// majorVersion is moobench's version up to the first dot.
func majorVersion(a *analysis.Answers) string {
	major, _, _ := strings.Cut(strings.TrimPrefix(version(a), "v"), ".")
	return major
}

// unlike adds the differences between scenarios: workload, window, and meaning of the metrics.
func (s *section) unlike(l *lines, several bool) {
	prefix := prose.If(several, "%s: ", s.label)
	add := func(what string, value func(*analysis.Scenario) string) {
		l.add(prefix+what, "", each(s.scenarios, value))
	}
	add("scenario", func(sc *analysis.Scenario) string { return sc.Use })
	add("window", func(sc *analysis.Scenario) string { return string(sc.WindowKind) })
	add("primary metric", func(sc *analysis.Scenario) string { return sc.Primary })
	for _, m := range s.scenarios[0].Metrics {
		add("metric "+m.Name, func(sc *analysis.Scenario) string { return meaning(sc, m.Name) })
	}
}

// meaning returns the unit, direction, profile and exposure of a metric, which must agree for
// figures to be comparable; "" if a scenario has no such metric.
func meaning(sc *analysis.Scenario, metric string) string {
	m := sc.MetricNamed(metric)
	if m == nil {
		return ""
	}
	of := prose.If(m.Of != "", ", of %s", m.Of)
	return fmt.Sprintf("in %s, %s is better, %s profile%s", m.Unit, m.Better, m.Profile, of)
}

// unlike adds the differences between the sides of one cell: reference, parameters, fixture, JDK,
// CPUs and JVM options.
func (m matched) unlike(l *lines) {
	add := func(what string, value func(*side) string) { l.add(what, m.label, each(m.sides, value)) }
	add("reference", func(s *side) string {
		if base := s.baseline(); base != nil {
			return base.Variant
		}
		return none
	})
	var parameters []string
	for _, s := range m.sides {
		if s == nil {
			continue
		}
		for _, v := range slices.Concat(s.scenario.Common, s.cell.Factors) {
			// Cells are matched by CPU model, which is a factor if there are several.
			if v.Name != results.FactorModel && !slices.Contains(parameters, v.Name) {
				parameters = append(parameters, v.Name)
			}
		}
	}
	for _, name := range parameters {
		add(name, func(s *side) string { return cmp.Or(parameter(s.scenario, s.cell, name), none) })
	}
	add("fixture", func(s *side) string { return cmp.Or(s.cell.Launch.Fixture, none) })
	add("monitored class", func(s *side) string { return cmp.Or(s.cell.Launch.Target, none) })
	add("program", func(s *side) string { return cmp.Or(strings.Join(s.cell.Launch.Run, " "), none) })
	add("JDK", func(s *side) string { return strings.Join(s.observed.runtimes, ", ") })
	add("CPUs", func(s *side) string { return strings.Join(s.observed.cpus, ", ") })
	for _, profile := range []results.Profile{results.ProfileTiming, results.ProfileResources} {
		add(fmt.Sprintf("JVM options (%s)", profile), func(s *side) string { return s.observed.options[profile] })
	}
}

// changed returns the differences that comparisons are made for, or that don't forbid one:
// versions, contents of the variants, number of blocks, calls found by pilots, and settings of the
// machine.
func (t *table) changed() []Difference {
	l := &lines{}
	if !differ(each(t.answers, majorVersion)) {
		l.add("moobench", "", each(t.answers, version))
	}
	l.add("blocks", "", each(t.answers, func(a *analysis.Answers) string { return fmt.Sprint(a.Campaign.Blocks) }))
	var knobs []string // knobs read back by any campaign
	for _, a := range t.answers {
		knobs = slices.AppendSeq(knobs, maps.Keys(a.Settings))
	}
	slices.Sort(knobs)
	for _, name := range slices.Compact(knobs) {
		l.add(name+" of the machine", "", each(t.answers, func(a *analysis.Answers) string { return a.Settings[name] }))
	}
	l.add("kernel", "", each(t.answers, func(a *analysis.Answers) string {
		var all []string
		for _, m := range a.Machines {
			all = insert(all, m.Kernel)
		}
		return strings.Join(all, ", ")
	}))
	for _, s := range t.sections {
		for _, m := range s.cells {
			add := func(what string, value func(results.Launch) string) {
				l.add(what, m.label, each(m.sides, func(s *side) string { return cmp.Or(value(s.cell.Launch), none) }))
			}
			add("artifacts", func(x results.Launch) string { // with a checksum prefix
				all := results.Each(x.Artifacts, func(a results.Artifact) string {
					return a.Name + prose.If(a.SHA256 != "", " %s", a.SHA256[:min(8, len(a.SHA256))])
				})
				slices.Sort(all)
				return strings.Join(all, ", ")
			})
			add("arguments", func(x results.Launch) string { return strings.Join(x.JVMArgs, " ") })
			add("environment", func(x results.Launch) string { return strings.Join(x.Env, " ") })
			add("preparation", func(x results.Launch) string { return strings.Join(x.Prepare, " ") })
			add("swaps", func(x results.Launch) string {
				return strings.TrimSpace(strings.Join([]string{x.Attach, x.Activate, x.Deactivate}, " "))
			})
			if z := m.sides[0].scenario.Settling; z != nil { // a given value is a parameter
				l.add(fmt.Sprintf("%s (%s)", z.Parameter, results.Auto), m.label, each(m.sides, (*side).settledCalls))
			}
		}
	}
	return l.settled(t.cells())
}

// settledCalls returns the number of calls per invocation found by a pilot, "" if none did.
func (s *side) settledCalls() string {
	n := s.scenario.Settling.Calls(s.cell.ID)
	return prose.If(n > 0, "%s", figure.Count(n))
}

// observed holds the conditions in which a cell's invocations ran.
type observed struct {
	runtimes, cpus []string
	// options are the JVM's own options, by profile: heap size or collector, say. The variant's
	// options are excluded: they may be the subject of the comparison.
	options map[results.Profile]string
}

// observe collects the conditions of the invocations with numbers, by cell ID.
func observe(a *analysis.Answers) map[string]observed {
	own := map[string][]string{} // by cell ID
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			own[c.ID] = c.Launch.JVMArgs
		}
	}
	all := map[string]observed{}
	for _, inv := range a.Invocations {
		measured := inv.Profile == results.ProfileTiming || inv.Profile == results.ProfileResources
		if inv.Status != results.StatusOK || !measured {
			continue
		}
		o, known := all[inv.Cell]
		if !known {
			o.options = map[results.Profile]string{}
		}
		o.runtimes, o.cpus = insert(o.runtimes, inv.Runtime), insert(o.cpus, inv.CPUs)
		if _, known := o.options[inv.Profile]; !known && len(inv.Command) > 0 {
			// Without paths, which differ between folders.
			options := slices.DeleteFunc(slices.Clone(inv.Command), func(arg string) bool {
				isPath := strings.Contains(arg, "/")
				return !strings.HasPrefix(arg, "-X") || isPath || slices.Contains(own[inv.Cell], arg)
			})
			o.options[inv.Profile] = cmp.Or(strings.Join(options, " "), none)
		}
		all[inv.Cell] = o
	}
	return all
}

// insert adds a text to a sorted list, once.
func insert(list []string, text string) []string {
	if i, found := slices.BinarySearch(list, text); text != "" && !found {
		return slices.Insert(list, i, text)
	}
	return list
}

// pool returns the name of the campaign's pool.
func pool(a *analysis.Answers) string { return a.Campaign.Pool() }

// byModel reports whether the CPU model is a factor of any campaign; cells are then compared within
// a model.
func byModel(as []*analysis.Answers) bool {
	isModel := func(f results.Value) bool { return f.Name == results.FactorModel }
	return slices.ContainsFunc(as, func(a *analysis.Answers) bool {
		return slices.ContainsFunc(a.Scenarios, func(s analysis.Scenario) bool {
			return slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool {
				return slices.ContainsFunc(c.Factors, isModel)
			})
		})
	})
}

// models returns the CPU models of a campaign's machines.
func models(a *analysis.Answers) string {
	var all []string
	for _, m := range a.Machines {
		all = insert(all, m.CPU)
	}
	return strings.Join(all, ", ")
}

// machines describes the machines of a campaign.
func machines(a *analysis.Answers) []string {
	names := map[string]string{}
	for _, m := range a.Machines { // the latest state of each machine comes first
		names[m.ID] = cmp.Or(names[m.ID], strings.TrimSpace(m.Host+" "+m.CPU)+" ("+m.ID+")")
	}
	return results.Each(hostIDs(a), func(id string) string { return cmp.Or(names[id], id) })
}

// machineIDs returns the sorted machine IDs of a campaign, named as in the series of a history;
// equal IDs are comparable machines. In a pool, all machines of one CPU model share an ID.
func machineIDs(a *analysis.Answers) []string {
	var ids []string
	for _, m := range a.Machines {
		if pool(a) != "" && m.CPU != "" {
			ids = insert(ids, results.PooledMachine(pool(a), m.CPU))
		}
	}
	if len(ids) > 0 {
		return ids
	}
	return hostIDs(a)
}

// hostIDs returns the sorted IDs of all machines of a campaign; one ID is one machine.
func hostIDs(a *analysis.Answers) []string {
	var ids []string
	for _, m := range a.Machines {
		ids = insert(ids, m.ID)
	}
	for _, inv := range a.Invocations {
		ids = insert(ids, inv.Machine)
	}
	return ids
}
