package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// shallowUS is the longest that waking from a shallow idle state takes, in µs.
const shallowUS = 10

// cstates are the idle states that the measured CPUs may use.
type cstates struct{}

func (cstates) Name() string { return "cstates" }

func (cstates) About() About {
	return About{
		Title: "idle states",
		Does:  "lets a CPU that waits sleep deep, and so wake late",
		Cost:  "a thread that waits for another pays up to hundreds of µs each time, and one variant waits more than another",
		Fixed: "shallow",
	}
}

// Observe says "all", "shallow", or which are disabled, of the measured CPUs.
func (cstates) Observe(root fs.FS, on Placement) (State, error) {
	var said []string
	cpus, err := idleStates(root, on)
	for _, states := range cpus {
		said = append(said, inUse(states))
	}
	return State{Value: joined(said)}, err
}

func (cstates) Values() []string { return []string{"all", "shallow"} }

func (k cstates) Check(value string) (string, error) { return oneOf(value, k.Values()) }

// Resolve says "all" also for "shallow" where no state is deep.
func (cstates) Resolve(root fs.FS, on Placement, value string) (string, error) {
	var said []string
	cpus, err := idleStates(root, on)
	for _, states := range cpus {
		for i := range states {
			states[i].disabled = value == "shallow" && states[i].deep
		}
		said = append(said, inUse(states))
	}
	return joined(said), err
}

func (cstates) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	var changes []Change
	cpus, err := idleStates(root, on)
	for _, s := range slices.Concat(cpus...) {
		if disable := value == "shallow" && s.deep; disable != s.disabled {
			changes = append(changes, Change{Path: s.dir + "/disable", Value: zeroOne(disable)})
		}
	}
	return changes, err
}

// idleFiles is a pattern of the switches of all idle states.
const idleFiles = cpuDir + "/cpu[0-9]*/cpuidle/state[0-9]*/disable"

// Files implements Setter.
func (cstates) Files() []string { return []string{idleFiles} }

// idleState is one idle state of one CPU.
type idleState struct {
	dir, name      string
	deep, disabled bool
}

// idleStates are those of each measured CPU that has any.
func idleStates(root fs.FS, on Placement) ([][]idleState, error) {
	measured := on.Fixture
	if len(measured) == 0 {
		t, _ := ReadTopology(root) // without one there is no CPU to ask
		for _, c := range t {
			measured = append(measured, c.ID)
		}
	}
	var cpus [][]idleState
	for _, cpu := range measured {
		var states []idleState
		for _, dir := range matches(root, fmt.Sprintf("%s/cpu%d/cpuidle/state[0-9]*", cpuDir, cpu)) {
			states = append(states, idleState{
				dir:      dir,
				name:     line(root, dir+"/name"),
				deep:     integer(line(root, dir+"/latency"), 0) > shallowUS,
				disabled: line(root, dir+"/disable") == "1",
			})
		}
		if len(states) > 0 {
			cpus = append(cpus, states)
		}
	}
	if len(cpus) == 0 {
		return nil, errors.New("there is no cpuidle here: the firmware, or the host of this virtual machine, decides how deep a CPU sleeps")
	}
	return cpus, nil
}

// inUse says which of a CPU's states it may use.
func inUse(states []idleState) string {
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
		return "all"
	case shallow:
		return "shallow"
	}
	return "all but " + strings.Join(disabled, " and ")
}
