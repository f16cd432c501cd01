package plan

import (
	"slices"

	"moobench/results"
)

// Calibrated is a Scenario whose load is a share of what its baselines take,
// which invocations of their own find out before the first timed block.
type Calibrated interface {
	// Calibration is a name that all cells share whose load is a share of the
	// same; "" is of a cell whose load is given.
	Calibration(c results.Cell) string
}

// searches is how many invocations find out what one baseline takes; the median
// of them is taken.
const searches = 3

// calibrations lists, for each name that calibrated cells share, its first
// baseline, so many times as it is searched for.
func (p *Plan) calibrations() []string {
	var names, ids []string
	for _, c := range p.Cells {
		if c.Role != results.RoleBaseline || c.Calibration == "" || slices.Contains(names, c.Calibration) {
			continue
		}
		names = append(names, c.Calibration)
		ids = append(ids, slices.Repeat([]string{c.ID}, searches)...)
	}
	return ids
}

// calibrated is the name that a cell shares with all others whose load is a share
// of the same, "" when its load is given.
func calibrated(s section, c results.Cell) string {
	if by, ok := s.scenario.(Calibrated); ok {
		return by.Calibration(c)
	}
	return ""
}
