package results

import (
	"fmt"
	"time"
)

// Standard is the speed of a CPU that costs are told at, so that they can be read beside those
// of other campaigns. It stands in the campaign, which therefore reads the same anywhere. It
// holds for one model of CPU, one JDK build and one version of the reference; what is absent
// holds for any.
type Standard struct {
	NS        float64 `json:"ns"`                  // how long the reference takes at that speed
	CPU       string  `json:"cpu,omitempty"`       // model of the CPU
	Stepping  string  `json:"stepping,omitempty"`  // its family, model and stepping
	Core      string  `json:"core,omitempty"`      // kind of its cores, of a CPU that has several
	Runtime   string  `json:"runtime,omitempty"`   // JDK build, which makes the machine code of the reference
	Reference string  `json:"reference,omitempty"` // version of the reference
	// From says who chose it: benchmarks.toml, the command line, or a file or a campaign that is
	// named.
	From string    `json:"from"`
	Made time.Time `json:"made,omitzero"` // when a campaign made it; absent when somebody gave it
	N    int       `json:"n,omitempty"`   // JVMs of that campaign, whose median it is
}

// Who chose a standard, where no file did.
const (
	FromCommandLine = "the command line"
	FromItself      = "this campaign"
)

// VersionReference is the key in Versions of the version of the reference.
const VersionReference = "reference"

// MixedCores is the Core of a machine whose measured CPUs are of two kinds: there is no one
// speed, and so no standard.
const MixedCores = "mixed"

// StandardOf is what costs that were measured on a machine with a JDK build are told at; nil
// where the campaign has none, or the machine is not known.
func (c *Campaign) StandardOf(m *Machine, runtime string) *Standard {
	if m == nil || m.Core == MixedCores {
		return nil
	}
	of := Standard{CPU: m.CPU, Stepping: m.Stepping, Core: m.Core, Runtime: runtime, Reference: c.Versions[VersionReference]}
	return Find(c.Standards, func(s *Standard) bool { return s.HoldsFor(of) })
}

// HoldsFor says whether a standard is one for the same CPU, JDK build and reference as another.
func (s *Standard) HoldsFor(other Standard) bool {
	pairs := [...][2]string{
		{s.CPU, other.CPU}, {s.Stepping, other.Stepping}, {s.Core, other.Core}, {s.Runtime, other.Runtime}, {s.Reference, other.Reference},
	}
	for _, p := range pairs {
		if p[0] != "" && p[0] != p[1] {
			return false
		}
	}
	return true
}

// The shortest and the longest time that a reference may take, in ns: a tenth and ten
// times of what it took where it was slowest and fastest, and more.
const (
	leastStandard = 100
	mostStandard  = 1e6
)

// CheckStandard returns an error for a time that no reference takes.
func CheckStandard(ns float64) error {
	if ns >= leastStandard && ns <= mostStandard {
		return nil
	}
	return fmt.Errorf("a reference that takes %v ns (want %d ns to %g ms, as reports say how long it took)", ns, leastStandard, mostStandard/1e6)
}
