package importer

import (
	"time"

	"moobench/results"
)

// Night is one value of one night, beside that of its reference.
type Night struct {
	When   time.Time
	Commit string // of what was measured; "" is not known
	Suite  string // what was measured together
	Cell   string
	Metric results.Metric
	Value  float64 // in the metric's unit
	// Reference is what was measured with it, and ReferenceValue its value. A value that stands alone has 1
	// unit for them: what the machine did that night is in it.
	Reference      string
	ReferenceValue float64
	Alone          bool
	CPU            string // model; "" is not known
}

// Nights are what files say night after night. None has a standard error: how far it is from what another
// run in that night would have shown is not known.
type Nights struct {
	Source  string // the tool
	All     []Night
	LeftOut []string // what was left out, in words, each with how many
}
