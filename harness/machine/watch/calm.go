package watch

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"moobench/harness/machine/cpu"
)

// Calm measures how quiet a machine is while no subject runs. NaN: unknown.
type Calm struct {
	othersShare   float64 // of the measured CPUs' time, taken by other user processes
	noiseShare    float64 // how far othersShare may be off
	pressureShare float64 // of the time, in which some task of the machine waited for a CPU
	temperatureC  float64 // of the hottest sensor of a CPU
	heaviest      []consumer
}

// Waited is the outcome of a wait for calm.
type Waited struct {
	Took  time.Duration
	Quiet bool
	// Reason says what was not quiet at the last look that found the machine busy; "" if the first look found it
	// quiet.
	Reason string
}

// MeasureCalm observes cpus for span. It is called before the first subject runs; Wait later compares with its
// result.
func MeasureCalm(ctx context.Context, tree fs.FS, cpus cpu.Set, span time.Duration) (Calm, error) {
	return measure(ctx, span, func() (*Window, error) { return open(tree, cpus, 0) })
}

// Wait returns once the machine is as quiet as when c was measured: other user processes take no more of cpus than
// then, or than is allowed; the share of time in which tasks wait for a CPU is at most a twentieth higher; and the
// CPUs are at most 3 °C hotter. It looks at once, and then less and less often. After limit it reports what is not
// quiet. It fails if ctx ends or the machine can't be read.
func (c Calm) Wait(ctx context.Context, tree fs.FS, cpus cpu.Set, limit time.Duration) (Waited, error) {
	return c.wait(ctx, limit, func() (*Window, error) { return open(tree, cpus, 0) })
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func measure(ctx context.Context, span time.Duration, open func() (*Window, error)) (Calm, error) {
	w, err := open()
	if err == nil {
		err = sleep(ctx, span)
	}
	var u Usage
	if err == nil {
		u, err = w.Close()
	}
	if err != nil {
		return Calm{}, fmt.Errorf("looking whether the machine is quiet: %w", err)
	}
	return Calm{
		othersShare: u.othersNS / u.windowNS, noiseShare: u.noiseNS / u.windowNS,
		pressureShare: u.scalars["pressure_ns"] / u.lengthNS, temperatureC: u.scalars["temperature_end_c"],
		heaviest: u.heaviest,
	}, nil
}

func (c Calm) wait(ctx context.Context, limit time.Duration, open func() (*Window, error)) (Waited, error) {
	const span, longestPause = 250 * time.Millisecond, 2 * time.Second
	const morePressure, moreHeatC = 0.05, 3
	var w Waited
	begin := time.Now()
	for pause := span; ; pause = min(2*pause, longestPause) {
		now, err := measure(ctx, span, open)
		if err != nil {
			return w, err
		}
		w.Took = time.Since(begin)
		var why []string
		if now.othersShare-now.noiseShare > max(greatestShare, c.othersShare) {
			why = append(why, now.others())
		}
		if now.pressureShare > c.pressureShare+morePressure {
			why = append(why, fmt.Sprintf("tasks wait for a CPU for %.0f %% of the time, "+
				"against %.0f %% at the start", now.pressureShare*100, c.pressureShare*100))
		}
		if now.temperatureC > c.temperatureC+moreHeatC {
			why = append(why, fmt.Sprintf("the CPUs are at %.0f °C, against %.0f °C at the start",
				now.temperatureC, c.temperatureC))
		}
		if why == nil {
			w.Quiet = true
			return w, nil
		}
		w.Reason = strings.Join(why, "; ")
		if w.Took >= limit {
			return w, nil
		}
		if err := sleep(ctx, min(pause, limit-w.Took)); err != nil {
			return w, fmt.Errorf("waiting until the machine is quiet: %w", err)
		}
	}
}

// Busy names the processes that would disturb invocations on the measured CPUs, or returns "".
func (c Calm) Busy() string {
	if c.othersShare-c.noiseShare > greatestShare {
		return c.others()
	}
	return ""
}

func (c Calm) others() string {
	busy := fmt.Sprintf("other processes take %.0f %% of the measured CPUs", c.othersShare*100)
	if names := heaviest(c.heaviest); names != "" {
		busy += ", on any CPU most by " + names
	}
	return busy
}
