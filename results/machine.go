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
	// Stepping is the CPU's family, model and stepping in x86 numbering: 25-17-1; on Arm, its variant and
	// revision.
	Stepping string `json:"stepping,omitempty"`
	// Core is the kind of the measured cores, on a CPU that has two: performance, efficiency, or mixed if both
	// are measured.
	Core   string            `json:"core,omitempty"`
	CPUs   int               `json:"cpus"`            // how many there are
	Memory int64             `json:"memory_bytes"`    // physical memory
	Kernel string            `json:"kernel"`          // release
	OS     string            `json:"os"`              // distribution
	Facts  map[string]string `json:"facts,omitempty"` // further facts about the host
	Knobs  []KnobState       `json:"knobs"`           // every setting
	// Calibration is the last self-test of this machine with a known cost, as of the session that wrote this
	// file; absent: no self-test.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// CPUModel tells apart CPUs that may differ in speed.
type CPUModel struct {
	CPU            string // its name
	stepping, core string
}

// Model returns the machine's CPU model.
func (m *Machine) Model() CPUModel { return CPUModel{m.CPU, m.Stepping, m.Core} }

// String joins all that is known of the model.
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
	Blocks     int       `json:"blocks"`      // number of blocks
	KnownNS    float64   `json:"known_ns"`    // chosen cost per call
	MeasuredNS float64   `json:"measured_ns"` // measured cost per call
	// LowNS and HighNS are the interval of the measured cost, at Level.
	LowNS  float64 `json:"low_ns"`
	HighNS float64 `json:"high_ns"`
	Level  float64 `json:"level"` // of the interval
	// Recovered says whether the known cost lies in the interval.
	Recovered bool    `json:"recovered"`
	AA        string  `json:"aa"`                 // outcome of the A/A: failed, resolves, too few blocks
	Resolves  float64 `json:"resolves,omitempty"` // margin that the A/A resolves: 0.012 is 1.2 %
	// ResolvesNS is approximately the smallest overhead per call that a campaign of one variant finds with 80 %
	// power (two-sided, alpha 0.05) if its blocks take ResolvesInNS, estimated from the A/A. It is absent, like
	// the following two, if the A/A allows no estimate.
	ResolvesNS    float64 `json:"resolves_ns,omitempty"`
	ResolvesShare float64 `json:"resolves_share,omitempty"` // ResolvesNS as a share of the baseline's mean
	ResolvesInNS  int64   `json:"resolves_in_ns,omitempty"` // time of all blocks of such a campaign
}

// TooWide reports whether the interval is so wide that containing the known cost proves nothing: its half-width
// is more than 5 % of that cost.
func (c *Calibration) TooWide() bool { return (c.HighNS-c.LowNS)/2 > 0.05*c.KnownNS }

// KnobState is one setting of the machine: found, wanted, got.
type KnobState struct {
	Name   string `json:"name"`             // of the knob
	Found  string `json:"found,omitempty"`  // value before moobench touched it
	Wanted string `json:"wanted,omitempty"` // value that was asked for; absent: none
	Got    string `json:"got,omitempty"`    // value as read back
	Policy Policy `json:"policy"`           // what happens if it does not get the wanted value
	Reason string `json:"reason,omitempty"` // why it is unknown, or was not set
}

// Policy says what happens if a knob does not get the wanted value.
type Policy string

const (
	PolicyRequire Policy = "require" // nothing is measured
	PolicyTry     Policy = "try"     // a warning, once
	PolicyObserve Policy = "observe" // no value is wanted; the setting is only recorded
)

// Unmet reports whether the knob lacks a value that is wanted.
func (k KnobState) Unmet() bool { return k.Wanted != "" && k.Got != k.Wanted }

// Control holds the requests of [machine] in benchmarks.toml.
type Control struct {
	Profile string `json:"profile"` // as-is or fixed-hardware
	// Pool names a pool of machines any of which will do: results of different machines of one CPU model are
	// compared; absent: they are not.
	Pool string `json:"pool,omitempty"`
	// Wishes are the knobs that the file or the profile names, with only name, wanted and policy filled in.
	Wishes []KnobState `json:"requested,omitempty"`
	// QuietNS is the longest wait for the machine to become as quiet as it was at the start of the campaign;
	// absent: no wait.
	QuietNS int64 `json:"quiet_ns,omitempty"`
	// Repeat says that disturbed invocations are repeated by extra blocks.
	Repeat bool `json:"repeat_disturbed,omitempty"`
}

// The profiles of [machine].
const (
	ProfileAsIs          = "as-is"          // only affinities are changed
	ProfileFixedHardware = "fixed-hardware" // for a machine that does nothing else
)
