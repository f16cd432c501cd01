package results

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
}
