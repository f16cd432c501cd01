package results

import (
	"slices"
	"strings"
	"time"
)

// Machine is machines/<id>.json: the identity of a host and the state of every
// knob. Nothing personal: no serial numbers, no environment.
type Machine struct {
	Format int    `json:"format"` // 2
	ID     string `json:"id"`     // short hash of the identity, the file's name
	Host   string `json:"host"`   // host name
	CPU    string `json:"cpu"`    // model
	// Stepping is the CPU's family, model and stepping, as x86 numbers them: 25-17-1; of Arm its
	// variant and revision.
	Stepping string `json:"stepping,omitempty"`
	// Core is the kind of the measured cores, of a CPU that has two: performance, efficiency, or
	// mixed where cores of both are measured.
	Core   string            `json:"core,omitempty"`
	CPUs   int               `json:"cpus"`            // how many
	Memory int64             `json:"memory_bytes"`    // physical memory
	Kernel string            `json:"kernel"`          // release
	OS     string            `json:"os"`              // distribution
	Facts  map[string]string `json:"facts,omitempty"` // what else is known of the host
	Knobs  []KnobState       `json:"knobs"`           // every setting
	// Calibration is what the last self-test of this machine with a known cost said, as
	// of the session that wrote this file; absent when there was none.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// CPUModel is what tells CPUs apart that have unlike speeds.
type CPUModel struct {
	CPU            string // its name
	stepping, core string
}

// Model is the machine's.
func (m *Machine) Model() CPUModel { return CPUModel{m.CPU, m.Stepping, m.Core} }

// String is all that is known of it.
func (m CPUModel) String() string {
	known := slices.DeleteFunc([]string{m.CPU, m.stepping, m.core}, func(s string) bool { return s == "" })
	return strings.Join(known, " ")
}

// Calibration is a self-test of a machine with a known cost: two probes that differ by a
// chosen time are measured like any other, and the measured difference is compared with
// the chosen one.
type Calibration struct {
	When       time.Time `json:"when"`        // when it was made
	Runtime    string    `json:"runtime"`     // JDK build
	Moobench   string    `json:"moobench"`    // version of moobench
	Blocks     int       `json:"blocks"`      // how many were made
	KnownNS    float64   `json:"known_ns"`    // chosen cost per call
	MeasuredNS float64   `json:"measured_ns"` // cost per call that came out
	// LowNS and HighNS are its interval at Level.
	LowNS  float64 `json:"low_ns"`
	HighNS float64 `json:"high_ns"`
	Level  float64 `json:"level"` // of the interval
	// Recovered says whether the known cost lies in the interval.
	Recovered bool    `json:"recovered"`
	AA        string  `json:"aa"`                 // state of the two equal baselines: failed, resolves, too few blocks
	Resolves  float64 `json:"resolves,omitempty"` // margin that the two equal baselines resolve: 0.012 is 1.2 %
	// ResolvesNS is about the smallest overhead per call that a campaign of one
	// variant finds with 80 % power (two-sided, alpha 0.05) when its blocks take
	// ResolvesInNS, from how the two equal baselines differed. Absent when they don't
	// tell, as are the following two.
	ResolvesNS    float64 `json:"resolves_ns,omitempty"`
	ResolvesShare float64 `json:"resolves_share,omitempty"` // ResolvesNS as a share of the baseline's mean
	ResolvesInNS  int64   `json:"resolves_in_ns,omitempty"` // time of all blocks of such a campaign
}

// TooWide reports whether the interval is too wide for its containing the known cost to
// mean anything: its half-width is more than 5 % of that cost.
func (c *Calibration) TooWide() bool { return (c.HighNS-c.LowNS)/2 > 0.05*c.KnownNS }

// KnobState is one setting of the machine: found, wanted, got.
type KnobState struct {
	Name   string `json:"name"`             // of the knob
	Found  string `json:"found,omitempty"`  // value before moobench touched it
	Wanted string `json:"wanted,omitempty"` // value that was asked for; absent: none was
	Got    string `json:"got,omitempty"`    // value as read back
	Policy Policy `json:"policy"`           // what happens when it does not get the wanted value
	Reason string `json:"reason,omitempty"` // why it is not known, or was not set
}

// Policy is what happens when a knob does not get the wanted value.
type Policy string

const (
	PolicyRequire Policy = "require" // nothing is measured
	PolicyTry     Policy = "try"     // a warning, once
	PolicyObserve Policy = "observe" // no value is wanted: it is recorded
)

// Unmet reports whether a value is wanted that the knob does not have.
func (k KnobState) Unmet() bool { return k.Wanted != "" && k.Got != k.Wanted }

// Control is what [machine] of benchmarks.toml asked for.
type Control struct {
	Profile string `json:"profile"` // as-is or fixed-hardware
	// Pool says that any machine of this pool will do: what is measured on unlike machines
	// of one CPU model is compared; absent: it is not.
	Pool string `json:"pool,omitempty"`
	// Wishes are the knobs that are named, in the file or by the profile: only
	// name, wanted and policy are filled in.
	Wishes []KnobState `json:"requested,omitempty"`
	// QuietNS is how long moobench waits, before it goes on, for the machine to
	// become as quiet as it was when the campaign began; absent: not at all.
	QuietNS int64 `json:"quiet_ns,omitempty"`
	// Repeat says that disturbed invocations are repeated by extra blocks.
	Repeat bool `json:"repeat_disturbed,omitempty"`
}

// The profiles of [machine].
const (
	ProfileAsIs          = "as-is"          // nothing is changed but affinities
	ProfileFixedHardware = "fixed-hardware" // sensible settings for a machine that does nothing else
)
