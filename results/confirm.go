package results

import "time"

// Confirm is what a campaign was started for that measures alarms of a history
// again: the same variant from the old and from the new artifacts, in the same
// blocks. Such a campaign is no night of the history.
type Confirm struct {
	Night     string `json:"night"`   // ID of the night that the new artifacts are of
	Against   string `json:"against"` // ID of the night that the old artifacts are of
	OldCommit string `json:"old_commit,omitempty"`
	NewCommit string `json:"new_commit,omitempty"`
	// Least is the least change worth a word, as a share; 0 is the usual one.
	Least  float64 `json:"least,omitempty"`
	Alarms []Alarm `json:"alarms"`
}

// Alarm is a series of a history that seemed to change, and the question that
// settles whether it did.
type Alarm struct {
	Campaign  string `json:"campaign"` // name of the campaign of the nights
	Scenario  string `json:"scenario"` // label
	Cell      string `json:"cell"`     // variant with its factor level
	Metric    string `json:"metric"`
	Reference string `json:"reference"` // variant
	Machine   string `json:"machine"`   // ID
	Runtime   string `json:"runtime"`   // JDK build
	// Log is the change of the logarithm that raised the alarm; Better the direction
	// that is wanted.
	Log    float64 `json:"log"`
	Better Better  `json:"better"`
	// Question is the ID of the question about new minus old.
	Question string `json:"question"`
	// Before are the earlier nights in which the same old and new were re-measured
	// without a clear answer.
	Before []Remeasured `json:"before,omitempty"`
	// Scatter is by how much log(new/old) is taken to differ from night to night. It
	// is fixed before the campaign starts; nil is not known, and then nothing is
	// confirmed.
	Scatter *Scatter `json:"scatter,omitempty"`
}

// Remeasured is what one night's blocks said of new against old.
type Remeasured struct {
	When time.Time `json:"when"`
	// Log is the mean over blocks of log(new/old), SE its standard error with DF
	// degrees of freedom.
	Log float64 `json:"log"`
	SE  float64 `json:"se"`
	DF  float64 `json:"df"`
}

// Scatter is the standard deviation, from night to night, of the logarithm of a
// ratio that does not change, SD with DF degrees of freedom. Within is the part of
// it that the standard errors of the single nights make, the root of their mean
// square.
type Scatter struct {
	SD     float64 `json:"sd"`
	DF     float64 `json:"df"`
	Within float64 `json:"within"`
	// Bound says that it is the scatter of cell/reference, which stands in as an
	// upper bound until enough confirmations tell that of new/old.
	Bound bool `json:"bound,omitempty"`
}
