package knob

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// shallowUS is the longest wake-up time of a shallow idle state, in µs.
const shallowUS = 10

// idleState is an idle state of one CPU.
type idleState struct {
	dir, name      string
	deep, disabled bool
}

// idleStates returns the idle states of each measured CPU that has any.
func idleStates(root fs.FS, on cpu.Placement) ([][]idleState, error) {
	measured := on.Fixture
	if len(measured) == 0 {
		t, _ := cpu.ReadTopology(root) // without a topology there is no CPU to ask
		measured = t.CPUs()
	}
	var cpus [][]idleState
	for _, n := range measured {
		var states []idleState
		for _, dir := range kernel.Glob(root, fmt.Sprintf("%s/cpu%d/cpuidle/state[0-9]*", cpu.Dir, n)) {
			states = append(states, idleState{
				dir:      dir,
				name:     kernel.Line(root, dir+"/name"),
				deep:     kernel.Int(kernel.Line(root, dir+"/latency"), 0) > shallowUS,
				disabled: kernel.Line(root, dir+"/disable") == "1",
			})
		}
		if len(states) > 0 {
			cpus = append(cpus, states)
		}
	}
	if len(cpus) == 0 {
		return nil, errors.New("there is no cpuidle here: " +
			"the firmware, or the host of this virtual machine, decides how deep a CPU sleeps")
	}
	return cpus, nil
}

// observeIdle returns "all", "shallow", or the disabled states, of the measured CPUs.
func observeIdle(root fs.FS, on cpu.Placement) (string, error) {
	cpus, err := idleStates(root, on)
	return inUse(cpus), err
}

// resolveIdle resolves "shallow" to "all" if no state is deep.
func resolveIdle(root fs.FS, on cpu.Placement, value string) (string, error) {
	cpus, err := idleStates(root, on)
	for _, states := range cpus {
		for i := range states {
			states[i].disabled = value == "shallow" && states[i].deep
		}
	}
	return inUse(cpus), err
}

func changeIdle(root fs.FS, on cpu.Placement, value string) ([]Change, error) {
	var changes []Change
	cpus, err := idleStates(root, on)
	for _, s := range slices.Concat(cpus...) {
		if disable := value == "shallow" && s.deep; disable != s.disabled {
			changes = append(changes, Change{Path: s.dir + "/disable", Value: zeroOne(disable)})
		}
	}
	return changes, err
}

// idleFiles is a pattern for the switches of all idle states.
const idleFiles = cpu.Dir + "/cpu[0-9]*/cpuidle/state[0-9]*/disable"

// inUse names the states that the CPUs may use.
func inUse(cpus [][]idleState) string {
	var all []string
	for _, states := range cpus {
		var disabled []string
		shallow := true
		for _, s := range states {
			if s.disabled {
				disabled = append(disabled, s.name)
			}
			shallow = shallow && s.disabled == s.deep
		}
		switch {
		case len(disabled) == 0:
			all = append(all, "all")
		case shallow:
			all = append(all, "shallow")
		default:
			all = append(all, "all but "+strings.Join(disabled, " and "))
		}
	}
	return joined(all)
}

const (
	latencyFile = "dev/cpu_dma_latency"
	// unlimitedUS is the kernel's value without any request: PM_QOS_CPU_LATENCY_DEFAULT_VALUE.
	unlimitedUS = 2_000_000_000
)

// holdable is a tree whose files can be held open.
type holdable interface {
	// HoldOpen opens the file at path, writes data to it in one write, and keeps it open until release is called.
	HoldOpen(path string, data []byte) (release func() error, err error)
}

// observeLatency returns the strictest limit that anybody requests.
func observeLatency(root fs.FS, _ cpu.Placement) (string, error) {
	us, err := readLatency(root)
	switch {
	case err != nil:
		return "", err
	case us >= unlimitedUS:
		return "unlimited", nil
	}
	return microseconds(us), nil
}

func microseconds(us int32) string { return fmt.Sprintf("%dus", us) }

// resolveLatency accepts a stricter limit requested by somebody else.
func resolveLatency(root fs.FS, _ cpu.Placement, value string) (string, error) {
	want, err := parseLatency(value)
	us, unread := readLatency(root)
	return microseconds(min(us, want)), cmp.Or(err, unread)
}

func holdLatency(root fs.FS, value string) (release func() error, err error) {
	us, err := parseLatency(value)
	_, unread := readLatency(root)
	if err := cmp.Or(err, unread); err != nil {
		return nil, err
	}
	tree, ok := root.(holdable)
	if !ok {
		return nil, fmt.Errorf("/%s can't be held open here", latencyFile)
	}
	release, err = tree.HoldOpen(latencyFile, binary.NativeEndian.AppendUint32(nil, uint32(us)))
	if err != nil {
		return nil, fmt.Errorf("holding /%s open: %w", latencyFile, err)
	}
	return release, nil
}

// readLatency reads a 32-bit number of µs in the machine's byte order.
func readLatency(root fs.FS) (us int32, err error) {
	b, err := fs.ReadFile(root, latencyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, errors.New("there is no /" + latencyFile + " here")
	case errors.Is(err, fs.ErrPermission):
		return 0, errors.New("only root may open /" + latencyFile)
	case err != nil:
		return 0, err
	case len(b) < 4:
		return 0, fmt.Errorf("/%s holds %d bytes, and not 4", latencyFile, len(b))
	}
	return int32(binary.NativeEndian.Uint32(b)), nil
}

// parseLatency parses "10us", "0us" or "1ms".
func parseLatency(s string) (us int32, err error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d%time.Microsecond != 0 || d/time.Microsecond >= unlimitedUS {
		return 0, fmt.Errorf("%q is not a latency (want whole µs, e.g. 0us or 10us)", s)
	}
	return int32(d / time.Microsecond), nil
}
