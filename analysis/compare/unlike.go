package compare

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// none is the value of what a campaign is known not to have.
const none = "–"

// UnlikeError says in what campaigns differ so that a comparison of them would
// be about that, and not about what was measured.
type UnlikeError struct {
	Titles []string // of the campaigns
	Lines  []Difference
}

func (e *UnlikeError) Error() string {
	var names []string
	for _, l := range e.Lines {
		if !slices.Contains(names, l.What) {
			names = append(names, l.What)
		}
	}
	return "the campaigns are not alike: " + strings.Join(names, ", ")
}

// lines collects differences; those of several cells are one.
type lines struct {
	all []Difference
}

// add notes what differs between campaigns that say something of it; cell is ""
// when it is about all.
func (l *lines) add(what, cell string, values []string) {
	if !differ(values) {
		return
	}
	for i := range l.all {
		if d := &l.all[i]; d.What == what && slices.Equal(d.Values, values) {
			if cell != "" {
				d.Cells = append(d.Cells, cell)
			}
			return
		}
	}
	d := Difference{What: what, Values: values}
	if cell != "" {
		d.Cells = []string{cell}
	}
	l.all = append(l.all, d)
}

// differ says whether two of the values are known and not the same.
func differ(values []string) bool {
	first := ""
	for _, v := range values {
		switch {
		case v == "":
		case first == "":
			first = v
		case v != first:
			return true
		}
	}
	return false
}

// settled leaves out the names of cells where the difference is about all n.
func (l *lines) settled(n int) []Difference {
	for i := range l.all {
		if len(l.all[i].Cells) >= n {
			l.all[i].Cells = nil
		}
	}
	return l.all
}

// each are the values that all campaigns have of something.
func (t *table) each(value func(*analysis.Answers) string) []string {
	var values []string
	for _, c := range t.columns {
		values = append(values, value(c.answers))
	}
	return values
}

// unlike are the differences for which campaigns are not compared: the design,
// the machine, the JDK, and the plan of the cells that they share.
func (t *table) unlike() []Difference {
	l := &lines{}
	l.add("design", "", t.each(func(a *analysis.Answers) string { return string(a.Campaign.Design) }))
	l.add("measured by", "", t.each(func(a *analysis.Answers) string { return a.Campaign.Source }))
	if differ(t.each(func(a *analysis.Answers) string { return strings.Join(machineIDs(a), " ") })) {
		l.add("machine", "", t.each(func(a *analysis.Answers) string { return strings.Join(machines(a), "; ") }))
	}
	if differ(t.each(majorVersion)) {
		l.add("moobench", "", t.each(version))
	}
	l.add("shortened to", "", t.each(func(a *analysis.Answers) string { return shortened(a.Campaign.Scale) }))
	for _, s := range t.sections {
		s.unlike(l, len(t.sections) > 1)
		for _, m := range s.cells {
			t.unlikeCell(l, m)
		}
	}
	return l.settled(t.cells())
}

func version(a *analysis.Answers) string { return a.Campaign.Versions["moobench"] }

// majorVersion is that of moobench, up to the first dot.
func majorVersion(a *analysis.Answers) string {
	major, _, _ := strings.Cut(strings.TrimPrefix(version(a), "v"), ".")
	return major
}

func shortened(scale float64) string {
	if scale == 0 {
		scale = 1
	}
	return fmt.Sprint(scale)
}

// unlike are the differences between scenarios: what was done, over which
// samples, and what their metrics mean.
func (s *section) unlike(l *lines, several bool) {
	where := ""
	if several {
		where = s.label + ": "
	}
	each := func(value func(*analysis.Scenario) string) []string {
		values := make([]string, len(s.scenarios))
		for i, sc := range s.scenarios {
			if sc != nil {
				values[i] = value(sc)
			}
		}
		return values
	}
	l.add(where+"scenario", "", each(func(sc *analysis.Scenario) string { return sc.Use }))
	l.add(where+"window", "", each(func(sc *analysis.Scenario) string { return string(sc.WindowKind) }))
	l.add(where+"primary metric", "", each(func(sc *analysis.Scenario) string { return sc.Primary }))
	for _, m := range s.scenarios[0].Metrics {
		l.add(where+"metric "+m.Name, "", each(func(sc *analysis.Scenario) string {
			if other := metricOf(sc, m.Name); other != nil {
				return meaning(*other)
			}
			return ""
		}))
	}
}

// meaning is what makes figures of two metrics comparable.
func meaning(m results.Metric) string {
	text := fmt.Sprintf("in %s, %s is better, %s profile", m.Unit, m.Better, m.Profile)
	if m.Of != "" {
		text += ", of " + m.Of
	}
	return text
}

func metricOf(sc *analysis.Scenario, name string) *results.Metric {
	for i := range sc.Metrics {
		if sc.Metrics[i].Name == name {
			return &sc.Metrics[i]
		}
	}
	return nil
}

// unlikeCell are the differences between the two sides of one cell: reference,
// parameters, fixture, JDK, CPUs and JVM options.
func (t *table) unlikeCell(l *lines, m matched) {
	each := func(value func(int, side) string) []string {
		values := make([]string, len(m.sides))
		for i, s := range m.sides {
			if s.cell != nil {
				values[i] = value(i, s)
			}
		}
		return values
	}
	seen := func(of func(observed) string) []string {
		return each(func(i int, s side) string { return of(t.columns[i].observed[s.cell.ID]) })
	}
	l.add("reference", m.label, each(func(_ int, s side) string { return variantOf(s.baseline()) }))
	for _, name := range m.parameters() {
		l.add(name, m.label, each(func(_ int, s side) string { return orNone(parameter(s.scenario, s.cell, name)) }))
	}
	l.add("fixture", m.label, each(func(_ int, s side) string { return orNone(s.cell.Launch.Fixture) }))
	l.add("monitored class", m.label, each(func(_ int, s side) string { return orNone(s.cell.Launch.Target) }))
	l.add("program", m.label, each(func(_ int, s side) string { return orNone(strings.Join(s.cell.Launch.Run, " ")) }))
	l.add("JDK", m.label, seen(func(o observed) string { return strings.Join(o.runtimes, ", ") }))
	l.add("CPUs", m.label, seen(func(o observed) string { return strings.Join(o.cpus, ", ") }))
	for _, profile := range []results.Profile{results.ProfileTiming, results.ProfileResources} {
		l.add(fmt.Sprintf("JVM options (%s)", profile), m.label, seen(func(o observed) string { return o.options[profile] }))
	}
}

func variantOf(c *analysis.Cell) string {
	if c == nil {
		return none
	}
	return c.Variant
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

// parameters are the names of all parameters that the sides of a cell have.
func (m matched) parameters() []string {
	var names []string
	for _, s := range m.sides {
		if s.cell == nil {
			continue
		}
		for _, v := range slices.Concat(s.scenario.Common, s.cell.Factors) {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}
