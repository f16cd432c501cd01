package analysis

import (
	"maps"
	"slices"
	"time"

	"moobench/analysis/steady"
	"moobench/results"
)

// Invocation is one current invocation.
type Invocation struct {
	ID       string          `json:"id"`       // b0003.s07.r0
	Block    int             `json:"block"`    // number of the block, or that of the source of an import
	Scenario string          `json:"scenario"` // label
	Cell     string          `json:"cell"`     // ID
	Profile  results.Profile `json:"profile"`  // what may be read from it
	Status   results.Status  `json:"status"`   // how it ended
	// Start and End are absent where an import does not know them.
	Start   *time.Time `json:"start,omitempty"`
	End     *time.Time `json:"end,omitempty"`
	Sitting string     `json:"sitting,omitempty"` // session: one run of moobench on one boot of one host
	Machine string     `json:"machine,omitempty"` // ID
	Runtime string     `json:"runtime,omitempty"` // JDK build
	CPUs    string     `json:"cpus,omitempty"`    // affinity of the subject as read back
	Exit    string     `json:"exit,omitempty"`    // 0, 1, "signal: killed"
	// Void says why no number of the invocation counts, although it ended well.
	Void string `json:"void,omitempty"`
	// Value is the primary metric's, absent when the invocation has none or
	// no number of its cell counts.
	Value *float64 `json:"value,omitempty"`
	// Calls is how many calls, or requests, of all threads Value is the mean of;
	// absent when it is no mean of samples.
	Calls int64 `json:"calls,omitempty"`
	// Observed are the other metrics of its profile, in their units; absent where no
	// number of the cell counts.
	Observed map[string]float64 `json:"observed,omitempty"`
	// Trace is the primary metric over the invocation in up to 100 steps of
	// equal numbers of samples, warm-up included.
	Trace []float64 `json:"trace,omitempty"`
	// Class is flat, warmup, slowdown or no steady state; absent when it was not told.
	Class string  `json:"class,omitempty"`
	From  float64 `json:"window_from,omitempty"` // share of the samples that lie before the window
	// SteadyFrom is the share of the samples before the steady state that was
	// found, whatever the window is; absent when there is none.
	SteadyFrom *float64 `json:"steady_from,omitempty"`
	// Disturbed says what disturbed it; absent when nothing did.
	Disturbed *results.Disturbance `json:"disturbed,omitempty"`
	// RepeatedBy is the invocation of an extra block that repeats this disturbed one,
	// which is in the numbers all the same.
	RepeatedBy string `json:"repeated_by,omitempty"`
	// Settings are the knobs that stood otherwise than in the first invocation; "" is
	// not known.
	Settings map[string]string `json:"settings,omitempty"`
	Command  []string          `json:"command,omitempty"` // command line
	Env      []string          `json:"env,omitempty"`     // environment that moobench set
	EnvPad   int               `json:"env_pad,omitempty"` // bytes of random environment
}

// provenance says where the answers come from.
func provenance(c *results.Campaign, all []evidence, superseded int) Campaign {
	p := Campaign{
		Name: c.Name, About: c.About, Created: c.Created, Source: c.Source, Design: c.Design, Seed: c.Seed,
		PlanHash: c.PlanHash, Versions: c.Versions, Superseded: superseded, Control: c.Control, Scale: c.Scale,
	}
	for _, b := range c.Blocks {
		switch {
		case b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming:
			p.Blocks++
		case b.Kind == results.BlockExtra:
			p.Extra++
		}
	}
	p.ExtraFailed, p.ExtraDisturbed, p.ExtraVoid = extras(c, all)
	sittings, runtimes := map[string]bool{}, map[string]bool{}
	for _, e := range all {
		if begin := recorded(e.Start); begin != nil && (p.Start == nil || begin.Before(*p.Start)) {
			p.Start = begin
		}
		if end := recorded(e.End); end != nil && (p.End == nil || end.After(*p.End)) {
			p.End = end
		}
		sittings[e.Sitting] = true
		if e.Runtime != "" && !runtimes[e.Runtime] {
			runtimes[e.Runtime] = true
			p.Runtimes = append(p.Runtimes, e.Runtime)
		}
	}
	p.Sittings = len(sittings)
	slices.Sort(p.Runtimes)
	return p
}

// recorded is a time, nil where it was not recorded.
func recorded(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func invocation(c *results.Campaign, e evidence, void bool) Invocation {
	cell := c.Cell(e.Cell)
	r := reader{campaign: c, scenario: c.Scenario(cell.Scenario)}
	i := Invocation{
		ID: e.Identity.String(), Block: e.Block, Scenario: cell.Scenario, Cell: e.Cell, Profile: e.Profile, Status: e.Status,
		Start: recorded(e.Start), End: recorded(e.End), Sitting: e.Sitting, Machine: e.Machine, Runtime: e.Runtime, CPUs: e.CPUs, Exit: e.Exit,
		Disturbed: e.Disturbed, Command: e.Command, Env: e.Env, EnvPad: e.EnvPad, RepeatedBy: e.repeatedBy, Void: e.Void,
	}
	if p := r.primary(); p != nil && !void {
		if x, ok := e.values[p.Name]; ok {
			i.Value, i.Trace, i.Class, i.From, i.Calls = &x, e.primary.trace, string(e.primary.class), e.primary.from, e.primary.counted
			if class := e.primary.class; class != "" && class != steady.Unsteady {
				from := e.primary.settled
				i.SteadyFrom = &from
			}
		}
		i.Observed = maps.Clone(e.values)
		delete(i.Observed, p.Name)
	}
	return i
}
