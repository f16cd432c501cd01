// Package knob knows the settings of a machine and of a subject's process: their states, their possible values,
// and the changes needed to set them. It changes nothing itself.
package knob

import (
	"io/fs"
	"path"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/refusal"
	"moobench/results"
)

// Knob is one setting of the machine, or of the subject's process. It can always be observed; the functions that
// are not nil say what else is possible.
type Knob struct {
	Name  string // its key in [machine], and its name in results
	Title string // its full name, e.g. "transparent huge pages"
	Does  string // what it does, as a clause: "raises the frequency for as long as heat allows"
	Cost  string // the cost to a measurement of leaving it alone, as a clause
	// Fixed is the value that profile "fixed-hardware" tries to set; "": it leaves the knob alone.
	Fixed string
	// Drifts means that it changes by itself, or through welcome programs: only a change after moobench has set it
	// is a disturbance.
	Drifts bool
	// Harmful is a value that spoils figures under any profile, and Cure the command that changes it; "": none.
	Harmful, Cure string
	// Chief names the knob that represents this one if the firmware or a host decides both, so that neither can be
	// seen.
	Chief string

	// Values are the allowed values, or examples if there are too many. Check returns a value's canonical form,
	// without looking at a machine: the text that Observe returns once it is set. Without either, the knob can
	// only be observed.
	Values []string
	Check  func(value string) (canonical string, err error)

	// Observe returns the current value in the words of [machine]. The error says, for the reader of a report, why
	// it is unknown; the value is "" then.
	Observe func(root fs.FS, on cpu.Placement) (string, error)
	// resolve returns the value that Observe would return, under current conditions, after setting a canonical
	// value whose meaning depends on the machine, such as the frequency "base".
	resolve func(root fs.FS, on cpu.Placement, value string) (string, error)

	// Changes returns the steps needed on this machine, in order, so that Observe returns value; none if it
	// already does. The error says why it can't be set here.
	Changes func(root fs.FS, on cpu.Placement, value string) ([]Change, error)
	// Files are patterns (path.Match) of all files that Changes may name on any machine, or that Hold opens. A
	// journal may name no others.
	Files []string
	// Group is set for a control group: it returns the rooted path of the group's folder, or "" if the group is
	// not set. The subject must be started in it before it is bound to its CPUs: outside the group, the kernel
	// denies it these CPUs.
	Group func(root fs.FS) string

	// Hold sets it for as long as a file is held open, until release is called. Nothing needs to be put back: the
	// kernel drops the setting when moobench ends, however it ends. The error says why it can't be set here.
	Hold func(root fs.FS, value string) (release func() error, err error)

	// readProcess reads a setting of the subject's own process, which ends with it, from a living process; Observe
	// then returns the default of a new process. Ask adds a value to the attributes that the subject is started
	// with. The error says why it is not available here.
	readProcess func(root fs.FS, pid int) (string, error)
	Ask         func(s *Subject, value string) error
}

// Subject holds the attributes, besides its CPUs, that a subject's process is started with. The zero value asks
// for nothing.
type Subject struct {
	FixedAddresses bool   // no address space randomisation
	Nice           *int   // -20 to 19
	Scheduling     string // other, batch, fifo or rr; "": as for moobench
	LockableBytes  *int64 // bytes of memory that it may lock; -1: unlimited
	ControlGroup   string // rooted path of a cgroup v2 folder to start it in, or ""
}

// Change is one step of setting a knob.
type Change struct {
	Path string     // rooted, without leading slash
	Kind ChangeKind // "" is ChangeWrite
	// Value is the text to write.
	Value string
	// Undo is written to restore files that take "+cpuset" and "-cpuset", say. "": the original content is
	// written.
	Undo string
	// Optional means that a failure of this change is not a failure of the knob. The other changes are kept even
	// if Observe then does not return the value: some interrupts can't be moved, and the rest should be.
	Optional bool
}

// ChangeKind is the kind of a Change.
type ChangeKind string

const (
	// ChangeWrite writes Value. If the original content is a choice such as "always [madvise] never", the chosen
	// word is restored.
	ChangeWrite ChangeKind = ""
	// ChangeGuard writes nothing: the next change may alter this file as well, so it is restored after that one.
	ChangeGuard ChangeKind = "guard"
	// ChangeMake makes a folder. Restoring removes it.
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

// Writes reports whether Changes may name a file on some machine.
func (k Knob) Writes(file string) bool {
	return k.Changes != nil && slices.ContainsFunc(k.Files, func(pattern string) bool {
		matched, err := path.Match(pattern, file)
		return matched && err == nil
	})
}

// Resolved returns the value that Observe returns once a canonical value is set; with an error, the value itself.
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

// State is the state of a knob, with the error behind its Reason.
type State struct {
	results.KnobState
	Why error // the error behind Reason; nil if that is empty
}

// Refuse records why the value is unknown, or not as wanted.
func (s *State) Refuse(why error) { s.Why, s.Reason = why, refusal.Inline(why, ": ") }

// Observe reads the state of every knob, given the placement. An unreadable one has a reason.
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

// Recorded returns the part of states that is stored.
func Recorded(states []State) []results.KnobState {
	return results.Each(states, func(s State) results.KnobState { return s.KnobState })
}
