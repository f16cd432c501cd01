package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/analysis/steady"
	"moobench/results"
)

// Invocation is one current invocation.
type Invocation struct {
	ID       string          `json:"id"`       // b0003.s07.r0
	Block    int             `json:"block"`    // number of the block; in an import, that of the source
	Scenario string          `json:"scenario"` // label
	Cell     string          `json:"cell"`     // ID
	Profile  results.Profile `json:"profile"`  // what it measures
	Status   results.Status  `json:"status"`   // how it ended
	// Start and End are absent if an import does not know them.
	Start   *time.Time `json:"start,omitempty"`
	End     *time.Time `json:"end,omitempty"`
	Session string     `json:"session,omitempty"` // one run of moobench on one boot of one host
	Machine string     `json:"machine,omitempty"` // ID
	Runtime string     `json:"runtime,omitempty"` // JDK build
	CPUs    string     `json:"cpus,omitempty"`    // affinity of the subject as read back
	Exit    string     `json:"exit,omitempty"`    // 0, 1, "signal: killed"
	// Invalid says why none of the invocation's numbers count, although it ended well.
	Invalid string `json:"invalid,omitempty"`
	// Value is the primary metric; absent if the invocation has none, or its cell's numbers don't count.
	Value *float64 `json:"value,omitempty"`
	// Calls is the number of calls, or requests, of all threads behind Value; absent if Value is not a mean of
	// samples. For a pilot, which has no value, it is the number of all calls.
	Calls int64 `json:"calls,omitempty"`
	// Observed are the profile's other metrics, in their units; absent if the cell's numbers don't count.
	Observed map[string]float64 `json:"observed,omitempty"`
	// ReferenceNS is the reference's time in the window, and Unadjusted is Value before adjustment by it;
	// absent if no reference was taken.
	ReferenceNS float64  `json:"reference_ns,omitempty"`
	Unadjusted  *float64 `json:"unadjusted,omitempty"`
	// WaitedShare is the share of their time that calls waited for other programs. It is taken out of Value and
	// Unadjusted; absent if nothing is taken out.
	WaitedShare float64 `json:"waited_share,omitempty"`
	// AtNS is the reference's time at the speed that Value was carried to; absent for a Value as measured.
	AtNS float64 `json:"at_ns,omitempty"`
	steady.Inside
	// Disturbed says what disturbed it; absent if nothing did.
	Disturbed *results.Disturbance `json:"disturbance,omitempty"`
	// RepeatedBy is the invocation of an extra block that repeats this disturbed one; the numbers include both.
	RepeatedBy string `json:"repeated_by,omitempty"`
	// Settings are the knobs that differed from those of the first invocation; "" is unknown.
	Settings map[string]string `json:"settings,omitempty"`
	Command  []string          `json:"command,omitempty"`       // command line
	Env      []string          `json:"env,omitempty"`           // environment that moobench set
	EnvPad   int               `json:"env_pad_bytes,omitempty"` // bytes of random padding in the environment
}

// Superseded is an invocation of a block that was started again.
type Superseded struct {
	ID     string         `json:"id"`              // b0003.s07.r0
	Cell   string         `json:"cell"`            // ID
	Status results.Status `json:"status"`          // how it ended
	Start  *time.Time     `json:"start,omitempty"` // when it began
	End    *time.Time     `json:"end,omitempty"`   // when it ended
}

// provenance describes the campaign behind the answers.
func provenance(c *results.Campaign, all evidence.All) Campaign {
	p := Campaign{
		Name: c.Name, About: c.About, Created: c.Created, Source: c.Source, Design: c.Design, Seed: c.Seed,
		PlanHash: c.PlanHash, Versions: c.Versions, Superseded: len(all.Superseded), Control: c.Control, Scale: c.Scale,
	}
	made := map[string]results.Invocation{}
	sessions, runtimes := map[string]bool{}, map[string]bool{}
	for _, e := range all.Invocations {
		made[e.Identity.String()] = *e.Invocation
		if begin := recorded(e.Start); begin != nil && (p.Start == nil || begin.Before(*p.Start)) {
			p.Start = begin
		}
		if end := recorded(e.End); end != nil && (p.End == nil || end.After(*p.End)) {
			p.End = end
		}
		sessions[e.Session], runtimes[e.Runtime] = true, true
	}
	delete(runtimes, "")
	p.Sessions, p.Runtimes = len(sessions), slices.Sorted(maps.Keys(runtimes))
	for _, b := range c.Blocks {
		switch {
		case b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming:
			p.Blocks++
		case b.Kind != results.BlockExtra:
		case slices.ContainsFunc(b.Repeats, func(id string) bool { return made[id].Invalid != "" }):
			p.ExtraInvalid++
		case slices.ContainsFunc(b.Repeats, func(id string) bool { return made[id].Status == results.StatusOK }):
			p.ExtraDisturbed++
		default:
			p.ExtraFailed++
		}
	}
	p.Extra = p.ExtraInvalid + p.ExtraDisturbed + p.ExtraFailed
	return p
}

// recorded returns t, or nil if it was not recorded.
func recorded(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// invocation describes one invocation of a cell; those of invalid cells have no value.
func (a *Answers) invocation(cell *results.Cell, e *evidence.Invocation) Invocation {
	i := Invocation{
		ID: e.Identity.String(), Block: e.Block, Scenario: cell.Scenario,
		Cell: e.Cell, Profile: e.Profile, Status: e.Status,
		Start: recorded(e.Start), End: recorded(e.End), Session: e.Session,
		Machine: e.Machine, Runtime: e.Runtime, CPUs: e.CPUs, Exit: e.Exit,
		Disturbed: e.Disturbed, EnvPad: e.EnvPad, RepeatedBy: e.RepeatedBy, Invalid: e.Invalid,
	}
	i.Command, _ = results.CutSecrets(e.Command)
	i.Env, _ = results.CutSecrets(e.Env)
	if len(e.Settings) > 0 { // else none were read back, and there is nothing to compare
		i.Settings = maps.Clone(e.Settings)
		for name := range a.Settings {
			i.Settings[name] = e.Settings[name]
		}
		maps.DeleteFunc(i.Settings, func(name, value string) bool { return value == a.Settings[name] })
	}
	s := a.Scenario(cell.Scenario)
	if answered := s.Cell(cell.ID); answered != nil && answered.Invalid != "" {
		return i
	}
	if x, ok := e.Values[s.Primary]; ok {
		i.Value, i.Inside, i.Calls = &x, e.Inside(), e.Samples.Counted
		i.WaitedShare = e.WaitedShare
		if i.ReferenceNS = e.Reference; e.Reference > 0 {
			i.Unadjusted = &e.Unadjusted
		}
		if c, ok := e.CarriedOf(s.Primary); ok {
			i.AtNS = math.Exp(c.To)
		}
	}
	i.Observed = maps.Clone(e.Values)
	delete(i.Observed, s.Primary)
	return i
}

// addPilots adds the pilots' series and steady states to the invocations.
func (a *Answers) addPilots(pilots []evidence.Invocation) {
	for _, e := range pilots {
		i := slices.IndexFunc(a.Invocations, func(i Invocation) bool { return i.ID == e.Identity.String() })
		if i >= 0 && e.Samples.Trace != nil {
			a.Invocations[i].Inside, a.Invocations[i].Calls = e.Inside(), e.Samples.Calls
		}
	}
}

// Reference describes the speed of the CPU at one level.
type Reference = evidence.Reference

// Measured has the values of one current invocation.
type Measured = evidence.Invocation

// Measure returns the values of each current invocation, as the answers use them. Failed and invalid ones have
// no values. Unreadable ones are left out and named in the error, which comes with the rest.
func Measure(src Source) ([]Measured, error) {
	all := evidence.Gather(src)
	if len(all.Problems) == 0 {
		return all.Invocations, nil
	}
	return all.Invocations, fmt.Errorf("measuring: %s", strings.Join(all.Problems, "\n"))
}

// Uncounted says why no answer uses the numbers of a completed invocation: it or its cell is invalid, or it is
// only a proof. Those that count are not in the map.
func Uncounted(c *results.Campaign, all []Measured) map[results.Identity]string {
	void, byCell := map[string]string{}, evidence.ByCell(all) // void is keyed by cell
	for i := range c.Scenarios {
		v := evidence.NewView(c, &c.Scenarios[i], byCell)
		proof.Judge(v)
		maps.Copy(void, v.Invalid)
	}
	why := map[results.Identity]string{}
	for _, e := range all {
		only := prose.If(c.Cell(e.Cell).Role == results.RoleProof, "it only proves that another cell is monitored")
		if text := cmp.Or(e.Invalid, void[e.Cell], only); text != "" {
			why[e.Identity] = text
		}
	}
	return why
}

// sealable is a Source that knows whether its files match their seal; *results.Store is one.
type sealable interface {
	// Sealed returns in changed what differs from the seal; "" if nothing does.
	Sealed() (sealed bool, changed string)
}

var _ sealable = (*results.Store)(nil)

// recomputedNamed is the number of invocations that Recomputed names.
const recomputedNamed = 3

// Recomputed names the invocations whose stored summary was not used, with the reason for the last one; "" if
// there are none.
func Recomputed(all []Measured) string {
	var ids []string
	why := ""
	for _, m := range all {
		if m.Anew != "" {
			ids, why = append(ids, m.Identity.String()), m.Anew
		}
	}
	return prose.If(len(ids) > 0,
		"the summary of %s is damaged, and was computed again from the samples: %s; "+
			"moobench verify names every damaged file",
		prose.First(ids, recomputedNamed, ", ", " and %s more"), why)
}

// unanswered lists the planned cells without an answer, failed A/As, and missing invocations.
func (a *Answers) unanswered() []string {
	var why []string
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			if aa.State == AAFailed {
				why = append(why, fmt.Sprintf("%s: the A/A%s failed", s.Label, reading.AtLevel(aa.Level)))
			}
		}
		missing := 0
		for _, c := range s.Cells {
			missing += c.Missing
			if w := c.Unanswered(s.Primary); w != "" {
				why = append(why, fmt.Sprintf("%s: %s has no answer: %s", s.Label, c.Label, w))
			}
		}
		if missing > 0 {
			why = append(why, fmt.Sprintf("%s: unfinished, %d planned invocations are missing", s.Label, missing))
		}
	}
	return why
}

// Unanswered says why a cell has no answer in the primary metric; "" if it has one. A single planned block
// can't give an interval, so that a missing one is no fault.
func (c *Cell) Unanswered(primary string) string {
	switch m := c.MetricNamed(primary); {
	case c.Invalid != "":
		return c.Invalid
	case c.Broken != "":
		return c.Broken
	case c.GivenUp != "":
		return "given up: " + c.GivenUp
	case m == nil:
		return ""
	case m.Rate != nil:
		return m.Rate.NoVersus
	case m.Mean == nil:
		return m.Absent
	case c.Role != results.RoleVariant || c.Baseline == "":
		return ""
	case m.Difference == nil:
		return m.NoDifference
	case m.Difference.Interval == nil && c.Planned > 1:
		return m.Difference.NoInterval
	}
	return ""
}

// Loops is the share of wall time inside the measured loops, with the agents' own start-up left out.
type Loops struct {
	LoopNS    float64  `json:"loop_ns"`          // time inside the loops, summed over invocations
	WallNS    float64  `json:"wall_ns"`          // time from start to exit, summed over invocations
	StartupNS float64  `json:"agent_startup_ns"` // start-up of agents, beyond the baseline's
	Share     *float64 `json:"share,omitempty"`  // LoopNS / (WallNS - StartupNS)
	Absent    string   `json:"absent,omitempty"` // why there is no share
}

// Scalars behind the share of wall time inside the loops, in ns.
const (
	loopScalar    = "loop_ns"
	wallScalar    = "wall_ns"
	startupScalar = "startup_ns"
)

// loops computes the share of wall time inside the measured loops: loops / (wall - start-up of the agents). An
// agent's start-up is the time beyond the mean start-up of the cell's baseline. An empty scenario stands for
// all.
func loops(c *results.Campaign, all map[string][]*evidence.Invocation, scenario string) Loops {
	l := Loops{Absent: "no invocation recorded how long its loop took, and how long the whole JVM"}
	v := evidence.View{Campaign: c, ByCell: all}
	for _, cell := range c.Cells {
		if scenario != "" && cell.Scenario != scenario {
			continue
		}
		usual, n := 0.0, 0.0
		for _, e := range v.Succeeded(cell.Baseline, results.ProfileTiming) {
			if x := e.Scalar(startupScalar); stats.Finite(x) {
				usual, n = usual+x, n+1
			}
		}
		usual /= max(1, n)
		for _, e := range v.Succeeded(cell.ID, results.ProfileTiming) {
			loop, wall, own := e.Scalar(loopScalar), e.Scalar(wallScalar), e.Scalar(startupScalar)
			if !stats.Finite(loop, wall) {
				continue
			}
			l.LoopNS += loop
			l.WallNS += wall
			if n > 0 && stats.Finite(own) {
				l.StartupNS += max(0, own-usual)
			}
		}
	}
	if rest := l.WallNS - l.StartupNS; rest > 0 {
		l.Share, l.Absent = new(l.LoopNS/rest), ""
	}
	return l
}
