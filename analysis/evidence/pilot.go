package evidence

import (
	"slices"

	"moobench/results"
)

// Pilots shows only a campaign's pilots for numbers of calls, as timing invocations whose metric is
// the time of a counted call.
func Pilots(src Source) Source {
	c := *src.Campaign()
	c.Scenarios = slices.Clone(c.Scenarios)
	for i := range c.Scenarios {
		if z := c.Scenarios[i].Settling; z != nil {
			call := results.Metric{Name: z.Series, Unit: "ns", Series: z.Series, Column: "t", Primary: true}
			c.Scenarios[i].Metrics = []results.Metric{call}
		}
	}
	return pilots{src, &c}
}

type pilots struct {
	Source
	campaign *results.Campaign
}

func (p pilots) Campaign() *results.Campaign { return p.campaign }

func (p pilots) Invocations() ([]*results.Invocation, error) {
	all, err := p.Source.Invocations()
	var found []*results.Invocation
	for _, inv := range all {
		if inv.Profile == results.ProfilePilot {
			timed := *inv
			timed.Profile = results.ProfileTiming
			found = append(found, &timed)
		}
	}
	return found, err
}
