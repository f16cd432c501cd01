package analysis

import (
	"moobench/analysis/stats"
	"moobench/results"
)

// Loops is the share of the wall time that lay inside the measured loops, the
// agents' own start-up left out.
type Loops struct {
	LoopNS    float64  `json:"loop_ns"`          // time inside the loops, summed over invocations
	WallNS    float64  `json:"wall_ns"`          // time from start to exit, summed over invocations
	StartupNS float64  `json:"agent_startup_ns"` // start-up of agents, beyond the baseline's
	Share     *float64 `json:"share,omitempty"`  // LoopNS / (WallNS - StartupNS)
	Absent    string   `json:"absent,omitempty"` // why there is no share
}

// The scalars that the share of wall time inside the loops is made of, in ns.
const (
	loopScalar    = "loop_ns"
	wallScalar    = "wall_ns"
	startupScalar = "startup_ns"
)

// loops is the share of wall time inside the measured loops: loops / (wall -
// start-up of the agents), that being what a start-up takes beyond the mean one
// of the cell's baseline. It is of one scenario, or of all when that is "".
func loops(c *results.Campaign, all map[string][]evidence, scenario string) Loops {
	var l Loops
	for _, cell := range c.Cells {
		if scenario != "" && cell.Scenario != scenario {
			continue
		}
		usual, known := startup(all[cell.Baseline])
		for _, e := range succeeded(all[cell.ID], results.ProfileTiming) {
			loop, ok := e.Scalars[loopScalar]
			wall, ok2 := e.Scalars[wallScalar]
			if !ok || !ok2 || !stats.Finite(loop) || !stats.Finite(wall) {
				continue
			}
			l.LoopNS += loop
			l.WallNS += wall
			if own, ok := e.Scalars[startupScalar]; ok && known && stats.Finite(own) {
				l.StartupNS += max(0, own-usual)
			}
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

// startup is the mean start-up time of a cell.
func startup(es []evidence) (mean float64, known bool) {
	n := 0.0
	for _, e := range succeeded(es, results.ProfileTiming) {
		if x, ok := e.Scalars[startupScalar]; ok && stats.Finite(x) {
			mean, n = mean+x, n+1
		}
	}
	return mean / max(1, n), n > 0
}
