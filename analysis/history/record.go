// Package history keeps the results of nights of one machine, and distinguishes changes from noise.
// A night is a campaign; a series is one metric of one cell, night after night, as the logarithm of
// its ratio to a reference measured in the same blocks.
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

// formatVersion is the version of the records. Keys may be added within a format; meanings never
// change.
const formatVersion = results.Format

// Kind is the kind of a record.
type Kind string

const (
	KindNight        Kind = "night"        // a series in one night
	KindConfirmation Kind = "confirmation" // a re-measured alarm
	KindAcceptance   Kind = "acceptance"   // a change accepted as the new normal
	KindMove         Kind = "move"         // a series that continues on another machine
)

// Record is one line of history.jsonl. Kind says which of the other fields is set.
type Record struct {
	Format       int           `json:"format"`
	Kind         Kind          `json:"kind"`
	Night        *Night        `json:"night,omitempty"`
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Acceptance   *Acceptance   `json:"acceptance,omitempty"`
	Move         *Move         `json:"move,omitempty"`
}

// Key identifies a series.
type Key = results.HistoryKey

// Night is a series' value of one night.
type Night struct {
	Key
	// ID is the same for all series of one campaign, and differs between campaigns: adding a
	// campaign twice has no effect.
	ID     string    `json:"id"`
	When   time.Time `json:"when"`             // start of the first invocation
	Commit string    `json:"commit,omitempty"` // commit of the measured code
	Folder string    `json:"folder"`           // base name of the campaign's folder
	// Plan is a hash of the subject's task and the machine's settings, without seed, number of
	// blocks, and whatever may change with every commit: the files and options of the measured
	// code. Nights of different plans are not compared.
	Plan   string         `json:"plan"`
	Tool   string         `json:"moobench"`     // version of moobench
	Unit   string         `json:"unit"`         // unit of Raw
	Better results.Better `json:"better"`       // the better direction
	AA     bool           `json:"aa,omitempty"` // the second baseline: the noise floor
	Log    float64        `json:"log_ratio"`    // mean of log(cell/reference) over the blocks
	// SE is the standard error of Log, DF its degrees of freedom; both are absent if not known: for
	// one block, and for nights measured by other tools. Such a night is judged by the variation
	// between nights alone. If only SE is absent, the blocks did not differ.
	SE float64 `json:"se,omitempty"`
	DF float64 `json:"df,omitempty"`
	N  int     `json:"n"` // blocks
	// Raw and ReferenceRaw are the means of cell and reference, in Unit.
	Raw          float64 `json:"mean"`
	ReferenceRaw float64 `json:"reference_mean"`
	// Source is the tool that measured it, if not moobench.
	Source string `json:"source,omitempty"`
	// Standard is the night at the standard CPU speed; absent in records of older versions, and if
	// no such speed was known.
	Standard *StandardNight `json:"at_standard,omitempty"`
	// Artifacts are the files of the cell; they are kept by SHA-256 for a confirmation.
	Artifacts []results.Artifact `json:"artifacts,omitempty"`
	// Marks are its caveats: lost records, disturbed, A/A failed. An invalid night, or one with a
	// failed A/A, is not judged.
	Marks []string `json:"caveats,omitempty"`
}

// StandardNight is a night's value at the standard CPU speed. The Night itself is as measured.
type StandardNight struct {
	NS   float64 `json:"standard_ns"`  // the reference's time at that speed
	AtNS float64 `json:"reference_ns"` // its time that night, the geometric mean over its JVMs
	// Log is the mean of log(cell/reference) at that speed, with its standard error and degrees of
	// freedom; absent if the night's speed was too far from it.
	Log *float64 `json:"standard_log_ratio,omitempty"`
	SE  float64  `json:"standard_se,omitempty"`
	DF  float64  `json:"standard_df,omitempty"`
	// The sums over its invocations, from which the cell's power law can be fitted again over
	// several nights.
	stats.Response
	// Alike is the variance inflation factor for correlated neighbours.
	Alike float64 `json:"neighbours_factor,omitempty"`
}

// The marks of nights that are kept but not judged.
const (
	MarkAAFailed = "A/A failed" // two equal baselines differed that night
	MarkInvalid  = "invalid"    // the measured setup differs from the plan
)

// Judged reports whether the night counts in levels, changes and alarms: a night that is invalid or
// whose A/A failed does not. Other marks (lost records, say) are properties of the subject in every
// night.
func (n *Night) Judged() bool {
	return !slices.Contains(n.Marks, MarkAAFailed) && !slices.Contains(n.Marks, MarkInvalid)
}

// called reports whether a name refers to the night: its ID, its day (2026-11-21), or a prefix of
// its commit.
func (n *Night) called(name string) bool {
	return n.ID == name || n.When.UTC().Format("2006-01-02") == name ||
		len(name) >= 4 && n.Commit != "" && strings.HasPrefix(n.Commit, name)
}

// Confirmation is the result of re-measuring old and new after an alarm, in fresh randomised blocks
// and without the data that raised it.
type Confirmation struct {
	Key
	Night     string    `json:"night"`                // ID of the night that raised the alarm
	Against   string    `json:"against"`              // ID of the night of the old artifacts
	When      time.Time `json:"when"`                 // time at which its campaign was planned
	OldCommit string    `json:"old_commit,omitempty"` // commit of the old artifacts
	NewCommit string    `json:"new_commit,omitempty"` // commit of the new artifacts
	Folder    string    `json:"folder"`               // name of the campaign's folder
	Log       float64   `json:"log_ratio"`            // mean of log(new/old) over the blocks
	// Low and High are the interval of Log at 1 - Alpha.
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Alpha float64 `json:"alpha"` // probability that the interval misses
	N     int     `json:"n"`     // blocks
	// SE is the standard error of Log, DF its degrees of freedom; both are absent in records of
	// older versions, where the interval implies them.
	SE float64 `json:"se,omitempty"`
	DF float64 `json:"df,omitempty"`
	// Alarm is the log change to be settled; absent in records of older versions, which are not
	// continued in later nights.
	Alarm float64 `json:"alarm_log_ratio,omitempty"`
	// Joint is the result of all nights of this pair, this one included; the verdict is read from
	// it. It is absent in records of older versions.
	Joint   *Joint           `json:"joint,omitempty"`
	Verdict infer.Settlement `json:"verdict"` // whether the alarm is settled
	// Distrusted says that the A/A of its campaign failed: later nights ignore it.
	Distrusted bool `json:"aa_failed,omitempty"`
	// Reason explains the verdict.
	Reason string `json:"reason"`
}

// Joint is the joint result of the nights of one pair of old and new.
type Joint struct {
	Nights int     `json:"nights"`    // number of nights
	Log    float64 `json:"log_ratio"` // mean over nights
	// Low and High are its interval at 1 - Alpha, which includes the variation of log(new/old)
	// between nights.
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Alpha float64 `json:"alpha"` // probability that the interval misses
	// Scatter is the variation between nights that the interval assumes; absent if not known.
	Scatter *results.Scatter `json:"scatter,omitempty"`
}

// Acceptance makes a changed level the new normal: it no longer fails checks.
type Acceptance struct {
	Key
	Night string    `json:"night"` // ID of the first night of the new level
	When  time.Time `json:"when"`
	Why   string    `json:"reason,omitempty"`
}

// check validates a record.
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
		return errors.New("a confirmation whose value is not a number")
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
		return errors.New("a night whose value is not a number")
	}
	return n.Standard.check()
}

// Ratio returns the log ratio to the reference, with its standard error and degrees of freedom: at
// the standard CPU speed if wanted and known, else as measured.
func (n *Night) Ratio(atStandard bool) (log, se, df float64) {
	if s := n.Standard; atStandard && s != nil && s.Log != nil {
		return *s.Log, s.SE, s.DF
	}
	return n.Log, n.SE, n.DF
}

// Cost returns the difference from the reference, in the metric's unit: at the standard CPU speed
// if that is known.
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
	if !(s.NS > 0) || !(s.AtNS > 0) || !logarithms(s.SE) || !stats.Finite(s.NS, s.AtNS, s.DF) ||
		s.SE < 0 || s.DF < 0 || s.Log != nil && !logarithms(*s.Log) {
		return errors.New("a night whose value at standard speed is not a number")
	}
	return nil
}

// logarithms reports whether the values are plausible logarithms of measured ratios.
func logarithms(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !(math.Abs(x) < 100) })
}
