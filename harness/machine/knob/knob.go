// Package knob has the settings of a machine and of a subject's process: their state, the
// values that they can be set to, and the changes that takes. It changes nothing itself.
package knob

import (
	"io/fs"
	"path"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/refusal"
	"moobench/results"
)

// Knob is one setting of the machine, or of the subject's process. It can be observed;
// what else it can do is given by the functions that are not nil.
type Knob struct {
	Name  string // its key in [machine], and its name in results
	Title string // its full name, e.g. "transparent huge pages"
	Does  string // what it does, as a clause: "raises the frequency for as long as heat allows"
	Cost  string // what leaving it alone costs a measurement, as a clause
	// Fixed is the value that profile "fixed-hardware" tries to set; "": it is left
	// alone.
	Fixed string
	// Drifts means that its state changes by itself, or through programs that are
	// welcome: only a change after moobench has set it is a disturbance.
	Drifts bool
	// Harmful is a state that spoils figures whatever a profile wants, and Cure what ends
	// it; "": none.
	Harmful, Cure string
	// Chief names the knob that stands for this one where the firmware or a host decides
	// both, so that neither can be seen.
	Chief string

	// Values are the allowed ones, or examples where there are too many. Check makes a
	// value canonical without looking at a machine: the text that Observe returns once it
	// is set. Without both it can only be observed.
	Values []string
	Check  func(value string) (canonical string, err error)

	// Observe reads its state in the words of [machine]. The error says why it is
	// unknown, for the reader of a report, and the state is "" then.
	Observe func(root fs.FS, on cpu.Placement) (string, error)
	// resolve returns what Observe would return, as things are now, after setting a
	// canonical value whose meaning depends on the machine, such as "base" of a
	// frequency.
	resolve func(root fs.FS, on cpu.Placement, value string) (string, error)

	// Changes are what has to be done on this machine, in this order, so that Observe
	// returns value; none where it does so already. The error says why it can't be set
	// here.
	Changes func(root fs.FS, on cpu.Placement, value string) ([]Change, error)
	// Files are patterns (path.Match) of everything that Changes may name on any machine,
	// or of what Hold opens. A journal can name nothing else.
	Files []string
	// Group is set for a control group: it returns the rooted path of its folder, "" when
	// it is not set. The subject has to be started in it before it is bound to its CPUs:
	// outside the group, the kernel does not let it have them.
	Group func(root fs.FS) string

	// Hold sets it for as long as a file is held open, until release is called. There is
	// nothing to put back: the kernel drops it when moobench ends, however it ends. The
	// error says why it can't be set here.
	Hold func(root fs.FS, value string) (release func() error, err error)

	// readProcess reads a setting of the subject's process, which ends with it, from a
	// living one; its Observe returns what a process gets that asks for nothing. Ask adds
	// a value to what the subject is started with. The error says why it can't be had
	// here.
	readProcess func(root fs.FS, pid int) (string, error)
	Ask         func(s *Subject, value string) error
}

// Subject is what a subject's process is started with besides its CPUs. The zero value is
// what a process gets that asks for nothing.
type Subject struct {
	FixedAddresses bool   // no address space randomisation
	Nice           *int   // -20 to 19
	Scheduling     string // other, batch, fifo or rr; "": that of moobench
	LockableBytes  *int64 // how much memory it may lock; -1: all
	ControlGroup   string // rooted path of a cgroup v2 folder to start it in, or ""
}

// Change is one step of setting a knob.
type Change struct {
	Path string     // rooted, without leading slash
	Kind ChangeKind // "" is ChangeWrite
	// Value is what is written.
	Value string
	// Undo is written to put it back, where that is not what was found: for files that
	// take "+cpuset" and "-cpuset". "": what was found.
	Undo string
	// Optional means that a failure of this change is no failure of the knob. The result
	// of the others is kept, even if Observe does not return the value then: some
	// interrupts can't be moved, and the rest should be.
	Optional bool
}

// ChangeKind says what a Change does.
type ChangeKind string

const (
	// ChangeWrite writes Value. What is found before may be a choice such as "always
	// [madvise] never": then the chosen word is written back.
	ChangeWrite ChangeKind = ""
	// ChangeGuard writes nothing: the change that follows may alter this file as well,
	// which is then put back after it.
	ChangeGuard ChangeKind = "guard"
	// ChangeMake makes a folder, which is removed to put it back.
	ChangeMake ChangeKind = "make"
)

// Named returns the knob with this name.
func Named(name string) (Knob, bool) {
	for _, k := range All() {
		if k.Name == name {
			return k, true
		}
	}
	return Knob{}, false
}

// Personal reports whether it is a setting of the subject's process.
func (k Knob) Personal() bool { return k.Ask != nil }

// Writes reports whether Changes may name a file, on some machine.
func (k Knob) Writes(file string) bool {
	return k.Changes != nil && slices.ContainsFunc(k.Files, func(pattern string) bool {
		matched, err := path.Match(pattern, file)
		return matched && err == nil
	})
}

// Resolved is what Observe returns once a canonical value is set; with an error, the
// value.
func (k Knob) Resolved(root fs.FS, on cpu.Placement, value string) (string, error) {
	if k.resolve == nil {
		return value, nil
	}
	said, err := k.resolve(root, on, value)
	if err != nil {
		return value, err
	}
	return said, nil
}

// State is the state of a knob.
type State struct {
	results.KnobState
	Why error // what Reason says; nil where it is empty
}

// Refuse records why the knob is unknown, or not as wanted.
func (s *State) Refuse(why error) { s.Why, s.Reason = why, refusal.Inline(why, ": ") }

// Observe reads the state of every knob, given who runs where. What can't be read says
// why.
func Observe(root fs.FS, on cpu.Placement) []State {
	root = lookAt(root)
	return results.Each(All(), func(k Knob) State {
		s := State{KnobState: results.KnobState{Name: k.Name, Policy: results.PolicyObserve}}
		if s.Found, s.Why = k.Observe(root, on); s.Why != nil {
			s.Refuse(s.Why)
		}
		return s
	})
}

// Recorded is what is stored of states.
func Recorded(states []State) []results.KnobState {
	return results.Each(states, func(s State) results.KnobState { return s.KnobState })
}
