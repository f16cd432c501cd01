package analysis

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"moobench/analysis/infer"
	"moobench/results"
)

// Analyse answers the questions of a campaign. What can't be read is left out
// and named in the warnings; the error is of a campaign that nothing can be
// said about.
func Analyse(src Source) (*Answers, error) {
	a, _, err := analyse(src)
	return a, err
}

// analyse is Analyse, with the readers of the evidence that the answers rest on,
// one for each scenario.
func analyse(src Source) (*Answers, []*reader, error) {
	c := src.Campaign()
	if c == nil || len(c.Scenarios) == 0 {
		return nil, nil, errors.New("analysing campaign: it has no scenario")
	}
	a := &Answers{Version: Version, Scenarios: []Scenario{}, Invocations: []Invocation{}}
	machines, err := src.Machines()
	if err != nil {
		a.Warnings = append(a.Warnings, fmt.Sprintf("reading machines: %v", err))
	}
	a.Machines = machines
	all, superseded, problems := gather(src)
	a.Warnings = append(a.Warnings, problems...)
	for range problems {
		a.Unanswered = append(a.Unanswered, "an invocation could not be read")
	}
	a.Unanswered = slices.Compact(a.Unanswered)
	a.doubt(src, all)
	void, cells, d := map[string]string{}, byCell(all), infer.Solver{}
	var readers []*reader
	for i := range c.Scenarios {
		r := &reader{campaign: c, scenario: &c.Scenarios[i], made: cells, solver: d}
		s, used := r.settleRepeats()
		a.Scenarios, readers = append(a.Scenarios, s), append(readers, used)
		maps.Copy(void, used.void)
	}
	a.BreakEvens = breakEvens(readers)
	a.selfTests()
	a.Gate = a.gated(c, readers)
	a.Loops = loops(c, cells, "")
	a.Campaign = provenance(c, all, len(superseded))
	a.Hosts, a.Settings = hosts(machines, c.Control), firstSettings(all)
	a.list(c, all, superseded, void)
	a.Unanswered = append(a.Unanswered, a.unanswered()...)
	return a, readers, nil
}

// list adds the invocations.
func (a *Answers) list(c *results.Campaign, all []evidence, superseded []*results.Invocation, void map[string]string) {
	for _, e := range all {
		i := invocation(c, e, void[e.Cell] != "")
		i.Settings = unlike(e.Settings, a.Settings)
		a.Invocations = append(a.Invocations, i)
	}
	for _, inv := range superseded {
		a.Superseded = append(a.Superseded, Superseded{inv.Identity.String(), inv.Cell, inv.Status, recorded(inv.Start), recorded(inv.End)})
	}
}

// answerAll answers for one scenario; its A/As are undecided yet.
func (r *reader) answerAll() Scenario {
	cells := r.cells()
	s := Scenario{
		Label: r.scenario.Label, Use: r.scenario.Use, About: r.scenario.About, Metrics: r.scenario.Metrics,
		Window: r.window(), Common: common(cells), Notes: r.notes(cells), Cells: []Cell{}, AA: r.selfTest(),
	}
	if s.Metrics == nil {
		s.Metrics = []results.Metric{}
	}
	if p := r.primary(); p != nil {
		s.Primary = p.Name
	}
	records := r.judge(cells)
	for _, c := range cells {
		s.Cells = append(s.Cells, r.cell(c, records[c.ID]))
	}
	s.WindowKind, s.Sizing = r.windowKind(), r.sizing(s.Cells)
	s.Contrasts, s.Unisolated = r.contrasts()
	s.Closures = r.closures(s.Contrasts)
	r.markPrecision(&s)
	r.markModes(&s)
	s.Pooled, s.PoolKind = r.pool(s.Cells)
	s.Answers = r.answers(s.Cells)
	s.Unseen = unseenModes(s.Answers)
	s.Calibrations, s.PooledRates = r.calibrations(), r.pooledRates()
	s.Timelines, s.ToggleEffects = r.timelines(), r.toggleEffects()
	s.Growths, s.Published = r.growths(), r.published()
	s.Loops = loops(r.campaign, r.made, s.Label)
	return s
}

// published are a paper's figures beside cells of the scenario.
func (r *reader) published() []results.Published {
	var found []results.Published
	for _, p := range r.campaign.Published {
		if p.Scenario == r.scenario.Label {
			found = append(found, p)
		}
	}
	return found
}

// windowKind is the choice of samples that means are taken over; "" where there
// are none.
func (r *reader) windowKind() results.Window {
	if p := r.primary(); p == nil || p.Series == "" {
		return ""
	}
	if r.scenario.Window == "" {
		return results.WindowSteady
	}
	return r.scenario.Window
}

// window names the samples that means are taken over.
func (r *reader) window() string {
	for _, c := range r.cells() {
		for _, e := range r.all[c.ID] {
			if e.whole {
				return wholeWindow
			}
		}
	}
	switch r.windowKind() {
	case results.WindowSteady:
		return steadyWindow
	case results.WindowHalf:
		return halfWindow
	case results.WindowAll:
		return allWindow
	}
	return noWindow
}

// common are the parameters that have one value in all cells.
func common(cells []*results.Cell) []results.Value {
	if len(cells) == 0 {
		return nil
	}
	var shared []results.Value
	for _, p := range cells[0].Parameters {
		if !slices.ContainsFunc(cells, func(c *results.Cell) bool { return c.Parameter(p.Name) != p.Value }) {
			shared = append(shared, p)
		}
	}
	return shared
}

// selfTests decides all A/As of the campaign together.
func (a *Answers) selfTests() {
	var all []*AA
	for i := range a.Scenarios {
		for j := range a.Scenarios[i].AA {
			all = append(all, &a.Scenarios[i].AA[j])
		}
	}
	diagnose(all)
}
