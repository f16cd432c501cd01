package results

import (
	"slices"
	"time"
)

// Influence is how much longer the reference takes beside a variant than beside its baseline.
// Turns of JVMs of both show it, whose loops took turns of some milliseconds on one CPU, so that
// both found it as fast; and so do campaigns before this one. It holds for one pair of subjects,
// one model of CPU, one JDK build and one version of the reference; unlike a [Standard],
// everything of it is known.
type Influence struct {
	// Cell is the ID of the variant's cell in the campaign that has it; absent where it is kept
	// for later campaigns.
	Cell string `json:"cell,omitempty"`
	// Subject is a digest of what runs in both JVMs: their files, options, and parameters.
	Subject   string `json:"subject"`
	Variant   string `json:"variant"`            // its label, for readers
	CPU       string `json:"cpu"`                // model of the CPU
	Stepping  string `json:"stepping,omitempty"` // its family, model and stepping
	Core      string `json:"core,omitempty"`     // kind of its cores, of a CPU that has several
	Runtime   string `json:"runtime"`            // JDK build of both JVMs
	Reference string `json:"reference"`          // version of the reference

	// From says what showed it: [FromCampaigns], or absent for turns.
	From     string    `json:"from,omitempty"`
	LogRatio float64   `json:"log_ratio"`    // the mean over pairs of JVMs, or campaigns, of ln(time beside the variant / time beside the baseline)
	SE       float64   `json:"se,omitempty"` // its standard error
	N        int       `json:"n,omitempty"`  // pairs of JVMs, or campaigns; SE has one degree of freedom less
	Made     time.Time `json:"made"`         // when the last turn or campaign ended
}

// FromCampaigns is where an [Influence] is from that the blocks of earlier campaigns showed.
const FromCampaigns = "campaigns"

// InfluencesOn are what is known of the reference beside a cell of the campaign on a machine
// with a JDK build.
func (c *Campaign) InfluencesOn(cell string, m *Machine, runtime string) []Influence {
	if m.Core == MixedCores {
		return nil
	}
	here := Influence{Cell: cell, CPU: m.CPU, Stepping: m.Stepping, Core: m.Core, Runtime: runtime, Reference: c.Versions[VersionReference]}
	return slices.DeleteFunc(slices.Clone(c.Influences), func(i Influence) bool {
		here.Subject = i.Subject
		return i.Cell != cell || !i.HoldsFor(here)
	})
}

// HoldsFor says whether an influence is one on the same subjects, CPU, JDK build and reference
// as another.
func (i *Influence) HoldsFor(other Influence) bool {
	return i.Subject == other.Subject && i.CPU == other.CPU && i.Stepping == other.Stepping && i.Core == other.Core &&
		i.Runtime == other.Runtime && i.Reference == other.Reference
}
