package results

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Identity is the place of an invocation in the campaign. The name of its folder is made from it alone: labels
// are untrusted and never become paths.
type Identity struct {
	Block  int `json:"block"`  // number
	Slot   int `json:"slot"`   // place in the order of the block
	Repeat int `json:"repeat"` // 0, or how often the whole block was started again
}

// String returns the folder's name: b0003.s07.r0.
func (i Identity) String() string { return fmt.Sprintf("b%04d.s%02d.r%d", i.Block, i.Slot, i.Repeat) }

// ParseIdentity is the inverse of Identity.String.
func ParseIdentity(name string) (Identity, error) {
	var id Identity
	_, err := fmt.Sscanf(name, "b%d.s%d.r%d", &id.Block, &id.Slot, &id.Repeat)
	if err != nil || id.String() != name || min(id.Block, id.Slot, id.Repeat) < 0 {
		return Identity{}, fmt.Errorf("%q is not the name of an invocation (want b0003.s07.r0)", name)
	}
	return id, nil
}

// Status tells whether an invocation has numbers.
type Status string

const (
	StatusOK     Status = "ok"
	StatusFailed Status = "failed" // its logs are kept, it has no numbers
)

// Invocation is invocation.json: one JVM (or other subject) from start to exit, the unit that every test
// counts.
type Invocation struct {
	Format int `json:"format"` // 2
	Identity
	Cell    string  `json:"cell"`    // ID
	Profile Profile `json:"profile"` // what may be read from it
	Status  Status  `json:"status"`  // a failed one has logs, and no series and no scalars
	// Failure says how it failed; absent when it did not.
	Failure *Failure `json:"failure,omitempty"`

	// Session names the session: one run of moobench on one boot of one host. All current
	// invocations of a block share it.
	Session string    `json:"session"`
	Machine string    `json:"machine"`           // ID, which names a file in machines
	Boot    string    `json:"boot,omitempty"`    // ID of the machine's boot; absent: unknown
	Start   time.Time `json:"start"`             // when it was started
	End     time.Time `json:"end"`               // when it ended
	Runtime string    `json:"runtime,omitempty"` // exact JDK build
	Command []string  `json:"command,omitempty"` // command line
	Env     []string  `json:"env,omitempty"`     // environment, only what moobench set
	EnvPad  int       `json:"env_pad_bytes"`     // bytes of random environment
	CPUs    string    `json:"cpus,omitempty"`    // affinity of the subject as read back: 1 or 2-3
	Exit    string    `json:"exit,omitempty"`    // 0, 1, "signal: killed"

	// Settings are the knobs as read back just before the window; the subject's own are read from its living
	// process.
	Settings map[string]string `json:"settings,omitempty"`

	// Artifacts are the files that went into the subject, as they were then.
	Artifacts []Artifact `json:"artifacts,omitempty"`
	// Series describe the samples.
	Series []Series `json:"series,omitempty"`
	// Scalars are values of metrics, in the metric's unit; an absent one was not observed.
	Scalars map[string]float64 `json:"scalars,omitempty"`
	// Proof is the fate of its records.
	Proof Proof `json:"proof"`
	// Beside has the same for the further agents in its JVM, in the order of the cell.
	Beside []Proof `json:"beside,omitempty"`
	// Output is the standard output of the user's own program; absent: nothing compares it.
	Output *Output `json:"output,omitempty"`
	// Disturbed says that other processes took CPU time on the measured CPUs, or that
	// knobs changed.
	Disturbed *Disturbance `json:"disturbance,omitempty"`
	// Waited says what the measuring threads waited for; absent: their waiting times are unknown.
	Waited *Waited `json:"waited,omitempty"`
	// Threads attributes the CPU time of the window to threads; absent: the kernel did not report it.
	Threads *Threads `json:"threads,omitempty"`
	// Invalid says why no number of this invocation counts although it ended well: our own load came too late,
	// for example. Leave it out. Absent: its numbers count.
	Invalid string `json:"invalid,omitempty"`
	// AtLeast has values that are lower bounds, by metric and in its unit: the start-up of a server that was
	// not up when the wait for it ended.
	AtLeast map[string]float64 `json:"at_least,omitempty"`
	// Void says, by name of the metric, why this invocation's value does not count although the others do:
	// latencies when our own load came too late. Leave these values out.
	Void     map[string]string `json:"void_metrics,omitempty"`
	Warnings []string          `json:"warnings,omitempty"` // anything odd
	// Files are the SHA-256 of everything else in the folder.
	Files map[string]string `json:"files,omitempty"`

	// Superseded is derived on reading: the block was started again.
	Superseded bool `json:"-"`
}

// Failure describes how an invocation failed.
type Failure struct {
	Kind    string `json:"kind"`    // start, timeout, died, protocol, garbage, counts, code, disk, dump
	Message string `json:"message"` // in words
	// Cause is the exception in its log and, on a second line, the first stack frame outside the JDK; absent:
	// the log shows none.
	Cause   string `json:"cause,omitempty"`
	LogTail string `json:"log_tail,omitempty"` // the last lines of its log
}

// MostSaid is the largest number of distinct lines in an Output.
const MostSaid = 64

// Output is the standard output of a program, for comparison with other invocations: lines without their
// figures, which differ from run to run.
type Output struct {
	Lines int64  `json:"lines"` // printed lines, empty ones not counted
	Said  []Said `json:"said"`  // distinct lines, in order of first appearance
	// More says that lines were left out: one that is not in Said may have been printed all the same.
	More bool `json:"more,omitempty"`
}

// Said is a line that a program printed.
type Said struct {
	Line  string `json:"line"`  // with 0 in place of each figure
	Times int64  `json:"times"` // how often
}

// Printed returns how often a line was printed; known is false if that was not kept.
func (o *Output) Printed(line string) (times int64, known bool) {
	for _, s := range o.Said {
		if s.Line == line {
			return s.Times, true
		}
	}
	return 0, !o.More
}

// Line returns the reason for the failure on one line: the cause if the log shows one, else the message.
func (f *Failure) Line() string {
	return strings.ReplaceAll(cmp.Or(f.Cause, f.Message), "\n\t", ", ")
}

// Disturbance is CPU time that other processes took on the measured CPUs, or a knob that
// changed while an invocation ran or since the previous one.
type Disturbance struct {
	OthersNS int64    `json:"other_processes_ns"` // CPU time that other processes took
	Share    float64  `json:"share"`              // of the window's CPU time
	Reason   string   `json:"reason"`             // in words
	Knobs    []string `json:"knobs,omitempty"`    // names of the knobs that changed
}

// Kind is the meaning of a column's values.
type Kind string

const (
	KindDuration Kind = "duration" // time that something took
	KindInstant  Kind = "instant"  // CLOCK_MONOTONIC of the host
	KindID       Kind = "id"       // a label, index into Column.Dict if there is one
	KindCount    Kind = "count"    // anything else
)

// Column is one named int64 column.
type Column struct {
	Name string   `json:"name"`           // unique in the series
	Unit string   `json:"unit"`           // ns, B, 1, …
	Kind Kind     `json:"kind"`           // how it reads
	Dict []string `json:"dict,omitempty"` // for kind id: the names of 0, 1, …
}

// Series describes samples: Count rows of Columns, recorded by one thread.
type Series struct {
	Name    string   `json:"name"`    // name of the samples: duration
	Thread  int      `json:"thread"`  // number of the thread
	Columns []Column `json:"columns"` // what each row holds
	Count   int64    `json:"count"`   // rows
	// Batch is the number of calls that one sample covers. Above 1 there are no quantiles of calls, because
	// single calls were not observed.
	Batch int64 `json:"batch"`
	// Dump is the raw file of the fixture, relative to the draft's folder. It
	// is gone once the invocation is sealed.
	Dump string `json:"-"`
	// Checksum is the CRC-32 (IEEE) of the dump in eight hexadecimal digits, as reported by its writer; "":
	// unknown. The dump is checked against it, because others can write there, too.
	Checksum string `json:"-"`
}

// Proof is the fate of the records of one invocation.
type Proof struct {
	Source string `json:"source,omitempty"` // counter of the records; absent: nobody counted
	// Expected is the number of records that had to arrive; 0: unknown, as when a pattern selects the monitored
	// methods and no probe counts their executions.
	Expected int64 `json:"expected"`
	// ByLoopEnd is the number of records that had arrived when the last call returned.
	ByLoopEnd int64 `json:"received_by_loop_end"`
	// ByExit is the number of records that had arrived when the subject was gone.
	ByExit int64 `json:"received"`
	// LoopEndFromBytes marks ByLoopEnd as inferred from the size of the output at the end of the loop, because
	// records had no time stamps.
	LoopEndFromBytes bool `json:"loop_end_from_bytes,omitempty"`
	// LoopEndUnknown says that records were counted only at the end: ByLoopEnd is 0.
	LoopEndUnknown bool  `json:"loop_end_unknown,omitempty"`
	DrainNS        int64 `json:"drain_ns"` // from the end of the loop to the last arrival
	Bytes          int64 `json:"bytes"`    // received or written
	// Missing says why records may be missing, if their counter knows a reason.
	Missing string `json:"missing,omitempty"`
}

// Counted reports whether records were counted.
func (p Proof) Counted() bool { return p.Source != "" }

// Proofs returns the fates of the records of all agents in the JVM, in the order of Cell.Proofs.
func (inv *Invocation) Proofs() []*Proof {
	all := []*Proof{&inv.Proof}
	for i := range inv.Beside {
		all = append(all, &inv.Beside[i])
	}
	return all
}

// ProofOf returns element i of Proofs; it is empty if nobody counted that agent's records.
func (inv *Invocation) ProofOf(i int) Proof {
	if all := inv.Proofs(); i < len(all) {
		return *all[i]
	}
	return Proof{}
}

// Silent returns the proof of the first agent in the JVM that should have made records and made none; nil if
// there is no such agent.
func (inv *Invocation) Silent(c *Cell) *Proof {
	plans := c.Proofs()
	for i, p := range inv.Proofs() {
		if i < len(plans) && p.notInstrumented(*plans[i]) {
			return p
		}
	}
	return nil
}

// notInstrumented reports whether records had to arrive and none did, which makes the invocation invalid. Only
// a variant whose proof is a count can show it by itself, and only if records were counted.
func (p Proof) notInstrumented(plan ProofPlan) bool {
	return plan.Kind == ProofCount && p.Counted() && p.ByExit == 0 && !plan.Optional && plan.Fault == ""
}
