// Package proof determines the fate of a cell's records: delivered, lost, late, unexpected, or none
// at all, which shows that the cell was not instrumented.
package proof

import (
	"cmp"
	"fmt"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// Records is the fate of a cell's records, summed over its invocations.
type Records struct {
	// Variant made the records; absent if the JVM has one agent.
	Variant     string            `json:"variant,omitempty"`
	Proof       results.ProofKind `json:"proof"`                // how instrumentation is proven
	Source      string            `json:"source,omitempty"`     // who counts
	Invocations int               `json:"invocations"`          // invocations whose records were counted
	Expected    int64             `json:"expected"`             // records that had to arrive
	Received    int64             `json:"received"`             // records that had arrived when the subject had ended
	Lost        int64             `json:"lost"`                 // expected but never received, summed per invocation
	ByLoopEnd   int64             `json:"received_by_loop_end"` // records that had arrived when the last call returned
	// Approximate says that ByLoopEnd was inferred from the size of the output.
	Approximate bool     `json:"loop_end_from_bytes,omitempty"`
	Share       *float64 `json:"share,omitempty"`     // received of expected
	LeastShare  *float64 `json:"min_share,omitempty"` // received of expected in the worst invocation
	Deferred    *float64 `json:"deferred,omitempty"`  // share of the received that came only after the loop
	Verdict     Proven   `json:"verdict"`             // outcome of the proof
	Text        string   `json:"text"`                // in words
	// Sibling is the outcome of the proof cell, if one proves this cell.
	Sibling *Sibling `json:"sibling,omitempty"`
	// Beside has the records of the other agents in the same JVM. Verdict is then the worst of all
	// their verdicts, and Text has a clause for each.
	Beside []*Records `json:"beside,omitempty"`

	missing string // reason, from the first invocation that has one
	sought  bool   // the campaign sought rates at which records are lost
}

// Sibling is the outcome of a proof cell.
type Sibling struct {
	Cell     string `json:"cell"`             // ID of the proof cell
	Label    string `json:"label"`            // variant of the proof cell with its factor level
	Expected int64  `json:"expected"`         // records that had to arrive from it
	Received int64  `json:"received"`         // records that arrived from it
	OK       bool   `json:"ok"`               // whether records arrived
	Why      string `json:"reason,omitempty"` // why it proves nothing, or the opposite
}

// Proven is the verdict of a proof of instrumentation.
type Proven string

const (
	Instrumented    Proven = "proven"
	NotInstrumented Proven = "not instrumented"
	Lost            Proven = "lost"
	Deferred        Proven = "deferred"
	Nothing         Proven = "nothing to record"
	NotProven       Proven = "not proven"
	Unexpected      Proven = "unexpected records"
	TooMany         Proven = "more than expected"
)

// deferredLimit is the share of records arriving after the loop above which their cost counts as
// not measured.
const deferredLimit = 0.10

// Judge determines the fate of all cells' records, and marks cells invalid that were not
// instrumented, or whose baseline did not do its work, before any number is computed from them.
// Baselines have no records.
func Judge(v *evidence.View) map[string]*Records {
	judgeBaselines(v)
	judgeOutputs(v)
	judgeAnswers(v)
	records := map[string]*Records{}
	for _, c := range v.Cells {
		if c.Role != results.RoleVariant || c.Proof.Kind == results.ProofBaseline {
			continue
		}
		rec := recordsOf(v, c, 0)
		for i := range c.Beside {
			rec.Beside = append(rec.Beside, recordsOf(v, c, i+1))
		}
		rec.together()
		if rec.Verdict == NotProven && len(v.Primaries(c.ID)) == 0 {
			continue // it failed, so it lacks more than a proof
		}
		records[c.ID] = rec
		if rec.Verdict == NotInstrumented {
			v.Invalid[c.ID] = "not instrumented: " + rec.Text
		}
	}
	return records
}

// recordsOf judges the records of one agent in a cell's JVM; i is its index in Proofs.
func recordsOf(v *evidence.View, c *results.Cell, i int) *Records {
	plan := *c.Proofs()[i]
	rec := &Records{Variant: plan.Variant, Proof: plan.Kind, Source: plan.Source}
	none := rec.count(v.Primaries(c.ID), plan, i)
	switch plan.Kind {
	case results.ProofCount:
		if rec.Verdict, rec.Text = rec.counted(none, plan.Optional); plan.Fault != "" {
			rec.Sibling = sibling(v, plan, i)
			rec.Verdict, rec.Text = rec.despite(plan.Fault)
		}
		if rec.missing != "" {
			rec.Text += "; " + rec.missing
		}
	case results.ProofSibling:
		rec.Sibling = sibling(v, plan, i)
		rec.Verdict, rec.Text = rec.Sibling.proves()
	case results.ProofZero:
		rec.Sibling = sibling(v, plan, i)
		rec.Verdict, rec.Text = rec.byZero()
	default:
		rec.Verdict = NotProven
		rec.Text = "nothing proves the instrumentation: " +
			"whether the measured method was monitored is not known; give the variant a proof"
		if from := v.Campaign.Source; from != "" && from != "moobench" {
			rec.Text = "the files of " + from + " hold no records: " +
				"whether the agent was at work when they were made is not known from them"
		}
	}
	return rec
}

// worst lists the verdicts, worst first: agents in one JVM share the worst of theirs.
var worst = []Proven{NotInstrumented, Unexpected, TooMany, NotProven, Lost, Deferred, Nothing, Instrumented}

// together combines verdict and text over all agents in the JVM, each by name.
func (rec *Records) together() {
	if len(rec.Beside) == 0 {
		return
	}
	rec.Text = rec.Variant + ": " + rec.Text
	for _, other := range rec.Beside {
		rec.Text += "; " + other.Variant + ": " + other.Text
		if slices.Index(worst, other.Verdict) < slices.Index(worst, rec.Verdict) {
			rec.Verdict = other.Verdict
		}
	}
}

// judgeBaselines finds the baselines with more of an event than allowed, such as wrong answers:
// they, and all cells compared with them, are invalid.
func judgeBaselines(v *evidence.View) {
	for _, m := range v.Scenario.Metrics {
		for _, base := range v.Cells {
			events, of := eventsOf(v, base.ID, m)
			if base.Role != results.RoleBaseline || m.BaselineMost <= 0 || !(events > m.BaselineMost*of) {
				continue
			}
			for _, c := range v.Cells {
				if c.ID == base.ID || c.Baseline == base.ID {
					const wrong = "not comparable: %s of %s %s of %s were %s; " +
						"with more than %s it does not do the work that was asked for"
					some, all := figure.Count(int64(events)), figure.Count(int64(of))
					most := figure.Level(m.BaselineMost)
					v.Invalid[c.ID] = fmt.Sprintf(wrong, some, all, m.Of, base.Label(), m.Name, most)
				}
			}
		}
	}
}

// judgeAnswers finds the cells in which the agent broke the application: it answered wrongly more
// often than a baseline may, and its baseline did not. Their numbers are shown, but decide nothing.
func judgeAnswers(v *evidence.View) {
	for _, m := range v.Scenario.Metrics {
		if m.BaselineMost <= 0 {
			continue
		}
		for _, c := range v.Cells {
			events, of := eventsOf(v, c.ID, m)
			without, outOf := eventsOf(v, c.Baseline, m)
			if c.Role != results.RoleVariant || v.Invalid[c.ID] != "" || !(events > m.BaselineMost*of) || !(outOf > 0) {
				continue
			}
			const wrong = "it breaks the application: with it %s of the %s are %s (%s of %s), without it %s"
			some, all := figure.Count(int64(events)), figure.Count(int64(of))
			with, baseline := figure.Percent(events/of), figure.Percent(without/outOf)
			v.Broken[c.ID] = fmt.Sprintf(wrong, with, m.Of, m.Name, some, all, baseline)
		}
	}
}

// eventsOf returns the number of events of a metric in a cell, and their exposure.
func eventsOf(v *evidence.View, cell string, m results.Metric) (events, of float64) {
	for _, e := range v.Succeeded(cell, evidence.ProfileOf(m)) {
		if x, n := e.Value(m.Name), e.Scalar(m.Of); stats.Finite(x, n) {
			events, of = events+x, of+n
		}
	}
	return events, of
}

// count sums the records of all invocations, and returns the number of invocations without any.
func (rec *Records) count(es []*evidence.Invocation, plan results.ProofPlan, i int) (none int) {
	untimed := false
	for _, e := range es {
		p := e.ProofOf(i)
		if !p.Counted() {
			continue
		}
		rec.Source = p.Source
		rec.Invocations++
		isRated := func(s results.Series) bool { return s.Name == results.SeriesRated }
		rec.sought = rec.sought || slices.ContainsFunc(e.Series, isRated)
		expected := cmp.Or(p.Expected, plan.Expected)
		rec.Expected += expected
		rec.Received += p.ByExit
		rec.ByLoopEnd += p.ByLoopEnd
		rec.Approximate = rec.Approximate || p.LoopEndFromBytes
		untimed = untimed || p.LoopEndUnknown
		rec.Lost += max(0, expected-p.ByExit)
		rec.missing = cmp.Or(rec.missing, p.Missing)
		share := float64(p.ByExit) / float64(expected)
		if expected > 0 && (rec.LeastShare == nil || share < *rec.LeastShare) {
			rec.LeastShare = &share
		}
		if p.ByExit == 0 {
			none++
		}
	}
	if rec.Expected > 0 {
		rec.Share = new(float64(rec.Received) / float64(rec.Expected))
	}
	if late := rec.Received - rec.ByLoopEnd; rec.Received > 0 && late >= 0 && !untimed {
		rec.Deferred = new(float64(late) / float64(rec.Received))
	}
	return none
}

// counted returns the verdict of a proof by count; none is the number of invocations without any
// record, which may be correct if records are optional.
func (rec *Records) counted(none int, optional bool) (Proven, string) {
	got := fmt.Sprintf("%s of %s records", figure.Count(rec.Received), figure.Count(rec.Expected))
	switch {
	case rec.Invocations == 0:
		return NotProven, "its records were not counted"
	case none == rec.Invocations && optional:
		return Nothing, "no record arrived, " + mayBe
	case none == rec.Invocations:
		return NotInstrumented, "not one record arrived, where " + countOrSome(rec.Expected) + " must"
	case none > 0:
		all := figure.Plural(rec.Invocations, "invocation", "invocations")
		return NotInstrumented, fmt.Sprintf("not one record arrived in %d of %s", none, all)
	case rec.Expected == 0:
		const unknown = " records arrived; how many must is not known, so lost ones would not be seen"
		return Instrumented, figure.Count(rec.Received) + unknown
	case rec.Lost > 0 && rec.sought:
		return Instrumented, got + " arrived: it was asked for rates that it does not sustain"
	case rec.Lost > 0:
		return Lost, fmt.Sprintf("%s arrived: %s lost", got, figure.Share(rec.Lost, rec.Expected))
	case rec.Received > rec.Expected:
		return TooMany, got + " arrived: more than the calls can have made"
	case rec.Late():
		return Deferred, fmt.Sprintf("%s arrived, %s only after the loop", got, figure.Percent(*rec.Deferred))
	}
	return Instrumented, "all " + figure.Count(rec.Expected) + " records arrived"
}

// despite returns the verdict if the receiver had a fault: losses are counted, and the cell without
// the fault shows that there were records to lose.
func (rec *Records) despite(fault string) (Proven, string) {
	verdict, by := rec.Sibling.proves()
	switch {
	case verdict != Instrumented:
		return verdict, by
	case rec.Invocations == 0:
		return NotProven, "its records were not counted"
	}
	got := figure.Count(rec.Received)
	if rec.Expected > 0 {
		got += " of " + figure.Count(rec.Expected)
	}
	known, _ := results.FaultNamed(fault)
	does := cmp.Or(known.Does, "is to "+fault)
	text := fmt.Sprintf("%s records arrived at a receiver that %s, as was asked for; instrumented %s", got, does, by)
	if rec.Received > 0 && rec.Lost == 0 {
		return Instrumented, text
	}
	return Lost, text
}

// mayBe is added where having no record may be correct.
const mayBe = "and there may be nothing here that it records by itself"

// Late reports whether so many records arrived after the loop that their cost was not measured.
func (rec *Records) Late() bool { return rec.Deferred != nil && *rec.Deferred > deferredLimit }

// proves returns the verdict on the cell that a proof cell proves.
func (s *Sibling) proves() (Proven, string) {
	received, expected := figure.Count(s.Received), figure.Count(s.Expected)
	switch {
	case s.OK && s.Received < s.Expected:
		const some = "by %s, with the same options: %s of its %s records arrived"
		return Instrumented, fmt.Sprintf(some, s.Label, received, expected)
	case s.OK:
		return Instrumented, fmt.Sprintf("by %s, with the same options: %s records arrived", s.Label, received)
	case s.Why == idle:
		return Nothing, fmt.Sprintf("no record arrived from %s, which has the same options, %s", s.Label, mayBe)
	case s.Why == silent:
		const none = "not one record arrived from %s, which has the same options, where %s must"
		return NotInstrumented, fmt.Sprintf(none, s.Label, countOrSome(s.Expected))
	}
	return NotProven, fmt.Sprintf("%s should have proven it: %s", s.Label, s.Why)
}

// byZero returns the verdict if no record may arrive, while those of the proof cell must.
func (rec *Records) byZero() (Proven, string) {
	s := rec.Sibling
	switch {
	case rec.Received > 0:
		return Unexpected, fmt.Sprintf("%s records arrived, where none may", figure.Count(rec.Received))
	case s.Why == idle:
		return Nothing, fmt.Sprintf("no record arrived, as it must be, but none from %s either, %s", s.Label, mayBe)
	case s.Why == silent:
		const neither = "no record arrived, but none from %s either, where %s must"
		return NotInstrumented, fmt.Sprintf(neither, s.Label, countOrSome(s.Expected))
	case !s.OK:
		const nothing = "no record arrived, but that proves nothing, because %s should have shown that some can: %s"
		return NotProven, fmt.Sprintf(nothing, s.Label, s.Why)
	case rec.Invocations == 0:
		return NotProven, "nobody counted whether records arrive"
	}
	received := figure.Count(s.Received)
	return Instrumented, fmt.Sprintf("no record arrived, as it must be, and %s did from %s", received, s.Label)
}

// silent: the proof cell's records never came, which disproves instrumentation; idle: none had to
// come, which does not.
const (
	silent = "no record arrived"
	idle   = "no record arrived, and none had to"
)

// sibling returns the outcome of the cell that proves another, in any profile, for the same agent
// of its JVM.
func sibling(v *evidence.View, plan results.ProofPlan, i int) *Sibling {
	cell := v.Campaign.Cell(plan.Cell)
	if cell == nil {
		return &Sibling{Cell: plan.Cell, Label: plan.Cell, Why: "it is not in the campaign"}
	}
	s := &Sibling{Cell: cell.ID, Label: cell.Label(), Why: "it was not run"}
	for _, e := range v.ByCell[cell.ID] {
		switch {
		case e.Status != results.StatusOK && (s.OK || s.Why == silent || s.Why == idle):
		case e.Status != results.StatusOK:
			s.Why = "it failed"
			if e.Failure != nil {
				s.Why += ": " + e.Failure.Message
			}
		case e.ProofOf(i).Counted():
			s.Expected += max(e.ProofOf(i).Expected, 0)
			s.Received += e.ProofOf(i).ByExit
			switch s.OK, s.Why = s.Received > 0, ""; {
			case !s.OK && cell.Proofs()[min(i, len(cell.Beside))].Optional:
				s.Why = idle
			case !s.OK:
				s.Why = silent
			}
		}
	}
	return s
}

// countOrSome formats an expected count; 0 means unknown.
func countOrSome(n int64) string {
	if n <= 0 {
		return "some"
	}
	return figure.Count(n)
}
