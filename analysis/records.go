package analysis

import (
	"fmt"

	"moobench/analysis/figure"
	"moobench/results"
)

// deferredLimit is the share of records that may arrive after the loop before
// their cost counts as moved behind the clock.
const deferredLimit = 0.10

// queueLengths is how often a queue must be filled in the window before its
// cost shows.
const queueLengths = 5

// records says what became of a cell's records; nil of a baseline.
func (r *reader) records(c *results.Cell) *Records {
	if c.Role != results.RoleVariant || c.Proof.Kind == results.ProofBaseline {
		return nil
	}
	rec := &Records{Proof: c.Proof.Kind, Source: c.Proof.Source}
	none := r.count(rec, c)
	switch c.Proof.Kind {
	case results.ProofCount:
		rec.counted(none)
	case results.ProofSibling:
		rec.Sibling = r.sibling(c)
		rec.bySibling()
	case results.ProofZero:
		rec.Sibling = r.sibling(c)
		rec.byZero()
	default:
		rec.Verdict, rec.Text = NotProven, "nothing is known that would prove the instrumentation: whether it measures a monitored method is not proven"
	}
	return rec
}

// count sums the records of all invocations, and returns in how many none came
// where some must.
func (r *reader) count(rec *Records, c *results.Cell) (none int) {
	for _, e := range succeeded(r.all[c.ID], r.profile()) {
		p := e.Proof
		if p.Source == "" {
			continue
		}
		rec.Source = p.Source
		rec.Invocations++
		expected := p.Expected
		if expected == 0 {
			expected = c.Proof.Expected
		}
		rec.Expected += expected
		rec.Received += p.ByExit
		rec.ByLoopEnd += p.ByLoopEnd
		rec.Approximate = rec.Approximate || p.LoopEndFromBytes
		rec.Lost += max(0, expected-p.ByExit)
		if expected > 0 {
			share := float64(p.ByExit) / float64(expected)
			if rec.LeastShare == nil || share < *rec.LeastShare {
				rec.LeastShare = &share
			}
		}
		if p.ByExit == 0 {
			none++
		}
	}
	if rec.Expected > 0 {
		share := float64(rec.Received) / float64(rec.Expected)
		rec.Share = &share
	}
	if late := rec.Received - rec.ByLoopEnd; rec.Received > 0 && late >= 0 {
		share := float64(late) / float64(rec.Received)
		rec.Deferred = &share
	}
	return none
}

// counted is the verdict of proof by count; none is the number of invocations
// without any record.
func (rec *Records) counted(none int) {
	got := fmt.Sprintf("%s of %s records", figure.Count(rec.Received), figure.Count(rec.Expected))
	switch {
	case rec.Invocations == 0:
		rec.Verdict, rec.Text = NotProven, "nobody counted its records"
	case none == rec.Invocations:
		rec.Verdict, rec.Text = NotInstrumented, "not one record arrived, where "+some(rec.Expected)+" must"
	case none > 0:
		rec.Verdict = NotInstrumented
		rec.Text = fmt.Sprintf("not one record arrived in %d of %s", none, figure.Plural(rec.Invocations, "invocation", "invocations"))
	case rec.Expected == 0:
		rec.Verdict = Instrumented
		rec.Text = figure.Count(rec.Received) + " records arrived; how many must is not known, so lost ones would not be seen"
	case rec.Lost > 0:
		rec.Verdict, rec.Text = Lost, fmt.Sprintf("%s arrived: %s lost", got, figure.Share(rec.Lost, rec.Expected))
	case rec.Received > rec.Expected:
		rec.Verdict, rec.Text = TooMany, got+" arrived: more than the calls can have made"
	case rec.Deferred != nil && *rec.Deferred > deferredLimit:
		rec.Verdict, rec.Text = Deferred, fmt.Sprintf("%s arrived, %s only after the loop", got, figure.Percent(*rec.Deferred))
	default:
		rec.Verdict, rec.Text = Instrumented, "all "+figure.Count(rec.Expected)+" records arrived"
	}
}

func (rec *Records) bySibling() {
	s := rec.Sibling
	switch {
	case s.OK && s.Received < s.Expected:
		rec.Verdict, rec.Text = Instrumented, fmt.Sprintf("by %s, with the same options: %s of its %s records arrived", s.Label, figure.Count(s.Received), figure.Count(s.Expected))
	case s.OK:
		rec.Verdict, rec.Text = Instrumented, fmt.Sprintf("by %s, with the same options: %s records arrived", s.Label, figure.Count(s.Received))
	case s.Why == silent:
		rec.Verdict, rec.Text = NotInstrumented, fmt.Sprintf("not one record arrived from %s, which has the same options, where %s must", s.Label, some(s.Expected))
	default:
		rec.Verdict, rec.Text = NotProven, fmt.Sprintf("%s should have proven it: %s", s.Label, s.Why)
	}
}

func (rec *Records) byZero() {
	s := rec.Sibling
	switch {
	case rec.Received > 0:
		rec.Verdict, rec.Text = Unexpected, fmt.Sprintf("%s records arrived, where none may", figure.Count(rec.Received))
	case s.Why == silent:
		rec.Verdict, rec.Text = NotInstrumented, fmt.Sprintf("no record arrived, but none from %s either, where %s must", s.Label, some(s.Expected))
	case !s.OK:
		rec.Verdict, rec.Text = NotProven, fmt.Sprintf("no record arrived, but that proves nothing, because %s should have shown that some can: %s", s.Label, s.Why)
	case rec.Invocations == 0:
		rec.Verdict, rec.Text = NotProven, "nobody counted whether records arrive"
	default:
		rec.Verdict, rec.Text = Instrumented, fmt.Sprintf("no record arrived, as it must be, and %s did from %s", figure.Count(s.Received), s.Label)
	}
}

// silent is why a proof cell proves the contrary.
const silent = "no record arrived"

// sibling is the outcome of the cell that proves another, in whatever profile
// it ran.
func (r *reader) sibling(c *results.Cell) *Sibling {
	s := &Sibling{Cell: c.Proof.Cell, Label: c.Proof.Cell, Why: "it was not run"}
	cell := r.campaign.Cell(c.Proof.Cell)
	if cell == nil {
		s.Why = "it is not in the campaign"
		return s
	}
	s.Label = cell.Label()
	for _, e := range r.all[cell.ID] {
		if e.Status != results.StatusOK {
			s.failed(e)
			continue
		}
		if e.Proof.Source == "" {
			continue
		}
		s.Expected += max(e.Proof.Expected, 0)
		s.Received += e.Proof.ByExit
		if s.OK = s.Received > 0; s.OK {
			s.Why = ""
		} else {
			s.Why = silent
		}
	}
	return s
}

func (s *Sibling) failed(e evidence) {
	if s.OK || s.Why == silent {
		return
	}
	s.Why = "it failed"
	if e.Failure != nil {
		s.Why += ": " + e.Failure.Message
	}
}

// queue says how often the window filled the cell's queue; nil where there is
// no queue or its records are not known.
func (r *reader) queue(c *results.Cell) *Queue {
	if c.Queue <= 0 || r.void[c.ID] != "" {
		return nil
	}
	expected := c.Proof.Expected
	if expected == 0 {
		if s := r.campaign.Cell(c.Proof.Cell); s != nil {
			expected = s.Proof.Expected
		}
	}
	if expected <= 0 {
		return nil
	}
	q := &Queue{Length: c.Queue, Produced: expected / 2} // the window is half of the samples
	q.Lengths = float64(q.Produced) / float64(q.Length)
	q.Enough = q.Lengths >= queueLengths
	return q
}

// some records must arrive, how many is not always known.
func some(n int64) string {
	if n <= 0 {
		return "some"
	}
	return figure.Count(n)
}
