package run

import (
	"fmt"
	"time"

	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/results"
)

// What an invocation takes before anything was measured: rough, and replaced
// by what the campaign's own invocations took as soon as there are some.
const (
	plainStart  = 400 * time.Millisecond // a JVM's start and exit, and sealing
	agentStart  = 3 * time.Second        // more for a variant with an agent of its own
	perCallNS   = 60
	perRecordNS = 300
	perLoadNS   = 100_000    // a class that is loaded beforehand
	perSwapNS   = 10_000_000 // classes are exchanged once
	perSwitchNS = 50_000     // what is compiled in is switched on and off

	rawBytesPerSample    = 8
	sealedBytesPerSample = 2 // delta-encoded durations take 1.3 to 1.6
	sealedBytes          = 200_000
	bytesPerRecord       = 200    // a record in a text file, generously
	changeColumns        = 9      // of the samples of changes
	requestColumns       = 6      // of the samples of requests
	mostPerSecond        = 20_000 // requests of clients that don't think: more than most servers answer

	// Nobody means more, and sums of these don't overflow.
	mostWall    = 1000 * time.Hour
	mostSamples = 1 << 40
)

// Estimate is what a plan will take: wall time, bytes that stay, and bytes
// that one invocation may need on top while it runs.
type Estimate struct {
	Wall        time.Duration
	StayBytes   int64
	PeakBytes   int64
	Invocations int
}

// EstimateOf adds up a plan's blocks, all of them.
func EstimateOf(p *plan.Plan) Estimate {
	var e Estimate
	for _, b := range p.Campaign.Blocks {
		for slot := range b.Order {
			inv, err := p.Invocation(b, slot, 0)
			if err != nil {
				continue
			}
			e.Invocations++
			e.Wall += wallOf(inv)
			e.StayBytes += staysOf(inv)
			e.PeakBytes = max(e.PeakBytes, peakOf(inv))
		}
	}
	return e
}

func wallOf(inv plan.Invocation) time.Duration {
	d := plainStart
	if len(inv.Cell.Variant.Artifacts) > 0 {
		d += agentStart
	}
	slower := inv.Cell.Slower()
	ns := float64(phasesOf(inv)) * float64(inv.Cell.Calls()) * float64(slower*perCallNS+inv.Cell.Int("method_time"))
	ns += float64(inv.Cell.Proof.Expected*slower)*perRecordNS + float64(inv.Cell.Int("loaded"))*perLoadNS + changesNS(inv)
	ns += float64(inv.Cell.Int("ramp")) + float64(inv.Cell.Int("hold"))
	return d + time.Duration(min(ns, float64(mostWall)))
}

// changesNS is what the changes of an invocation take that changes what is
// monitored: each sample is put in and taken out, and the bare exchange beside
// it is one more; 0 where nothing is changed.
func changesNS(inv plan.Invocation) float64 {
	each := perSwitchNS
	if inv.Cell.Variant.Activate != "" {
		each = perSwapNS
	}
	n := 2 * float64(inv.Cell.Int("samples"))
	if inv.Cell.Parameter("one_by_one") == "true" {
		n *= float64(max(1, inv.Cell.Int("at_once")))
	}
	n *= float64(each)
	if inv.Cell.Parameter("bare") == "true" {
		n += float64(inv.Cell.Int("samples")) * perSwapNS
	}
	return n
}

// phasesOf is how often the calls of a cell are made: where changes are
// measured, before, during and after one.
func phasesOf(inv plan.Invocation) int64 {
	if inv.Cell.Int("samples") > 0 {
		return 3
	}
	return 1
}

// samplesOf counts those of calls and, as many as they have columns, those of
// changes and of requests.
func samplesOf(inv plan.Invocation) int64 {
	batch := max(1, inv.Cell.Int("batch"))
	changes := min(inv.Cell.Int("samples"), mostSamples)
	return phasesOf(inv)*(min(inv.Cell.Calls(), mostSamples)/batch) + changeColumns*changes + requestColumns*requestsOf(inv)
}

// requestsOf is how many requests an invocation sends at most: as often as the
// rate says, or as clients that think send them.
func requestsOf(inv plan.Invocation) int64 {
	c := inv.Cell
	rate := float64(c.Int("rate"))
	if c.Parameter("arrival") == "closed" {
		rate = mostPerSecond
		if think := c.Int("think"); think > 0 {
			rate = min(rate, float64(c.Int("clients"))*1e9/float64(think))
		}
	}
	return int64(min(rate*float64(c.Int("ramp")+c.Int("hold"))/1e9, mostSamples))
}

func staysOf(inv plan.Invocation) int64 {
	if inv.Profile != results.ProfileTiming {
		return sealedBytes / 10
	}
	return sealedBytesPerSample*samplesOf(inv) + sealedBytes
}

func peakOf(inv plan.Invocation) int64 {
	return rawBytesPerSample*samplesOf(inv) + bytesPerRecord*inv.Cell.Proof.Expected
}

// room refuses to start an invocation that the disk has no room for: the
// campaign stays whole and can be resumed.
func (r *Runner) room(inv plan.Invocation) error {
	return Room(r.Store.Dir(), peakOf(inv)+staysOf(inv), "starting "+inv.Identity.String())
}

// Room says whether dir's file system has this many bytes left.
func Room(dir string, needBytes int64, doing string) error {
	free, err := machine.FreeBytes(dir)
	if err != nil {
		return fmt.Errorf("%s: asking for free disk space: %w", doing, err)
	}
	if free < needBytes {
		return fmt.Errorf("%s: %s holds %d MB free and up to %d MB may be needed; free some, or choose another folder with -o", doing, dir, free>>20, needBytes>>20+1)
	}
	return nil
}
