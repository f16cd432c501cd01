package cost

import (
	"errors"
	"fmt"

	"moobench/harness/strict"
)

// Limit is a quantity besides time that a gate can judge.
type Limit struct {
	Flag    string            // on the command line
	About   string            // name in words
	Usual   string            // default when comparing with another agent; "": not judged
	metrics map[string]string // metric by scenario
}

// Limits returns all limits. CPU time must be shown to be within its limit, because an agent that
// moves its work to another thread is no cheaper. Start-up and memory have too few measurements for
// that: against another agent they must only not be shown to be worse.
func Limits() []Limit {
	return []Limit{
		{
			"worse-cpu", "CPU time", "5%",
			map[string]string{"overhead": "cpu_ns", "command": "cpu", "server": "cpu_per_request"},
		},
		{"worse-startup", "start-up", "10%", map[string]string{"overhead": "startup_ns", "server": "startup"}},
		{
			"worse-memory", "memory", "10%",
			map[string]string{"overhead": "rss_peak_bytes", "command": "peak_rss", "server": "rss_peak_bytes"},
		},
		{"worse-alloc", "allocation", "", map[string]string{"overhead": "alloc_bytes"}},
		{"worse-losses", "lost requests (as a share of all)", "", map[string]string{"server": "lost"}},
	}
}

// unlimited is the flag value that switches a limit off.
const unlimited = "none"

// limitsOf are the further metrics of a gate on a scenario: those that a variant is to be shown
// to be within, and those that may fail it.
func (q *Question) limitsOf(use string) (also, alarms map[string]any) {
	also, alarms = map[string]any{}, map[string]any{}
	for _, l := range Limits() {
		allowed, asked := q.Limits[l.Flag]
		metric := l.metrics[use]
		if !asked && q.Against != "" {
			allowed = l.Usual
		}
		if allowed == "" || allowed == unlimited || metric == "" {
			continue
		}
		if asked || l.Flag == "worse-cpu" {
			also[metric] = allowed
		} else {
			alarms[metric] = allowed
		}
	}
	return also, alarms
}

// checkLimits refuses limits on quantities that the scenario does not measure.
func (q *Question) checkLimits() error {
	var errs []error
	for _, l := range Limits() {
		if allowed, asked := q.Limits[l.Flag]; asked && allowed != unlimited && l.metrics[q.use()] == "" {
			errs = append(errs, fmt.Errorf("--%s: %s is not measured for %s", l.Flag, l.About, program[q.use()]))
		}
	}
	return errors.Join(errs...)
}

// program names the subject of each scenario.
var program = map[string]string{
	"overhead": "a method",
	"command":  "a program that runs to its end",
	"server":   "a server",
}

// use returns the scenario to measure.
func (q *Question) use() string {
	switch {
	case len(q.Command) > 0:
		return "command"
	case q.Server != "":
		return "server"
	}
	return "overhead"
}

// gate returns the section of that name.
func (q *Question) gate(reference string) *strict.Draft {
	d := &strict.Draft{}
	d.Set("worse_by", q.WorseBy)
	if reference != "" {
		d.Set("reference", reference)
	}
	also, alarms := q.limitsOf(q.use())
	if len(also) > 0 {
		d.Set("also", also)
	}
	if len(alarms) > 0 {
		d.Note("alarms", alarms, "these can fail it, but need not be shown to be kept")
	}
	return d
}
