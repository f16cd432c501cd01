package analysis

import "moobench/results"

// The scalars that the share of wall time inside the loops is made of, in ns.
const (
	loopScalar    = "loop_ns"
	wallScalar    = "wall_ns"
	startupScalar = "startup_ns"
)

// loops is the share of wall time inside the measured loops: loops / (wall -
// start-up of the agents), that being what a start-up takes beyond the mean one
// of the cell's baseline.
func loops(c *results.Campaign, es []evidence) Loops {
	var l Loops
	usual := map[string]float64{} // by cell
	for _, cell := range c.Cells {
		if xs := startups(es, cell.ID); len(xs) > 0 {
			for _, x := range xs {
				usual[cell.ID] += x / float64(len(xs))
			}
		}
	}
	for _, e := range es {
		loop, ok := e.Scalars[loopScalar]
		wall, ok2 := e.Scalars[wallScalar]
		if !ok || !ok2 || e.Status != results.StatusOK || e.Profile != results.ProfileTiming {
			continue
		}
		l.LoopNS += loop
		l.WallNS += wall
		base, known := usual[c.Cell(e.Cell).Baseline]
		if startup, ok := e.Scalars[startupScalar]; ok && known {
			l.StartupNS += max(0, startup-base)
		}
	}
	if rest := l.WallNS - l.StartupNS; rest > 0 {
		share := l.LoopNS / rest
		l.Share = &share
	} else {
		l.Absent = "no invocation says how long its loop and the whole of it took"
	}
	return l
}

func startups(es []evidence, cell string) []float64 {
	var xs []float64
	for _, e := range succeeded(of(es, cell, results.ProfileTiming)) {
		if x, ok := e.Scalars[startupScalar]; ok {
			xs = append(xs, x)
		}
	}
	return xs
}
