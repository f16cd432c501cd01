package turnaround

import (
	"moobench/harness/plan"
	"moobench/harness/run"
)

// hot records what the change did to the hot method.
func (d *dumps) hot(c *plan.Cell, rec run.Recorder) error {
	ordered := c.Int(calls)
	if ordered == 0 {
		return nil
	}
	steady := map[string]float64{}
	for _, phase := range []string{Before, During, After} {
		columns, err := d.read(phase)
		if err != nil {
			return err
		}
		ns := columns["t"]
		if n := int64(len(ns)); n != ordered {
			return countsf("the fixture timed %d calls of the hot method in phase %s, %d were ordered: it lies, or ended early", n, phase, ordered)
		}
		steady[phase] = mean(ns[len(ns)/2:])
		rec.Scalar(phase, steady[phase])
		if phase == During {
			recovery(ns, rec)
		}
	}
	if steady[Before] > 0 {
		rec.Scalar(Residue, steady[After]/steady[Before])
	}
	return nil
}

// Shares of the steady state that a call counts as back within.
const (
	roughly = 0.20
	nearly  = 0.05
)

// recovery records how long the hot method took to come back from its swap.
func recovery(ns []int64, rec run.Recorder) {
	c, ok := settle(ns)
	if !ok {
		rec.Warn("%d calls after the swap are too few to see when it is back in steady state: at least %d", len(ns), fewestBatches*batchCalls)
		return
	}
	if n, ok := c.back(roughly); ok {
		rec.Scalar(Back20Calls, float64(n))
		rec.Scalar(Back20NS, c.took(n))
	}
	n, ok := c.back(nearly)
	if !ok {
		rec.Warn("the hot method did not settle within %d calls of its swap: make calls larger", len(ns)/2)
		return
	}
	rec.Scalar(Back5Calls, float64(n))
	rec.Scalar(Back5NS, c.took(n))
	rec.Scalar(Recovery, c.lost(n))
}
