package results

import "time"

// Confirm lists the alarms of a history that a campaign re-measures: the same variant with the old and with the
// new artifacts, in the same blocks. Its cells …@old and …@new are one variant with the jars of two builds.
// Such a campaign is not a night of the history.
type Confirm struct {
	Night     string `json:"night"`                // ID of the night of the new artifacts
	Against   string `json:"against"`              // ID of the night of the old artifacts
	OldCommit string `json:"old_commit,omitempty"` // commit of the old artifacts
	NewCommit string `json:"new_commit,omitempty"` // commit of the new artifacts
	// Least is the smallest change worth reporting, as a share; absent: the default.
	Least  float64 `json:"min_change,omitempty"`
	Alarms []Alarm `json:"alarms"` // re-measured alarms
}

// HistoryKey names a series of a history: one metric of one cell over the nights. Other machines, JDKs and
// references make other series, since their values are not comparable. In a pool, where any machine will do,
// other CPU models make other series: see Series.
type HistoryKey struct {
	Campaign  string `json:"campaign"`  // name of the nights' campaign
	Scenario  string `json:"scenario"`  // label
	Cell      string `json:"cell"`      // variant with its factor level
	Metric    string `json:"metric"`    // name
	Reference string `json:"reference"` // variant that the cell is compared with, in the same blocks
	Machine   string `json:"machine"`   // ID; in a pool, the CPU model and the pool
	Runtime   string `json:"runtime"`   // JDK build
	// Pool is the pool of [machine]; absent: the machine stands for itself alone.
	Pool string `json:"pool,omitempty"`
	// CPU is the machine's model; absent in records of older versions.
	CPU string `json:"cpu,omitempty"`
}

// Series returns the key that all nights of a series share: without the CPU model, which older nights lack; in
// a pool, with PooledMachine in place of the machine.
func (k HistoryKey) Series() HistoryKey {
	if k.Pool != "" && k.CPU != "" {
		k.Machine = PooledMachine(k.Pool, k.CPU)
	} else {
		k.Pool, k.CPU = "", ""
	}
	return k
}

// PooledMachine names all machines of one CPU model in a pool, which are interchangeable.
func PooledMachine(pool, cpu string) string { return cpu + " of the pool " + pool }

// String returns scenario/metric/cell; the other keys are the same for all series of a
// campaign.
func (k HistoryKey) String() string { return k.Scenario + "/" + k.Metric + "/" + k.Cell }

// Alarm is a series of a history that seemed to change, and the question that decides
// whether it did.
type Alarm struct {
	HistoryKey
	// Log is the change of the logarithm that raised the alarm.
	Log    float64 `json:"log_ratio"`
	Better Better  `json:"better"` // wanted direction: lower, higher, neither
	// Question is the ID of the question about new minus old.
	Question string `json:"question"`
	// Before lists the earlier nights that re-measured the same old and new artifacts without a clear answer.
	Before []Remeasured `json:"before,omitempty"`
	// Scatter is the assumed night-to-night variation of log(new/old), fixed before the campaign starts;
	// absent: unknown, and nothing is confirmed.
	Scatter *Scatter `json:"scatter,omitempty"`
}

// Remeasured is the comparison of new and old in the blocks of one night.
type Remeasured struct {
	When time.Time `json:"when"`      // start of the night's campaign
	Log  float64   `json:"log_ratio"` // mean over blocks of log(new/old)
	SE   float64   `json:"se"`        // standard error of Log
	DF   float64   `json:"df"`        // degrees of freedom of SE
}

// Scatter is the variation of a log ratio between nights on which nothing changed.
type Scatter struct {
	SD float64 `json:"sd"` // standard deviation between nights
	DF float64 `json:"df"` // degrees of freedom of SD
	// Within is the part of SD due to the standard errors of single nights: their root mean square.
	Within float64 `json:"within_sd"`
	// Lag1 is the correlation between successive nights, without Within; absent: unknown.
	Lag1 float64 `json:"lag1,omitempty"`
	// Bound marks the scatter of cell/reference, which serves as an upper bound until there are enough
	// confirmations to estimate the scatter of new/old.
	Bound bool `json:"upper_bound,omitempty"`
}
