package machine

import (
	"io/fs"
	"strconv"
)

const (
	rtRuntimeFile = "proc/sys/kernel/sched_rt_runtime_us"
	rtPeriodFile  = "proc/sys/kernel/sched_rt_period_us"
)

// rtThrottling keeps a share of each period, in which real-time threads may
// not run, for all others.
type rtThrottling struct{}

func (rtThrottling) Name() string { return "rt_throttling" }

func (rtThrottling) About() About {
	return About{
		Title: "real-time throttling",
		Does:  "stops real-time threads for a twentieth of each second, so that they can't lock everybody out",
		Cost:  "nothing, unless the subject runs with scheduling fifo or rr: then it is stopped in the middle of its calls",
		Fixed: "",
	}
}

func (rtThrottling) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, rtRuntimeFile, "/proc does not tell it here")
	if us, bad := strconv.Atoi(v); bad == nil && us >= 0 {
		v = "on"
	}
	return named(v, map[string]string{"-1": "off"}), err
}

func (rtThrottling) Values() []string { return []string{"on", "off"} }

func (k rtThrottling) Check(value string) (string, error) { return among(value, k.Values()) }

// Changes switches it on as the kernel does by itself: for 5 % of the period.
// That is not what was there before it was off, which nobody knows, but what
// "on" asks for.
func (k rtThrottling) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	us := -1
	if value == "on" {
		us = integer(line(root, rtPeriodFile), 1_000_000) / 20 * 19
	}
	return unlessSo(k, root, on, value, Change{Path: rtRuntimeFile, Value: strconv.Itoa(us)})
}

// Files implements Setter.
func (rtThrottling) Files() []string { return []string{rtRuntimeFile} }
