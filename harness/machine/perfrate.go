package machine

import (
	"fmt"
	"io/fs"
	"math"
)

const (
	perfRateFile  = "proc/sys/kernel/perf_event_max_sample_rate"
	perfShareFile = "proc/sys/kernel/perf_cpu_time_max_percent"
)

// perfRate bounds how often a profiler may interrupt a CPU. The kernel lowers
// it by itself when its interrupts take too long.
type perfRate struct{}

func (perfRate) Name() string { return "perf_rate" }

func (perfRate) About() About {
	return About{
		Title:  "perf sampling rate",
		Does:   "bounds how many times a second profilers may interrupt a CPU",
		Cost:   "a profiler that somebody left running interrupts the measured CPUs up to that often",
		Fixed:  "1",
		Drifts: true,
	}
}

func (perfRate) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, perfRateFile, "the kernel has no perf events, or /proc does not tell it here")
	return State{Value: v}, err
}

// Values are examples, in samples per second.
func (perfRate) Values() []string { return []string{"1", "100000"} }

func (perfRate) Check(value string) (string, error) { return whole(value, 1, math.MaxInt32) }

func (k perfRate) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	changes, err := unlessSo(k, root, on, value, Change{Path: perfRateFile, Value: value})
	if share := line(root, perfShareFile); len(changes) > 0 && (share == "0" || share == "100") {
		return nil, fmt.Errorf("the kernel takes no rate while /%s is %s: write 25, its default, there first", perfShareFile, share)
	}
	return changes, err
}

// Files implements Setter.
func (perfRate) Files() []string { return []string{perfRateFile} }
