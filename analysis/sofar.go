package analysis

import (
	"moobench/analysis/evidence"
	"moobench/analysis/reading"
	"moobench/results"
)

// SoFar gives answers of a campaign while it is being measured, for a display.
type SoFar struct {
	src   Source
	again int                               // first block at which everything is read again
	read  map[string][]*evidence.Invocation // by cell; nil: not read yet
}

// Follow returns a SoFar that has read nothing yet.
func Follow(src Source) *SoFar { return &SoFar{src: src} }

// Value is one invocation's value of its scenario's primary metric, and that metric's unit.
// ok is false when there is no such value.
func (f *SoFar) Value(inv *results.Invocation) (value float64, unit string, ok bool) {
	if inv.Block >= f.again { // not at every block: with many, that would take as long as they do
		f.again, f.read = inv.Block+1+inv.Block/10, nil
	}
	return evidence.PrimaryMean(f.src, inv)
}

// Adds is the cost that a variant's cell adds to its baseline in the primary metric, per monitored execution if
// their number is known. It rests on the last complete reading, which lacks at most the newest tenth of the
// blocks. half is the half-width of the interval, 0 without one. ok is false if nothing can be said.
func (f *SoFar) Adds(cell string) (value, half float64, ok bool) {
	campaign := f.src.Campaign()
	c := campaign.Cell(cell)
	if c == nil || c.Role != results.RoleVariant {
		return 0, 0, false
	}
	if f.read == nil {
		f.read = evidence.ByCell(evidence.Gather(f.src).Invocations)
	}
	r := &reader{Reading: reading.New(campaign, campaign.Scenario(c.Scenario), f.read, nil, nil)}
	e := r.Compare(c.ID, c.Baseline, r.Primary, r.Family(c.Level())).Difference
	if n := c.Int(r.Primary.Executions); n > 0 {
		e = e.Over(float64(n))
	}
	switch {
	case e == nil:
		return 0, 0, false
	case e.Interval == nil:
		return e.Value, 0, true
	}
	return e.Value, e.Interval.Half(), true
}
