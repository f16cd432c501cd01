package history

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// Origin is the information that a campaign does not contain.
type Origin struct {
	Commit string // of the measured code; "" if not known
	Folder string // base name of the campaign's folder
	// Artifacts are the files of each cell, by its ID, if more is known than the plan says; other
	// cells have the plan's.
	Artifacts map[string][]results.Artifact
}

// Nights returns the rows of a campaign: one per pinned metric and cell with a value. The reference
// against itself is not a row.
func Nights(a *analysis.Answers, pinned []analysis.Pinned, o Origin) []Night {
	var spoilt []string // caveats of all cells
	for _, s := range a.Scenarios {
		if slices.ContainsFunc(s.AA, func(aa analysis.AA) bool { return aa.State == analysis.AAFailed }) {
			spoilt = []string{MarkAAFailed}
		}
	}
	// The ID is the time at which the campaign was created, with a hash prefix that distinguishes
	// campaigns of the same minute.
	made := a.Campaign.Created.UTC()
	hash := digest(a.Campaign.Name, made, a.Campaign.Seed, a.Campaign.PlanHash)
	id := made.Format("2006-01-02T1504Z") + "-" + hash[:8]
	if a.Campaign.Start != nil {
		made = a.Campaign.Start.UTC()
	}
	models := map[string]string{} // by machine
	for _, m := range a.Machines {
		models[m.ID] = m.CPU
	}
	var nights []Night
	for _, p := range pinned {
		if p.Log == nil || p.Cell == p.Reference {
			continue
		}
		cell, reference := p.Cell, p.Reference
		value, referenceValue := cell.MetricNamed(p.Metric.Name).Mean, reference.MetricNamed(p.Metric.Name).Mean
		if value == nil || referenceValue == nil {
			continue
		}
		n := Night{
			Key: Key{
				Campaign: a.Campaign.Name, Scenario: p.Scenario.Label, Cell: planned(cell).Label(),
				Metric: p.Metric.Name, Reference: reference.Variant,
				Machine: runsSay(a, p, func(i *analysis.Invocation) string { return i.Machine }),
				Runtime: runsSay(a, p, func(i *analysis.Invocation) string { return i.Runtime }),
				Pool:    a.Campaign.Pool(),
				CPU:     runsSay(a, p, func(i *analysis.Invocation) string { return models[i.Machine] }),
			},
			ID: id, When: made, Commit: o.Commit, Folder: o.Folder, Plan: planOf(a, p.Scenario, cell, p.Metric),
			Tool: a.Campaign.Versions["moobench"],
			Unit: p.Metric.Unit, Better: p.Metric.Better, AA: cell.Role == results.RoleAA,
			Log: p.Log.Value, N: p.Log.N, Raw: value.Value, ReferenceRaw: referenceValue.Value,
			Artifacts: cell.Launch.Artifacts, Marks: slices.Clone(spoilt),
		}
		if p.Log.SE != nil {
			n.SE, n.DF = *p.Log.SE, *p.Log.DF
		}
		n.Standard = standardOf(p.Standard)
		if known, ok := o.Artifacts[cell.ID]; ok {
			n.Artifacts = known
		}
		if cell.Invalid+cell.Broken+reference.Invalid+reference.Broken != "" {
			n.Marks = append(n.Marks, MarkInvalid)
		}
		n.Marks = append(n.Marks, results.Each(cell.Marks, func(m analysis.Mark) string { return m.Show })...)
		for _, m := range reference.Marks {
			n.Marks = append(n.Marks, reference.Variant+": "+m.Show)
		}
		if n.check() == nil {
			nights = append(nights, n)
		}
	}
	return nights
}

// planned returns a cell as planned, without the CPU model, which becomes a factor when campaigns
// are merged, but is in the key of each series.
func planned(c *analysis.Cell) *results.Cell {
	isModel := func(f results.Value) bool { return f.Name == results.FactorModel }
	return &results.Cell{Variant: c.Variant, Role: c.Role, Factors: slices.DeleteFunc(slices.Clone(c.Factors), isModel)}
}

// standardOf converts a pinned value at standard speed for a night.
func standardOf(p *analysis.PinnedStandard) *StandardNight {
	if p == nil {
		return nil
	}
	s := &StandardNight{NS: p.StandardNS, AtNS: p.AtNS, Response: p.Response, Alike: p.Alike}
	if p.Log != nil {
		s.Log = &p.Log.Value
		if p.Log.SE != nil {
			s.SE, s.DF = *p.Log.SE, *p.Log.DF
		}
	}
	return s
}

// runsSay returns a property of the cell's and its reference's invocations of the metric's profile;
// if they differ, all values joined by +.
func runsSay(a *analysis.Answers, p analysis.Pinned, say func(*analysis.Invocation) string) string {
	var all []string
	for i := range a.Invocations {
		inv := &a.Invocations[i]
		its := inv.Cell == p.Cell.ID || inv.Cell == p.Reference.ID
		measured := its && inv.Profile == p.Metric.Profile && inv.Status == results.StatusOK
		if text := say(inv); measured && text != "" {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "+")
}

// planOf returns a hash of the subject's task and the way it is measured: scenario, metric,
// parameters, fixture, and requested machine settings. It excludes seed and number of blocks, and
// whatever may change between commits: the variants' own files and options.
func planOf(a *analysis.Answers, s *analysis.Scenario, cell *analysis.Cell, m results.Metric) string {
	var settings []string
	if control := a.Campaign.Control; control != nil {
		wish := func(w results.KnobState) string { return w.Name + "=" + w.Wanted }
		settings = append(results.Each(control.Wishes, wish), control.Profile)
	}
	if n := a.Campaign.Lanes(); n > 0 { // a busy machine counts as another one
		settings = append(settings, fmt.Sprintf("lanes=%d", n))
	}
	slices.Sort(settings)
	parameters := slices.Concat(s.Common, planned(cell).Factors)
	slices.SortFunc(parameters, func(a, b results.Value) int { return strings.Compare(a.Name, b.Name) })
	return digest(s.Use, s.WindowKind, m.Name, m.Unit, m.Series, m.Column, m.Profile,
		parameters, cell.Launch.Fixture, cell.Launch.Target, settings)[:16]
}

// digest returns a hash of values as JSON.
func digest(values ...any) string {
	text, _ := json.Marshal(values) // no error: all are plain values
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
