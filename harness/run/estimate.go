package run

import (
	"fmt"
	"time"

	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/results"
)

// Rough durations and sizes for invocations before any measurement. Once the campaign has invocations of its own,
// their durations replace these.
const (
	plainStart  = 400 * time.Millisecond // start and exit of a JVM, and sealing
	agentStart  = 3 * time.Second        // added for a variant with its own agent
	perCallNS   = 60
	perRecordNS = 300

	rawBytesPerSample    = 8
	sealedBytesPerSample = 2 // delta-encoded durations take 1.3 to 1.6
	sealedBytes          = 200_000
	bytesPerRecord       = 200 // a record in a text file, generously

	mostWall = 1000 * time.Hour // nobody intends more, and sums can't overflow
)

// Estimate is the expected cost of a plan: wall time, bytes that stay, and additional bytes that one invocation
// may need while it runs. If a pilot has yet to find a number of calls, it is an upper bound, including the pilot.
type Estimate struct {
	Wall        time.Duration
	StayBytes   int64
	PeakBytes   int64
	Invocations int
	AtMost      bool
}

// pilotRuns is roughly the maximum number of times that a pilot starts a cell. pilotTimes is the total duration of
// these runs' calls, in units of the maximum for one run: the last two runs take that each, the earlier ones ever
// less.
const (
	pilotRuns  = 8
	pilotTimes = 3
)

// EstimateOf sums over all blocks of a plan. The timing blocks of a scenario take at most its max_time.
func EstimateOf(p *plan.Plan) Estimate {
	var e Estimate
	scenarios := map[string]*results.Scenario{}
	for i := range p.Campaign.Scenarios {
		scenarios[p.Campaign.Scenarios[i].Label] = &p.Campaign.Scenarios[i]
	}
	timing := map[string]time.Duration{} // by scenario
	for _, b := range p.Campaign.Blocks {
		for slot := range b.Order {
			inv, err := p.Invocation(b, slot, 0)
			if err != nil {
				continue
			}
			e.Invocations++
			wall := wallOf(inv)
			if s := scenarios[inv.Cell.Scenario]; s != nil && s.Settling.Undecided() && b.Kind == results.BlockPlanned {
				e.AtMost = true
				e.StayBytes += sealedBytesPerSample * results.PilotMostCalls
				e.PeakBytes = max(e.PeakBytes, rawBytesPerSample*results.PilotMostCalls)
				wall += time.Duration(s.Settling.WithinNS)
			}
			if b.Profile == results.ProfileTiming {
				timing[inv.Cell.Scenario] += wall
			} else {
				e.Wall += wall
			}
			e.StayBytes += staysOf(inv)
			e.PeakBytes = max(e.PeakBytes, peakOf(inv))
		}
	}
	for _, s := range p.Campaign.Scenarios {
		if s.Sizing != nil && s.Sizing.MaxTimeNS > 0 {
			timing[s.Label] = min(timing[s.Label], time.Duration(s.Sizing.MaxTimeNS))
		}
		e.Wall += timing[s.Label]
	}
	for _, c := range p.Cells {
		s := scenarios[c.Scenario]
		if s != nil && s.Settling.Undecided() && (c.Role == results.RoleBaseline || c.Role == results.RoleVariant) {
			e.Wall += pilotRuns*wallOf(plan.Invocation{Cell: c}) + pilotTimes*time.Duration(s.Settling.WithinNS)
		}
	}
	return e
}

func wallOf(inv plan.Invocation) time.Duration {
	c, d := &inv.Cell, plainStart
	if len(c.Recipe.Artifacts) > 0 {
		d += agentStart
	}
	slower := c.Slower()
	ns := float64(max(1, c.Work.Phases)) * float64(c.Calls()) * float64(slower*perCallNS+c.Work.WaitNS)
	ns = max(ns, c.PacedNS()) + float64(c.Proof.Expected*slower)*perRecordNS + c.Work.TakesNS
	return d + time.Duration(min(ns, float64(mostWall)))
}

// samplesOf returns the number of samples of calls, plus the values in all other series.
func samplesOf(inv plan.Invocation) int64 {
	w := &inv.Cell.Work
	return max(1, w.Phases)*(min(inv.Cell.Calls(), plan.MostSamples)/max(1, w.Batch)) + w.Values
}

func staysOf(inv plan.Invocation) int64 {
	if inv.Profile != results.ProfileTiming && inv.Profile != results.ProfilePilot {
		return sealedBytes / 10
	}
	return sealedBytesPerSample*samplesOf(inv) + sealedBytes
}

func peakOf(inv plan.Invocation) int64 {
	return rawBytesPerSample*samplesOf(inv) + bytesPerRecord*inv.Cell.Proof.Expected
}

// Room returns an error unless dir's file system has this many bytes free.
func Room(dir string, needBytes int64, doing string) error {
	free, err := machine.FreeBytes(dir)
	if err != nil {
		return fmt.Errorf("%s: asking for free disk space: %w", doing, err)
	}
	if free < needBytes {
		return fmt.Errorf("%s: %s holds %d MB free and up to %d MB may be needed; free some, "+
			"or choose another folder with -o", doing, dir, free>>20, needBytes>>20+1)
	}
	return nil
}
