// Package history keeps what nights of one machine say, and tells changes from
// noise. A night is a campaign; a series is one metric of one cell, night after
// night, as the logarithm of its ratio to a reference that was measured in the
// same blocks.
package history

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// formatVersion is the version of the records. Keys may be added within a format;
// meanings never change.
const formatVersion = results.Format

// Kind says what a record is.
type Kind string

const (
	KindNight        Kind = "night"        // a series in one night
	KindConfirmation Kind = "confirmation" // an alarm that was measured again
	KindAcceptance   Kind = "acceptance"   // a change that is the new normal
	KindMove         Kind = "move"         // a series that continues on another machine
)

// Record is one line of history.jsonl. Its Kind says which one of the others is
// filled in.
type Record struct {
	Format       int           `json:"format"`
	Kind         Kind          `json:"kind"`
	Night        *Night        `json:"night,omitempty"`
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Acceptance   *Acceptance   `json:"acceptance,omitempty"`
	Move         *Move         `json:"move,omitempty"`
}

// Key names a series.
type Key = results.HistoryKey

// Night is a series' value of one night.
type Night struct {
	Key
	// ID is the same for all series of one campaign, and differs between
	// campaigns: adding a campaign twice adds nothing.
	ID     string    `json:"id"`
	When   time.Time `json:"when"`             // start of the first invocation
	Commit string    `json:"commit,omitempty"` // commit of what was measured
	Folder string    `json:"folder"`           // name of the campaign's folder, without where it lies
	// Plan is a hash of what was asked of the subject and the machine, without
	// seed, number of blocks, and what may change with every commit: the files
	// and options of what is measured. Nights of unlike plans are not compared.
	Plan   string         `json:"plan"`
	Tool   string         `json:"moobench"`     // version of moobench
	Unit   string         `json:"unit"`         // unit of Raw
	Better results.Better `json:"better"`       // the direction that is wanted
	AA     bool           `json:"aa,omitempty"` // the second baseline: the noise floor
	Log    float64        `json:"log_ratio"`    // mean of log(cell/reference) over the blocks
	// SE is the standard error of Log, DF its degrees of freedom, both absent where that is not known: of one
	// block, and of nights that other tools measured. Such a night is judged by what nights differ by
	// alone. Without SE and with DF the blocks did not differ.
	SE float64 `json:"se,omitempty"`
	DF float64 `json:"df,omitempty"`
	N  int     `json:"n"` // blocks
	// Raw and ReferenceRaw are the means of cell and reference, in Unit.
	Raw          float64 `json:"mean"`
	ReferenceRaw float64 `json:"reference_mean"`
	// Source is the tool that measured it, where that is not moobench.
	Source string `json:"source,omitempty"`
	// Standard is the night at the standard speed of the CPU; absent in records of older
	// versions, and where no such speed was known.
	Standard *StandardNight `json:"at_standard,omitempty"`
	// Artifacts went into the cell; they are kept by SHA-256 for a confirmation.
	Artifacts []results.Artifact `json:"artifacts,omitempty"`
	// Marks are its caveats: lost records, disturbed, A/A failed. A night whose A/A
	// failed, or that is invalid, is not judged.
	Marks []string `json:"caveats,omitempty"`
}

// StandardNight is a night's value at the standard speed of the CPU. What stands beside it is as
// it ran.
type StandardNight struct {
	NS   float64 `json:"standard_ns"`  // how long the reference takes at that speed
	AtNS float64 `json:"reference_ns"` // what it took that night, the geometric mean over its JVMs
	// Log is the mean of log(cell/reference) at that speed, with its standard error and degrees
	// of freedom; absent where the speed of the night was too far from it.
	Log *float64 `json:"standard_log_ratio,omitempty"`
	SE  float64  `json:"standard_se,omitempty"`
	DF  float64  `json:"standard_df,omitempty"`
	// The cell's power law can be fitted again, over several nights, from the sums over its
	// invocations.
	stats.Response
	// Alike is by how many times neighbours that are alike make the variance larger.
	Alike float64 `json:"neighbours_factor,omitempty"`
}

// The marks of nights that are kept, and not judged.
const (
	MarkAAFailed = "A/A failed" // two equal baselines differed that night
	MarkInvalid  = "invalid"    // what was measured is not what was planned
)

// Judged says whether the night counts in levels, changes and alarms: one whose
// A/A failed, or that is void, says nothing. Other marks (lost records, say)
// belong to what is measured, every night.
func (n *Night) Judged() bool {
	return !slices.Contains(n.Marks, MarkAAFailed) && !slices.Contains(n.Marks, MarkInvalid)
}

// called says whether a name is that of the night: its ID, its day (2026-11-21), or
// the beginning of its commit.
func (n *Night) called(name string) bool {
	return n.ID == name || n.When.UTC().Format("2006-01-02") == name ||
		len(name) >= 4 && n.Commit != "" && strings.HasPrefix(n.Commit, name)
}

// Confirmation is an alarm that was settled by measuring old and new again, in
// fresh randomised blocks and without the data that raised it.
type Confirmation struct {
	Key
	Night     string    `json:"night"`                // ID of the night that raised the alarm
	Against   string    `json:"against"`              // ID of the night that the old artifacts are from
	When      time.Time `json:"when"`                 // when its campaign was planned
	OldCommit string    `json:"old_commit,omitempty"` // commit of the old artifacts
	NewCommit string    `json:"new_commit,omitempty"` // commit of the new artifacts
	Folder    string    `json:"folder"`               // name of the campaign's folder
	Log       float64   `json:"log_ratio"`            // mean of log(new/old) over the blocks
	// Low and High are the interval of Log at 1 - Alpha.
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Alpha float64 `json:"alpha"` // chance that the interval misses
	N     int     `json:"n"`     // blocks
	// SE is the standard error of Log, DF its degrees of freedom; both are absent in
	// records of older versions, whose interval has them.
	SE float64 `json:"se,omitempty"`
	DF float64 `json:"df,omitempty"`
	// Alarm is the change of the logarithm that was to be settled; absent in records of
	// older versions, which no later night goes on with.
	Alarm float64 `json:"alarm_log_ratio,omitempty"`
	// Joint is what all nights of this pair say together, this one included; the
	// verdict is read from it. It is absent in records of older versions.
	Joint   *Joint           `json:"joint,omitempty"`
	Verdict infer.Settlement `json:"verdict"` // whether the alarm is settled
	// Distrusted says that the A/A of its campaign failed: no later night counts it.
	Distrusted bool `json:"aa_failed,omitempty"`
	// Reason says in words how the verdict came about.
	Reason string `json:"reason"`
}

// Joint is what the nights of one pair of old and new say together.
type Joint struct {
	Nights int     `json:"nights"`    // how many
	Log    float64 `json:"log_ratio"` // mean over nights
	// Low and High are its interval at 1 - Alpha, which holds what log(new/old) differs
	// by from night to night.
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Alpha float64 `json:"alpha"` // chance that the interval misses
	// Scatter is what the interval was made with; absent when it is not known.
	Scatter *results.Scatter `json:"scatter,omitempty"`
}

// Acceptance makes a changed level the new normal: checks no longer fail of it.
type Acceptance struct {
	Key
	Night string    `json:"night"` // ID of the first night of the new level
	When  time.Time `json:"when"`
	Why   string    `json:"reason,omitempty"`
}

// check makes sure that a record says what its kind is for.
func (r *Record) check() error {
	switch c, a := r.Confirmation, r.Acceptance; {
	case r.Format < 1:
		return errors.New("it has no format")
	case r.Kind == KindNight:
		return r.Night.check()
	case r.Kind == KindAcceptance && (a == nil || a.Night == "" || a.Metric == ""):
		return errors.New("an acceptance without its night or series")
	case r.Kind == KindAcceptance:
		return nil
	case r.Kind == KindMove:
		return r.Move.check()
	case r.Kind != KindConfirmation:
		return fmt.Errorf("an unknown kind of record, %q", r.Kind)
	case c == nil || c.Night == "" || c.Metric == "":
		return errors.New("a confirmation without its night or series")
	case !logarithms(c.Log, c.Low, c.High):
		return errors.New("a confirmation whose value is no number")
	case !slices.Contains([]infer.Settlement{infer.Confirmed, infer.Refuted, infer.Open}, c.Verdict):
		return fmt.Errorf("a confirmation with an unknown verdict, %q", c.Verdict)
	}
	return nil
}

func (n *Night) check() error {
	switch {
	case n == nil || n.ID == "" || n.Metric == "" || n.Cell == "":
		return errors.New("a night without its ID or series")
	case n.When.IsZero():
		return errors.New("a night without its time")
	case !logarithms(n.Log, n.SE) || !stats.Finite(n.DF, n.Raw, n.ReferenceRaw) || n.SE < 0 || n.DF < 0:
		return errors.New("a night whose value is no number")
	}
	return n.Standard.check()
}

// Ratio is the logarithm of the ratio to the reference, with its standard error and degrees of
// freedom: at the standard speed of the CPU, of a night that has it there, or as it ran.
func (n *Night) Ratio(atStandard bool) (log, se, df float64) {
	if s := n.Standard; atStandard && s != nil && s.Log != nil {
		return *s.Log, s.SE, s.DF
	}
	return n.Log, n.SE, n.DF
}

// Cost is what the night adds to its reference, in the metric's unit: at the standard speed
// of the CPU where that is known.
func (n *Night) Cost() float64 {
	cost := n.Raw - n.ReferenceRaw
	if s := n.Standard; s != nil {
		cost *= math.Exp(-s.Elasticity(evidence.Usual).Value * math.Log(s.AtNS/s.NS))
	}
	return cost
}

func (s *StandardNight) check() error {
	if s == nil {
		return nil
	}
	if !(s.NS > 0) || !(s.AtNS > 0) || !logarithms(s.SE) || !stats.Finite(s.NS, s.AtNS, s.DF) || s.SE < 0 || s.DF < 0 || s.Log != nil && !logarithms(*s.Log) {
		return errors.New("a night whose value at standard speed is no number")
	}
	return nil
}

// logarithms says whether these can be logarithms of ratios that are measured:
// others have no ratio.
func logarithms(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !(math.Abs(x) < 100) })
}
