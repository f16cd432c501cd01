package importer

import (
	"time"

	"moobench/results"
)

// Night is one value of one night, beside that of its reference.
type Night struct {
	When   time.Time
	Commit string // measured commit; "": unknown
	Suite  string // values that were measured together
	Cell   string
	Metric results.Metric
	Value  float64 // in the metric's unit
	// Reference is the name of the benchmark measured with it, and ReferenceValue its value. A value that
	// stands Alone has 1 unit as its reference, and so includes the state of the machine that night.
	Reference      string
	ReferenceValue float64
	Alone          bool
	CPU            string // model; "": unknown
}

// Nights are values from files, night by night. They have no standard errors: how much repeated runs in one
// night would differ is unknown.
type Nights struct {
	Source  string // tool
	All     []Night
	LeftOut []string // omissions in words, each with a count
}
