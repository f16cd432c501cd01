package machine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"moobench/results"
)

// Knob is one setting of the machine, or of the subject's process.
type Knob interface {
	// Name is its key in [machine], and its name in results.
	Name() string
	About() About
	// Observe reads its state. The error says why it is not known, for the
	// reader of a report.
	Observe(root fs.FS, on Placement) (State, error)
}

// About tells people about a knob.
type About struct {
	Title string // what it is called, e.g. "transparent huge pages"
	Does  string // what it does, a clause: "raises the frequency for as long as heat allows"
	Cost  string // what leaving it costs a measurement, a clause
	// Fixed is what profile "fixed-hardware" tries to set; "" leaves it alone.
	Fixed string
	// Drifts says that its state changes by itself, or through programs that
	// are welcome: then only a knob that moobench has set can disturb.
	Drifts bool
}

// State is how a knob stands.
type State struct {
	Value string // as people say it, and as [machine] sets it: "performance", "off"
}

// Setter is a Knob that is set by writing files.
type Setter interface {
	Knob
	// Values are the allowed ones, or examples where there are too many; Check
	// makes a value canonical, without looking at a machine: what Observe would
	// say once it is set.
	Values() []string
	Check(value string) (canonical string, err error)
	// Changes are what has to be done on this machine, in this order, so that
	// Observe says value. None are needed when it says so already. The error
	// says why it can't be set here.
	Changes(root fs.FS, on Placement, value string) ([]Change, error)
	// Files are patterns (path.Match) of all that Changes may name, on any machine. A
	// journal can name nothing else.
	Files() []string
}

// Resolver is a Setter, or Holder, with values that mean something else on each
// machine, such as "base" of a frequency.
type Resolver interface {
	Knob
	// Resolve says which value Observe says, as things stand now, once a
	// canonical value is set: what is observed is compared with that. Any other
	// value stands for itself.
	Resolve(root fs.FS, on Placement, value string) (string, error)
}

// Personal is a Knob of the subject's process: it is set when the subject is
// started, and ends with it. Its Observe says what a process gets that asks for
// nothing.
type Personal interface {
	Knob
	Values() []string
	Check(value string) (canonical string, err error)
	// Of reads it from a living process.
	Of(root fs.FS, pid int) (State, error)
	// Ask adds a value to what the subject is started with. The error says why
	// it can't be had here.
	Ask(s *Subject, value string) error
}

// Subject is what a subject's process is started with besides its CPUs. The
// zero value is what a process gets that asks for nothing.
type Subject struct {
	FixedAddresses bool   // no address space randomisation
	Nice           *int   // -20 to 19
	Scheduling     string // other, batch, fifo or rr; "" is what moobench has
	LockableBytes  *int64 // how much memory it may lock; -1 is all
	ControlGroup   string // rooted path of a cgroup v2 folder to start it in, ""
}

// Knobs are all that moobench knows, in the order in which they are set: what
// takes CPUs away comes first, and what decides the range of another before it.
func Knobs() []Knob {
	return []Knob{
		smt{},
		turbo{},
		governor{},
		energyPreference{},
		frequencyLimit{},
		frequencyLimit{lowest: true},
		cstates{},
		dmaLatency{},
		thp{},
		swappiness{},
		numaBalancing{},
		watchdog{},
		perfRate{},
		rtThrottling{},
		irqs{},
		cpuset{},
		clocksource{},
		mitigations{},
		aslr{},
		nice{},
		scheduling{},
		memlock{},
	}
}

// KnobNamed returns the knob with this name.
func KnobNamed(name string) (Knob, bool) {
	for _, k := range Knobs() {
		if k.Name() == name {
			return k, true
		}
	}
	return nil, false
}

func observeKnobs(root fs.FS, on Placement) []results.KnobState {
	var states []results.KnobState
	root = lookAt(root)
	for _, k := range Knobs() {
		s := results.KnobState{Name: k.Name(), Policy: results.PolicyObserve}
		found, err := k.Observe(root, on)
		if err != nil {
			s.Reason = err.Error()
		}
		s.Found = found.Value
		states = append(states, s)
	}
	return states
}

// read reads a knob's file of one line; absent is the reason when it is not
// there.
func read(root fs.FS, path, absent string) (string, error) {
	b, err := fs.ReadFile(root, path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New(absent)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(b)), nil
}

// readEach reads a file of every CPU and joins the different values.
func readEach(root fs.FS, pattern, absent string) (string, error) {
	paths, err := fs.Glob(root, pattern)
	if err != nil {
		return "", err
	}
	var values []string
	for _, path := range paths {
		if v := line(root, path); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return "", errors.New(absent)
	}
	slices.Sort(values)
	return strings.Join(values, ", "), nil
}

// named translates what the kernel writes; a value without a name stands as it
// is.
func named(value string, names map[string]string) State {
	if name, ok := names[value]; ok {
		return State{Value: name}
	}
	return State{Value: value}
}
