package analysis

import (
	"slices"
	"strings"

	"moobench/analysis/infer"
	"moobench/results"
)

// judge settles which cells are void, before any number is taken.
func (r *reader) judge(cells []*results.Cell) map[string]*Records {
	records := map[string]*Records{}
	for _, c := range cells {
		rec := r.records(c)
		records[c.ID] = rec
		if rec != nil && rec.Verdict == NotInstrumented {
			r.void[c.ID] = "not instrumented: " + rec.Text
		}
	}
	return records
}

// cell says what is known of a cell.
func (r *reader) cell(c *results.Cell, rec *Records) Cell {
	a := Cell{
		ID: c.ID, Label: c.Label(), Variant: c.Variant, Framework: c.Framework, Mode: c.Mode, Stage: c.Stage,
		Role: c.Role, Level: c.Level(), Factors: c.Factors, Baseline: c.Baseline,
		Void: r.void[c.ID], Records: rec, Queue: r.queue(c), Launch: c.Launch, Metrics: []MetricAnswer{},
	}
	r.tally(&a)
	for _, g := range r.campaign.GivenUp {
		if g.Cell == c.ID {
			a.GivenUp = g.Because
		}
	}
	family := r.family(a.Level)
	for _, m := range r.scenario.Metrics {
		together := 1
		if p := r.primary(); p != nil && (p.Name == m.Name || m.Of != "") && c.Role == results.RoleVariant {
			together = family
		}
		a.Metrics = append(a.Metrics, r.answer(c, m, together))
	}
	a.Steady, a.Other = r.steady(c), r.other(c)
	a.Distribution, a.NoDistribution = r.distribution(c)
	a.PerRecord, a.NoPerRecord = r.perRecord(c)
	a.Marks = append(append(r.marks(&a), a.Steady.marks(r.scenario.Window)...), r.neighbours(c, infer.Level(alpha, family))...)
	return a
}

// tally counts the invocations of a cell, and collects what they complain of.
func (r *reader) tally(a *Cell) {
	seen, warnings := map[int]bool{}, map[string]int{}
	for _, e := range r.made[a.ID] {
		for _, w := range e.Warnings {
			warnings[w]++
		}
		if e.Status == results.StatusFailed {
			a.Failures = append(a.Failures, failure(e))
		}
		seen[e.Block] = true
		if e.Profile != r.profile() {
			continue
		}
		switch {
		case e.Status != results.StatusOK:
			a.Failed++
		case e.Void != "":
			a.VoidInvocations++
		default:
			a.OK++
			if e.Disturbed != nil {
				a.Disturbed++
			}
			if e.repeatedBy != "" {
				a.Repeated++
			}
		}
	}
	a.Planned, a.Missing = r.planned(a.ID, seen)
	for text, n := range warnings {
		a.Warnings = append(a.Warnings, Warning{text, n})
	}
	slices.SortFunc(a.Warnings, func(x, y Warning) int { return strings.Compare(x.Text, y.Text) })
}

func failure(e evidence) Failure {
	f := Failure{Invocation: e.Identity.String(), Kind: "unknown", Message: "it says no reason"}
	if e.Failure != nil {
		f.Kind, f.Message, f.LogTail = e.Failure.Kind, e.Failure.Message, e.Failure.LogTail
	}
	return f
}

// planned counts the blocks that hold a cell, and those of them in which it was
// neither started nor left out on purpose.
func (r *reader) planned(cell string, seen map[int]bool) (planned, missing int) {
	given := map[string]int{}
	for _, g := range r.campaign.GivenUp {
		given[g.Cell] = g.Block
	}
	for _, b := range r.campaign.Blocks {
		if b.Kind == results.BlockProof || !slices.Contains(b.Order, cell) {
			continue
		}
		if b.Kind == results.BlockPlanned && b.Profile == r.profile() {
			planned++
		}
		if from, ok := given[cell]; ok && b.Number >= from {
			continue
		}
		if !seen[b.Number] {
			missing++
		}
	}
	return planned, missing
}
