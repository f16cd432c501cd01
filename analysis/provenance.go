package analysis

import (
	"slices"
	"time"

	"moobench/results"
)

// provenance says where the answers come from.
func provenance(c *results.Campaign, all []evidence, superseded int) Campaign {
	p := Campaign{
		Name: c.Name, About: c.About, Created: c.Created, Source: c.Source, Design: c.Design, Seed: c.Seed,
		PlanHash: c.PlanHash, Versions: c.Versions, Superseded: superseded,
	}
	for _, b := range c.Blocks {
		switch {
		case b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming:
			p.Blocks++
		case b.Kind == results.BlockExtra:
			p.Extra++
		}
	}
	sittings, runtimes := map[string]bool{}, map[string]bool{}
	var start, end time.Time
	for _, e := range all {
		if start.IsZero() || e.Start.Before(start) {
			start = e.Start
		}
		if e.End.After(end) {
			end = e.End
		}
		sittings[e.Sitting] = true
		if e.Runtime != "" && !runtimes[e.Runtime] {
			runtimes[e.Runtime] = true
			p.Runtimes = append(p.Runtimes, e.Runtime)
		}
	}
	p.Sittings = len(sittings)
	slices.Sort(p.Runtimes)
	if len(all) > 0 {
		p.Start, p.End = &start, &end
	}
	return p
}

func invocation(c *results.Campaign, e evidence, void bool) Invocation {
	cell := c.Cell(e.Cell)
	r := reader{campaign: c, scenario: c.Scenario(cell.Scenario)}
	i := Invocation{
		ID: e.Identity.String(), Block: e.Block, Scenario: cell.Scenario, Cell: e.Cell, Profile: e.Profile, Status: e.Status,
		Start: e.Start, End: e.End, Sitting: e.Sitting, Machine: e.Machine, Runtime: e.Runtime, CPUs: e.CPUs, Exit: e.Exit,
		Disturbed: e.Disturbed, Command: e.Command, Env: e.Env, EnvPad: e.EnvPad,
	}
	if p := r.primary(); p != nil && !void {
		if x, ok := e.values[p.Name]; ok {
			i.Value, i.Trace, i.Class, i.From = &x, e.primary.trace, string(e.primary.class), e.primary.from
		}
	}
	return i
}
