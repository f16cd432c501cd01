package results

import "time"

// Machine is machines/<id>.json: the identity of a host and the state of every
// knob. Nothing personal: no serial numbers, no environment.
type Machine struct {
	Format int               `json:"format"`
	ID     string            `json:"id"` // short hash of the identity, the file's name
	Host   string            `json:"host"`
	CPU    string            `json:"cpu"`
	CPUs   int               `json:"cpus"`
	Memory int64             `json:"memory_bytes"`
	Kernel string            `json:"kernel"`
	OS     string            `json:"os"`
	Facts  map[string]string `json:"facts,omitempty"`
	Knobs  []KnobState       `json:"knobs"`
	// Calibration is what the last calibration of this machine said, as of the
	// sitting that wrote this file; nil when there was none.
	Calibration *Calibration `json:"calibration,omitempty"`
}

// Calibration is a self-test of a machine with a known cost: two probes that
// differ by a chosen time are measured like any other, and the difference that
// comes out is compared with the chosen one.
type Calibration struct {
	When     time.Time `json:"when"`
	Runtime  string    `json:"runtime"`  // JDK build
	Moobench string    `json:"moobench"` // version
	Blocks   int       `json:"blocks"`
	// KnownNS is the chosen cost per call; MeasuredNS, LowNS and HighNS are
	// what came out, with the interval at Level.
	KnownNS    float64 `json:"known_ns"`
	MeasuredNS float64 `json:"measured_ns"`
	LowNS      float64 `json:"low_ns"`
	HighNS     float64 `json:"high_ns"`
	Level      float64 `json:"level"`
	// Recovered says whether the known cost lies in the interval.
	Recovered bool `json:"recovered"`
	// AA is the state of the two equal baselines (failed, resolves, too few
	// blocks); Resolves is the margin it resolves, 0.012 is 1.2 %.
	AA       string  `json:"aa"`
	Resolves float64 `json:"resolves,omitempty"`
	// ResolvesNS is about the smallest overhead per call that a campaign of one
	// variant finds four times in five when its blocks take ResolvesInNS, from
	// how the two equal baselines differed; ResolvesShare is the same as a share
	// of the baseline's mean. Absent when the A/A doesn't tell.
	ResolvesNS    float64 `json:"resolves_ns,omitempty"`
	ResolvesShare float64 `json:"resolves_share,omitempty"`
	ResolvesInNS  int64   `json:"resolves_in_ns,omitempty"`
}

// TooWide reports that the interval is so wide that holding the known cost says
// nothing: its half-width is more than 5 % of that cost.
func (c *Calibration) TooWide() bool { return (c.HighNS-c.LowNS)/2 > 0.05*c.KnownNS }

// KnobState is one setting of the machine: found, wanted, got.
type KnobState struct {
	Name   string `json:"name"`
	Found  string `json:"found,omitempty"`
	Wanted string `json:"wanted,omitempty"`
	Got    string `json:"got,omitempty"`
	Policy Policy `json:"policy"`
	Reason string `json:"reason,omitempty"` // why it is not known or was not set
}

// Policy says what happens when a knob does not get the value that is wanted.
type Policy string

const (
	PolicyRequire Policy = "require" // nothing is measured
	PolicyTry     Policy = "try"     // a warning, once
	PolicyObserve Policy = "observe" // nothing was wanted: it is recorded
)

// Unmet reports that a value is wanted, and that the knob does not have it.
func (k KnobState) Unmet() bool { return k.Wanted != "" && k.Got != k.Wanted }

// Control is what [machine] of benchmarks.toml asked for.
type Control struct {
	Profile string `json:"profile"` // ProfileAsIs or ProfileFixedHardware
	// Wishes are the knobs that are named, in the file or by the profile: only
	// Name, Wanted and Policy are filled in.
	Wishes []KnobState `json:"wishes,omitempty"`
	// QuietNS is how long moobench waits, before it goes on, for the machine to
	// become as quiet as it was when the campaign began; 0 is not at all.
	QuietNS int64 `json:"quiet_ns,omitempty"`
	// Repeat says that disturbed invocations are repeated, and left out of the
	// primary answer then.
	Repeat bool `json:"repeat,omitempty"`
}

// The profiles of [machine].
const (
	ProfileAsIs          = "as-is"          // nothing is changed but affinities
	ProfileFixedHardware = "fixed-hardware" // what is sensible for a machine that does nothing else
)
