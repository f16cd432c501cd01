package analysis

import (
	"moobench/analysis/evidence"
	"moobench/results"
)

// SoFar is what a campaign says while it is measured, for a display: as the answers will
// say it.
type SoFar struct {
	src   Source
	again int                               // the block from which on all is read again
	read  map[string][]*evidence.Invocation // by cell; nil: to be read
}

// Follow is a campaign of which nothing was read yet.
func Follow(src Source) *SoFar { return &SoFar{src: src} }

// Value is one invocation's value of its scenario's primary metric, and that metric's unit.
// ok is false when there is no such value.
func (f *SoFar) Value(inv *results.Invocation) (value float64, unit string, ok bool) {
	if inv.Block >= f.again { // of many blocks not at each of them: that would take as long as they do
		f.again, f.read = inv.Block+1+inv.Block/10, nil
	}
	return evidence.PrimaryMean(f.src, inv)
}

// Adds is what a variant's cell adds over its baseline in the primary metric: where that is
// known of one monitored execution. It rests on the blocks that were there when all was read
// last, one of the newest tenth. half is half of the interval, 0 where there is none yet. ok
// is false where nothing can be said.
func (f *SoFar) Adds(cell string) (value, half float64, ok bool) {
	campaign := f.src.Campaign()
	c := campaign.Cell(cell)
	if c == nil || c.Role != results.RoleVariant {
		return 0, 0, false
	}
	if f.read == nil {
		f.read = evidence.ByCell(evidence.Gather(f.src).Invocations)
	}
	r := &reading{View: evidence.NewView(campaign, campaign.Scenario(c.Scenario), f.read)}
	e := r.compare(c.ID, c.Baseline, r.Primary, r.family(c.Level())).Difference
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
