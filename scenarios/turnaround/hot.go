package turnaround

import "moobench/harness/plan"

// checkHot checks that each phase of the hot method has as many calls as were
// ordered.
func (d *dumps) checkHot(c *plan.Cell) error {
	ordered := c.Int(calls)
	if ordered == 0 {
		return nil
	}
	for _, phase := range []string{Before, During, After} {
		columns, err := d.read(phase)
		if err != nil {
			return err
		}
		if n := int64(len(columns["t"])); n != ordered {
			return countsf("the fixture timed %d calls of the hot method in phase %s, %d were ordered: it lies, or ended early", n, phase, ordered)
		}
	}
	return nil
}
