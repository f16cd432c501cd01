package results

import (
	"slices"
	"time"
)

// Influence is the extra time that the reference takes beside a variant, compared with its baseline. It is
// measured by JVMs of both whose loops take turns of some milliseconds on one CPU, so that both find it equally
// fast; or by earlier campaigns. It holds for one pair of subjects, one CPU model, one JDK build and one
// version of the reference; unlike in a [Standard], none of these is absent.
type Influence struct {
	// Cell is the ID of the variant's cell in this campaign; absent in the file that keeps influences for later
	// campaigns.
	Cell string `json:"cell,omitempty"`
	// Subject is a digest of the contents of both JVMs: their files, options and parameters.
	Subject   string `json:"subject"`
	Variant   string `json:"variant"`            // its label, for readers
	CPU       string `json:"cpu"`                // model of the CPU
	Stepping  string `json:"stepping,omitempty"` // its family, model and stepping
	Core      string `json:"core,omitempty"`     // kind of its cores, if the CPU has several
	Runtime   string `json:"runtime"`            // JDK build of both JVMs
	Reference string `json:"reference"`          // version of the reference

	// From names the evidence: [FromCampaigns]; absent for turns.
	From string `json:"from,omitempty"`
	// LogRatio is the mean, over pairs of JVMs or over campaigns, of ln(time beside the variant / time beside
	// the baseline).
	LogRatio float64   `json:"log_ratio"`
	SE       float64   `json:"se,omitempty"` // standard error of that mean
	N        int       `json:"n,omitempty"`  // pairs of JVMs, or campaigns; SE has one degree of freedom less
	Made     time.Time `json:"made"`         // end of the last turn or campaign
}

// FromCampaigns marks an [Influence] that was found in the blocks of earlier campaigns.
const FromCampaigns = "campaigns"

// InfluencesOn returns the known influences of a cell of the campaign on the reference, on a machine with a JDK
// build; none if its measured cores are mixed.
func (c *Campaign) InfluencesOn(cell string, m *Machine, runtime string) []Influence {
	if m.Core == MixedCores {
		return nil
	}
	here := Influence{
		Cell: cell, CPU: m.CPU, Stepping: m.Stepping, Core: m.Core,
		Runtime: runtime, Reference: c.Versions[VersionReference],
	}
	return slices.DeleteFunc(slices.Clone(c.Influences), func(i Influence) bool {
		here.Subject = i.Subject
		return i.Cell != cell || !i.HoldsFor(here)
	})
}

// HoldsFor reports whether two influences have the same subjects, CPU, JDK build and reference.
func (i *Influence) HoldsFor(other Influence) bool {
	return i.Subject == other.Subject && i.CPU == other.CPU && i.Stepping == other.Stepping && i.Core == other.Core &&
		i.Runtime == other.Runtime && i.Reference == other.Reference
}
