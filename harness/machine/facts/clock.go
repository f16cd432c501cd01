package facts

import (
	"io/fs"
	"time"

	"moobench/harness/machine/internal/kernel"
)

const clocksourceDir = "sys/devices/system/clocksource/clocksource0"

// Clock describes the cost of reading the time here. System.nanoTime of a JVM reads the same clock.
type Clock struct {
	Source string  // the kernel's clock source, e.g. tsc
	ReadNS float64 // one reading
	TickNS int64   // the smallest step observed
}

// MeasureClock takes a few milliseconds. The best of several rounds counts: any disturbance only makes a reading
// look slower.
func MeasureClock(root fs.FS) Clock {
	const rounds, reads = 20, 5_000
	c := Clock{Source: kernel.Line(root, clocksourceDir+"/current_clocksource")}
	base := time.Now() // time.Since(base) reads CLOCK_MONOTONIC once, without a system call
	for range rounds {
		begin := time.Since(base)
		last := begin
		for range reads {
			now := time.Since(base)
			if step := int64(now - last); step > 0 && (c.TickNS == 0 || step < c.TickNS) {
				c.TickNS = step
			}
			last = now
		}
		if ns := float64(last-begin) / reads; c.ReadNS == 0 || ns < c.ReadNS {
			c.ReadNS = ns
		}
	}
	return c
}
