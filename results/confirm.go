package results

import "time"

// Confirm has the alarms of a history that a campaign re-measures: the same variant from
// the old and from the new artifacts, in the same blocks. Its cells …@old and …@new are
// one variant with the jars of two builds. Such a campaign is not a night of the history.
type Confirm struct {
	Night     string `json:"night"`                // ID of the night that the new artifacts are from
	Against   string `json:"against"`              // ID of the night that the old artifacts are from
	OldCommit string `json:"old_commit,omitempty"` // commit of the old artifacts
	NewCommit string `json:"new_commit,omitempty"` // commit of the new artifacts
	// Least is the smallest change worth a word, as a share; absent: the usual one.
	Least  float64 `json:"min_change,omitempty"`
	Alarms []Alarm `json:"alarms"` // what is re-measured
}

// HistoryKey names a series of a history: one metric of one cell over the nights. Nights
// of other machines, JDKs or references are other series, since their values are not
// comparable. Where any machine of a pool will do, nights of other CPU models are: see Series.
type HistoryKey struct {
	Campaign  string `json:"campaign"`  // name of the nights' campaign
	Scenario  string `json:"scenario"`  // label
	Cell      string `json:"cell"`      // variant with its factor level
	Metric    string `json:"metric"`    // name
	Reference string `json:"reference"` // variant that the cell is compared with, in the same blocks
	Machine   string `json:"machine"`   // ID; of a pool, the CPU model and the pool
	Runtime   string `json:"runtime"`   // JDK build
	// Pool is that of [machine], absent where a machine stands for itself alone.
	Pool string `json:"pool,omitempty"`
	// CPU is the machine's model; absent in records of older versions.
	CPU string `json:"cpu,omitempty"`
}

// Series returns the key that all nights of a series have in common: without the CPU model, which
// older nights do not have; or, in a pool, with PooledMachine in place of the machine.
func (k HistoryKey) Series() HistoryKey {
	if k.Pool != "" && k.CPU != "" {
		k.Machine = PooledMachine(k.Pool, k.CPU)
	} else {
		k.Pool, k.CPU = "", ""
	}
	return k
}

// PooledMachine stands for all machines of one CPU model in a pool, where any of them will do.
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
	Better Better  `json:"better"` // the direction that is wanted: lower, higher, neither
	// Question is the ID of the question about new minus old.
	Question string `json:"question"`
	// Before are the earlier nights in which the same old and new were re-measured
	// without a clear answer.
	Before []Remeasured `json:"before,omitempty"`
	// Scatter is by how much log(new/old) is taken to differ from night to night. It
	// is fixed before the campaign starts; absent: it is not known, and then nothing
	// is confirmed.
	Scatter *Scatter `json:"scatter,omitempty"`
}

// Remeasured is the comparison of new and old in the blocks of one night.
type Remeasured struct {
	When time.Time `json:"when"`      // start of the night's campaign
	Log  float64   `json:"log_ratio"` // mean over blocks of log(new/old)
	SE   float64   `json:"se"`        // standard error of Log
	DF   float64   `json:"df"`        // degrees of freedom of SE
}

// Scatter is the variation between nights of the logarithm of a ratio that does not
// change.
type Scatter struct {
	SD float64 `json:"sd"` // standard deviation between nights
	DF float64 `json:"df"` // degrees of freedom of SD
	// Within is the part of SD that the standard errors of the single nights make,
	// the root of their mean square.
	Within float64 `json:"within_sd"`
	// Lag1 is the correlation of what nights that follow each other do, without Within; absent where
	// it is not known.
	Lag1 float64 `json:"lag1,omitempty"`
	// Bound says that it is the scatter of cell/reference, which stands in as an
	// upper bound until enough confirmations tell that of new/old.
	Bound bool `json:"upper_bound,omitempty"`
}
