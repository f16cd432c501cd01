package machine

import (
	"fmt"
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// Clock is what reading the time costs here. System.nanoTime of a JVM reads the
// same clock.
type Clock struct {
	Source string  // the kernel's clock source, e.g. tsc
	ReadNS float64 // one reading
	TickNS int64   // the smallest step that was seen
}

// MeasureClock takes a few milliseconds. The best of several rounds counts:
// what else happens only makes a reading look dearer.
func MeasureClock(root fs.FS) Clock {
	const rounds, reads = 20, 5_000
	c := Clock{Source: line(root, clocksourceFile)}
	base := time.Now() // time.Since then reads CLOCK_MONOTONIC once, without a system call
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

// Accounting is how exactly this kernel tells who used a CPU.
type Accounting struct {
	TickNS  int64 // at each tick the whole tick is charged to whoever runs then
	ShownNS int64 // the unit of /proc/stat
}

// MeasureAccounting asks the kernel for the length of its tick.
func MeasureAccounting() (Accounting, error) {
	var ts unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_MONOTONIC_COARSE, &ts); err != nil {
		return Accounting{}, fmt.Errorf("asking for the length of the kernel's tick: %w", err)
	}
	return Accounting{TickNS: ts.Nano(), ShownNS: shownNS}, nil
}

// String says what the resolution means for a measurement.
func (a Accounting) String() string {
	shortest := time.Duration(float64(leastDisturbance) / greatestShare).Round(100 * time.Millisecond)
	return fmt.Sprintf("CPU time is accounted in ticks of %s and shown in steps of %s: other processes are noticed from %s on, so %.0f %% only in windows of %s or more",
		time.Duration(a.TickNS), time.Duration(a.ShownNS), time.Duration(leastDisturbance), greatestShare*100, shortest)
}
