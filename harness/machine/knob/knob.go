// Package knob has the settings of a machine and of a subject's process: how each
// stands, what it can be set to, and which changes that takes. It changes nothing
// itself.
package knob

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/refusal"
	"moobench/results"
)

// Knob is one setting of the machine, or of the subject's process. What it can do
// besides being observed are the functions that are not nil.
type Knob struct {
	Name  string // its key in [machine], and its name in results
	Title string // what it is called, e.g. "transparent huge pages"
	Does  string // what it does, a clause: "raises the frequency for as long as heat allows"
	Cost  string // what leaving it costs a measurement, a clause
	// Fixed is what profile "fixed-hardware" tries to set; "" leaves it alone.
	Fixed string
	// Drifts says that its state changes by itself, or through programs that
	// are welcome: then only a knob that moobench has set can disturb.
	Drifts bool
	// Harmful is a state that spoils figures whatever a profile wants, and Cure what
	// ends it; "" is none.
	Harmful, Cure string
	// Chief names the knob that can't be seen either where the same one, the
	// firmware or a host, decides both.
	Chief string

	// Values are the allowed ones, or examples where there are too many. Check makes
	// a value canonical, without looking at a machine: what Observe would say once it
	// is set. Without both it can only be observed.
	Values []string
	Check  func(value string) (canonical string, err error)

	// Observe reads its state, as people say it, and as [machine] sets it. The error
	// says why it is not known, for the reader of a report.
	Observe func(root fs.FS, on cpu.Placement) (string, error)
	// Resolve says what Observe will say, as things stand now, once a canonical
	// value is set that means something else on each machine, such as "base" of a
	// frequency.
	Resolve func(root fs.FS, on cpu.Placement, value string) (string, error)

	// Changes are what has to be done on this machine, in this order, so that
	// Observe says value. None are needed when it says so already. The error
	// says why it can't be set here.
	Changes func(root fs.FS, on cpu.Placement, value string) ([]Change, error)
	// Files are patterns (path.Match) of all that Changes may name, on any machine,
	// or of what Hold opens. A journal can name nothing else.
	Files []string
	// Group is of a setting that is a control group: the rooted path of its folder, ""
	// when it is not set. The subject has to be started in it, before it is bound to
	// its CPUs: outside of the group, the kernel doesn't let it have them.
	Group func(root fs.FS) string

	// Hold sets it for as long as a file is held open, until release is called.
	// There is nothing to put back: the kernel drops it when moobench ends, however
	// it ends. The error says why it can't be set here.
	Hold func(root fs.FS, value string) (release func() error, err error)

	// Of reads a setting of the subject's process, which ends with it, from a living
	// one; its Observe says what a process gets that asks for nothing. Ask adds a value
	// to what the subject is started with. The error says why it can't be had here.
	Of  func(root fs.FS, pid int) (string, error)
	Ask func(s *Subject, value string) error
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

// Change is one step of setting a knob.
type Change struct {
	Path string     // rooted, without leading slash
	Kind ChangeKind // "" is ChangeWrite
	// Value is what is written.
	Value string
	// Undo is what is written to put it back, where that is not what was found:
	// files that take "+cpuset" and "-cpuset". "" is what was found.
	Undo string
	// Optional: that it fails is no failure of the knob. What the others reach is
	// kept, even if Observe does not say the value then: some interrupts can't be
	// moved, and the rest had better be.
	Optional bool
}

// ChangeKind says what a Change does.
type ChangeKind string

const (
	// ChangeWrite writes Value. What is found before may be a choice such as
	// "always [madvise] never": then the chosen word is what is written back.
	ChangeWrite ChangeKind = ""
	// ChangeGuard writes nothing: the change that follows may alter this file
	// as well, which is then put back after it.
	ChangeGuard ChangeKind = "guard"
	// ChangeMake makes a folder, which is removed to put it back.
	ChangeMake ChangeKind = "make"
)

func (c Change) String() string {
	switch c.Kind {
	case ChangeMake:
		return "mkdir /" + c.Path
	case ChangeGuard:
		return "keep /" + c.Path
	}
	return fmt.Sprintf("echo %s > /%s", c.Value, c.Path)
}

// Named returns the knob with this name.
func Named(name string) (Knob, bool) {
	for _, k := range All() {
		if k.Name == name {
			return k, true
		}
	}
	return Knob{}, false
}

// Personal says that it is a setting of the subject's process.
func (k Knob) Personal() bool { return k.Ask != nil }

// Writes reports that Changes may name a file, on some machine.
func (k Knob) Writes(file string) bool {
	return k.Changes != nil && slices.ContainsFunc(k.Files, func(pattern string) bool {
		matched, err := path.Match(pattern, file)
		return matched && err == nil
	})
}

// Resolved is what Observe says once a canonical value is set; with an error, the
// value.
func (k Knob) Resolved(root fs.FS, on cpu.Placement, value string) (string, error) {
	if k.Resolve == nil {
		return value, nil
	}
	said, err := k.Resolve(root, on, value)
	if err != nil {
		return value, err
	}
	return said, nil
}

// State is how a knob stands.
type State struct {
	results.KnobState
	Why error // what Reason says, nil where it says nothing
}

// Refuse says why it is not known, or not as it is wanted.
func (s *State) Refuse(why error) { s.Why, s.Reason = why, refusal.Inline(why, ": ") }

// Observe reads the state of every knob, given who runs where. What cannot be
// read says why.
func Observe(root fs.FS, on cpu.Placement) []State {
	var states []State
	root = lookAt(root)
	for _, k := range All() {
		s := State{KnobState: results.KnobState{Name: k.Name, Policy: results.PolicyObserve}}
		found, err := k.Observe(root, on)
		if err != nil {
			s.Refuse(err)
		}
		s.Found = found
		states = append(states, s)
	}
	return states
}

// Recorded is what is kept of states on disk.
func Recorded(states []State) []results.KnobState {
	var all []results.KnobState
	for _, s := range states {
		all = append(all, s.KnobState)
	}
	return all
}
