package results

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Identity says where an invocation stands in the campaign. The name of its
// folder holds nothing else: labels are untrusted and never become paths.
type Identity struct {
	Block  int `json:"block"`
	Slot   int `json:"slot"`
	Repeat int `json:"repeat"` // 0, or how often the whole block was started again
}

// String is the folder's name: b0003.s07.r0.
func (i Identity) String() string { return fmt.Sprintf("b%04d.s%02d.r%d", i.Block, i.Slot, i.Repeat) }

var identityName = regexp.MustCompile(`^b(\d{4,})\.s(\d{2,})\.r(\d+)$`)

// ParseIdentity is the inverse of Identity.String.
func ParseIdentity(name string) (Identity, error) {
	m := identityName.FindStringSubmatch(name)
	if m == nil {
		return Identity{}, fmt.Errorf("%q is not the name of an invocation (want b0003.s07.r0)", name)
	}
	var id Identity
	for i, p := range []*int{&id.Block, &id.Slot, &id.Repeat} {
		n, err := strconv.Atoi(m[i+1])
		if err != nil {
			return Identity{}, fmt.Errorf("invocation name %q: %w", name, err)
		}
		*p = n
	}
	return id, nil
}

// Status says whether an invocation gave numbers.
type Status string

const (
	StatusOK     Status = "ok"
	StatusFailed Status = "failed" // its logs are kept, it has no numbers
)

// Invocation is invocation.json: one JVM (or other subject) from start to
// exit, the n of every test.
type Invocation struct {
	Format int `json:"format"`
	Identity
	Cell    string   `json:"cell"`
	Profile Profile  `json:"profile"`
	Status  Status   `json:"status"`
	Failure *Failure `json:"failure,omitempty"`

	Sitting string    `json:"sitting"` // one run of moobench on one boot of one host
	Machine string    `json:"machine"` // machines/<id>.json
	Start   time.Time `json:"start"`
	End     time.Time `json:"end"`
	Runtime string    `json:"runtime,omitempty"` // e.g. the exact JDK build
	Command []string  `json:"command,omitempty"`
	Env     []string  `json:"env,omitempty"`  // only what moobench set
	EnvPad  int       `json:"env_pad"`        // bytes of random environment
	CPUs    string    `json:"cpus,omitempty"` // affinity of the subject as read back, e.g. "1"
	Exit    string    `json:"exit,omitempty"` // "0", "1", "signal: killed"

	// Settings are the knobs as read back just before the window, those of the
	// subject from its living process: name → value, as in KnobState.
	Settings map[string]string `json:"settings,omitempty"`

	Artifacts []Artifact         `json:"artifacts,omitempty"`
	Series    []Series           `json:"series,omitempty"`
	Scalars   map[string]float64 `json:"scalars,omitempty"` // metric name → value in the metric's unit; absent: not observed
	Proof     Proof              `json:"proof"`
	Disturbed *Disturbance       `json:"disturbed,omitempty"`
	// Void says why no number of this invocation counts, although it ended
	// well: our own load came too late, say. "" is that they count.
	Void     string            `json:"void,omitempty"`
	Warnings []string          `json:"warnings,omitempty"`
	Files    map[string]string `json:"files,omitempty"` // name → sha256 of everything else in the folder

	// Superseded is derived when reading: the block was started again.
	Superseded bool `json:"-"`
}

// Failure is how an invocation died.
type Failure struct {
	Kind    string `json:"kind"` // start, timeout, died, protocol, garbage, counts, disk, dump
	Message string `json:"message"`
	LogTail string `json:"log_tail,omitempty"`
}

// Disturbance is CPU time that others took on the measured CPUs, or a knob that
// changed while an invocation ran or since the one before.
type Disturbance struct {
	OthersNS int64    `json:"others_ns"`
	Share    float64  `json:"share"` // of the window's CPU time
	Because  string   `json:"because"`
	Knobs    []string `json:"knobs,omitempty"` // the names of those that changed
}

// Kind says how a column of a series reads.
type Kind string

const (
	KindDuration Kind = "duration"
	KindInstant  Kind = "instant"
	KindID       Kind = "id"
	KindCount    Kind = "count"
)

// Column is one named int64 column.
type Column struct {
	Name string   `json:"name"`
	Unit string   `json:"unit"`
	Kind Kind     `json:"kind"`
	Dict []string `json:"dict,omitempty"` // KindID: the names of 0, 1, …
}

// Series describes samples: Count rows of Columns, recorded by one thread.
type Series struct {
	Name    string   `json:"name"`
	Thread  int      `json:"thread"`
	Columns []Column `json:"columns"`
	Count   int64    `json:"count"`
	// Batch is how many calls one sample covers; with more than one there are
	// no quantiles of calls, because they were not observed.
	Batch int64 `json:"batch"`
	// Dump is the raw file of the fixture, relative to the draft's folder. It
	// is gone once the invocation is sealed.
	Dump string `json:"-"`
}

// Proof is what became of the records of one invocation.
type Proof struct {
	Source   string `json:"source,omitempty"`
	Expected int64  `json:"expected"`
	// ByLoopEnd had arrived when the last call returned, ByExit when the
	// subject was gone. Both 0 with an empty Source means nobody counted.
	ByLoopEnd int64 `json:"by_loop_end"`
	ByExit    int64 `json:"by_exit"`
	// LoopEndFromBytes marks ByLoopEnd as inferred from the size of the
	// output at the end of the loop, because records were not stamped.
	LoopEndFromBytes bool  `json:"loop_end_from_bytes,omitempty"`
	DrainNS          int64 `json:"drain_ns"` // end of the loop to the last arrival
	Bytes            int64 `json:"bytes"`    // received or written
}
