package results

import (
	"fmt"
	"time"
)

// Standard is a CPU speed that costs are stated at, so that they can be compared with other campaigns. It is
// stored in the campaign, which therefore reads the same anywhere. It holds for one CPU model, one JDK build
// and one version of the reference; an absent one matches any.
type Standard struct {
	NS        float64 `json:"ns"`                  // time of the reference at that speed
	CPU       string  `json:"cpu,omitempty"`       // model of the CPU
	Stepping  string  `json:"stepping,omitempty"`  // its family, model and stepping
	Core      string  `json:"core,omitempty"`      // kind of its cores, if the CPU has several
	Runtime   string  `json:"runtime,omitempty"`   // JDK build, which compiles the reference
	Reference string  `json:"reference,omitempty"` // version of the reference
	// From names the origin: benchmarks.toml, the command line, or the name of a file or a campaign.
	From string    `json:"from"`
	Made time.Time `json:"made,omitzero"` // when a campaign determined it; absent: it was given
	N    int       `json:"n,omitempty"`   // JVMs of that campaign; their median was taken
}

// Origins of a standard that is not from a file.
const (
	FromCommandLine = "the command line"
	FromItself      = "this campaign"
)

// VersionReference is the key of the reference's version in Versions.
const VersionReference = "reference"

// MixedCores is the Core of a machine whose measured CPUs have two kinds of cores: they have no common speed,
// and so no standard.
const MixedCores = "mixed"

// StandardOf returns the standard for costs that were measured on a machine with a JDK build; nil without a
// matching standard, for an unknown machine, and for mixed cores.
func (c *Campaign) StandardOf(m *Machine, runtime string) *Standard {
	if m == nil || m.Core == MixedCores {
		return nil
	}
	of := Standard{
		CPU: m.CPU, Stepping: m.Stepping, Core: m.Core,
		Runtime: runtime, Reference: c.Versions[VersionReference],
	}
	return Find(c.Standards, func(s *Standard) bool { return s.HoldsFor(of) })
}

// HoldsFor reports whether a standard applies to the CPU, JDK build and reference of another.
func (s *Standard) HoldsFor(other Standard) bool {
	pairs := [...][2]string{
		{s.CPU, other.CPU},
		{s.Stepping, other.Stepping},
		{s.Core, other.Core},
		{s.Runtime, other.Runtime},
		{s.Reference, other.Reference},
	}
	for _, p := range pairs {
		if p[0] != "" && p[0] != p[1] {
			return false
		}
	}
	return true
}

// The shortest and the longest plausible time of a reference, in ns: less than a tenth of the fastest measured
// time, and more than ten times the slowest.
const (
	leastStandard = 100
	mostStandard  = 1e6
)

// CheckStandard returns an error for an implausible time of a reference.
func CheckStandard(ns float64) error {
	if ns >= leastStandard && ns <= mostStandard {
		return nil
	}
	return fmt.Errorf("a reference that takes %v ns (want %d ns to %g ms, as reports say how long it took)",
		ns, leastStandard, mostStandard/1e6)
}
