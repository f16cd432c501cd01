// Package analysis answers the questions of a campaign. It reads results and knows no scenario. Each answer
// about a cell rests on one value per invocation, compared within blocks.
//
// This package makes the answers: cells, questions, gate, growth, break-even. Package evidence reads each
// invocation, proof settles what became of records, infer compares samples, and prose has the vocabulary of
// sentences.
package analysis

import (
	"errors"
	"fmt"
	"slices"

	"moobench/analysis/chapter/fleet"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/results"
)

// Source is a readable campaign; *results.Store implements it.
type Source = evidence.Source

// Analyse answers the questions of a campaign. Unreadable parts are left out and named in the warnings. It
// fails only if nothing can be said about the campaign.
func Analyse(src Source) (*Answers, error) { return AnalyseWith(infer.Solver{}, src) }

// AnalyseWith is Analyse with a solver that may already know, from other campaigns, which effects designs can
// detect.
func AnalyseWith(solver infer.Solver, src Source) (*Answers, error) {
	a, _, err := analyse(solver, src)
	return a, err
}

// analyse is Analyse; it also returns the readings behind the answers, one per scenario.
func analyse(solver infer.Solver, src Source) (*Answers, []*reader, error) {
	c := src.Campaign()
	if c == nil || len(c.Scenarios) == 0 {
		return nil, nil, errors.New("analysing campaign: it has no scenario")
	}
	a := &Answers{Version: results.Format, Scenarios: []Scenario{}, Invocations: []Invocation{}}
	machines, err := src.Machines()
	if err != nil {
		a.Warnings = append(a.Warnings, fmt.Sprintf("reading machines: %v", err))
	}
	a.Machines = machines
	all := evidence.Gather(src)
	setStandards(c, machines, all.References)
	var pilots evidence.All
	if slices.ContainsFunc(c.Scenarios, func(s results.Scenario) bool { return s.Settling != nil }) {
		pilots = evidence.Gather(evidence.Pilots(src))
	}
	if len(all.Problems) > 0 {
		a.Unanswered = append(a.Unanswered, "an invocation could not be read")
	}
	if s, ok := src.(sealable); ok {
		_, a.Changed = s.Sealed()
	}
	warnings := slices.DeleteFunc([]string{a.Changed, Recomputed(all.Invocations)}, func(text string) bool {
		return text == ""
	})
	a.Warnings = slices.Concat(a.Warnings, all.Problems, c.LeftOut, warnings)
	var readings []*reader
	cells := evidence.ByCell(all.Invocations)
	for i := range c.Scenarios {
		r := &reader{reading.New(c, &c.Scenarios[i], cells, solver, all.References), pilots.Invocations}
		a.Scenarios, readings = append(a.Scenarios, r.scenario()), append(readings, r)
	}
	for _, c := range campaignChapters() {
		if c.find == nil {
			continue
		}
		c.find(results.Each(readings, func(r *reader) *reading.Reading { return r.Reading }), a)
	}
	a.decideSelfTests()
	a.Gate = a.judgeGate(c, readings)
	a.Loops = loops(c, cells, "")
	a.Campaign = provenance(c, all)
	a.Campaign.Fleet = fleet.Of(c, machines, all)
	a.noteTogether(c)
	a.judgeHosts(readings)
	a.Hosts = hosts(machines, c.Control)
	read := slices.DeleteFunc(slices.Clone(all.Invocations), func(e evidence.Invocation) bool {
		return len(e.Settings) == 0
	})
	if len(read) > 0 { // use the settings of the first invocation that recorded any
		a.Settings = slices.MinFunc(read, func(a, b evidence.Invocation) int {
			return a.Start.Compare(b.Start)
		}).Settings
	}
	for i := range all.Invocations {
		a.Invocations = append(a.Invocations, a.invocation(c.Cell(all.Invocations[i].Cell), &all.Invocations[i]))
	}
	a.addPilots(pilots.Invocations)
	a.Warnings = append(a.Warnings, pilots.Problems...)
	a.findEvents(src, all.Invocations)
	for _, inv := range all.Superseded {
		a.Superseded = append(a.Superseded, Superseded{
			inv.Identity.String(), inv.Cell, inv.Status, recorded(inv.Start), recorded(inv.End),
		})
	}
	a.Unanswered = append(a.Unanswered, a.Campaign.Lacking()...)
	a.Unanswered = append(a.Unanswered, a.unanswered()...)
	return a, readings, nil
}

// reader makes the answers of one scenario.
type reader struct {
	*reading.Reading
	pilots []evidence.Invocation // of all scenarios, for their numbers of calls
}

// scenario answers for the scenario, from all completed invocations. Its A/As are not decided yet.
func (r *reader) scenario() Scenario {
	records := proof.Judge(r.View)
	s := Scenario{
		Label: r.Scenario.Label, Use: r.Scenario.Use, About: r.Scenario.About,
		Metrics: append([]results.Metric{}, r.Scenario.Metrics...),
		Primary: r.Primary.Name, Window: r.window(), WindowKind: r.windowKind(),
		Notes: r.notes(), Cells: []Cell{}, AA: r.selfTests(), References: r.Speed,
		Settling: r.Scenario.Settling,
	}
	if len(r.Cells) > 0 {
		s.Common = slices.DeleteFunc(slices.Clone(r.Cells[0].Parameters), func(p results.Value) bool {
			return slices.ContainsFunc(r.Cells, func(c *results.Cell) bool { return c.Parameter(p.Name) != p.Value })
		})
	}
	s.Cells = append(s.Cells, results.Each(r.Cells, func(c *results.Cell) Cell { return r.cell(c, records[c.ID]) })...)
	s.Notes = append(s.Notes, r.standardNotes(&s)...)
	r.chapters(&s, false)
	s.Pooled, s.PoolKind = r.pool(s.Cells)
	s.Answers = r.answers(s.Cells)
	s.takeVerdicts()
	var caveats []infer.Caveat
	for _, a := range s.Answers {
		caveats = append(caveats, a.Caveats...)
		if a.Rates != nil {
			caveats = append(caveats, a.Rates.Caveats...)
		}
	}
	unseen := prose.Unseen(caveats)
	s.Unseen = prose.If(unseen != "", "what is equivalent, or negligible, is so for %s", unseen)
	unit := r.Metric(capacityScalar).Unit
	capacity := func(e *evidence.Invocation) float64 { return e.Scalar(capacityScalar) }
	for _, c := range r.Cells {
		loads := evidence.ValuesOf(r.Succeeded(c.ID, results.ProfileCalibration), capacity).Numbers()
		if sorted := slices.Sorted(slices.Values(loads)); len(loads) > 0 {
			s.Calibrations = append(s.Calibrations,
				Calibration{c.Label(), c.ID, unit, loads, sorted[(len(sorted)-1)/2]})
		}
	}
	s.PooledRates = r.pooledRates()
	s.Published = slices.DeleteFunc(slices.Clone(r.Campaign.Published), func(p results.Published) bool {
		return p.Scenario != s.Label
	})
	s.Loops = loops(r.Campaign, r.ByCell, s.Label)
	r.chapters(&s, true)
	return s
}

// takeVerdicts copies the verdicts of the scenario's own questions to the costs of cells: one difference has
// one verdict.
func (s *Scenario) takeVerdicts() {
	for i := range s.Answers {
		a := &s.Answers[i]
		c := s.Cell(a.A)
		if c == nil || a.Asked || a.Rates != nil || a.B != c.Baseline || a.Difference == nil {
			continue
		}
		m := c.MetricNamed(a.Metric)
		switch {
		case m == nil:
		case a.Quantile == 0 && m.Difference != nil:
			m.Verdict, m.Equivalence = a.Verdict, a.Equivalence
		case a.Quantile != 0:
			if q := results.Find(m.Quantiles, func(q *Quantile) bool { return q.P == a.Quantile }); q != nil {
				q.Verdict, q.Equivalence = a.Verdict, a.Equivalence
			}
		}
	}
}
