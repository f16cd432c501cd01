package serving

import (
	"time"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/results"
)

// Names of the parameters of a load.
const (
	arrival, Clients, Rate         = "arrival", "clients", "rate"
	ramp, hold, think              = "ramp", "hold", "think"
	lostAfter, lateAfter, lagBound = "lost_after", "late_after", "lag_bound"
)

// searchStep is the name of the search's parameter.
const searchStep = "search_step"

// leastStep is the shortest time in which a server shows whether it keeps up.
const leastStep = 100 * time.Millisecond

// defaultRate is the default rate. Another one is refused in a closed loop, where it means nothing.
const defaultRate = "1000"

// Parameters returns the parameters of a load.
func Parameters() []results.Parameter {
	return []results.Parameter{
		{
			Name: arrival, Type: results.TypeEnum, Default: string(load.Closed),
			Values: []string{string(load.Closed), string(load.Constant), string(load.Poisson)},
			About: "what sends a request: closed, clients that each wait for their answer; " +
				"or a clock that waits for none, at constant or at random (poisson) intervals",
		},
		{
			Name: Clients, Type: results.TypeInt, Unit: "clients", Default: "200", Min: 1, Factor: true,
			About: "how many clients, where they wait for their answers; " +
				"else how many requests may be under way at once",
		},
		{
			Name: Rate, Type: results.TypeInt, Unit: "1/s", Default: defaultRate, Min: 1, Factor: true,
			About: "requests per second, where no client waits for its answer",
		},
		{Name: ramp, Type: results.TypeDuration, Default: "5s", About: "how long the load takes to grow to its full height"},
		{
			Name: hold, Type: results.TypeDuration, Default: "20s", Min: int64(100 * time.Millisecond),
			About: "how long the load is held: the part that is measured",
		},
		{
			Name: think, Type: results.TypeDuration, Default: "0ns",
			About: "how long a client waits before its next request, where it waits for its answers",
		},
		{
			Name: lostAfter, Type: results.TypeDuration, Default: "5s", Min: int64(time.Millisecond),
			About: "how long to wait for an answer; after that its transaction is lost",
		},
		{
			Name: lateAfter, Type: results.TypeDuration, Default: "1s", Min: int64(time.Millisecond),
			About: "how long a right answer may take before it is late",
		},
		{
			Name: lagBound, Type: results.TypeDuration, Default: "10ms", Min: int64(time.Microsecond),
			About: "how late 99 % of the requests may be sent at most; otherwise the invocation is invalid",
		},
	}
}

// SearchParameter returns the parameter of a search for the highest load.
func SearchParameter() results.Parameter {
	return results.Parameter{
		Name: searchStep, Type: results.TypeDuration, Default: "3s", Min: int64(leastStep),
		About: "how long each load is held while the highest one is searched for",
	}
}

// Settings are the parameters of a load, without its requests, and the criteria it is judged by.
type Settings struct {
	load.Load
	LagBound   time.Duration // lag within which 99 % of the requests must be sent
	SearchStep time.Duration // how long each load of a search is held
}

// SettingsOf reads the settings of a cell. The randomness of a load depends only on the block: all cells of a
// block get the same.
func SettingsOf(c *results.Cell, block int) Settings {
	span := func(name string) time.Duration { return time.Duration(c.Int(name)) }
	return Settings{LagBound: span(lagBound), SearchStep: span(searchStep), Load: load.Load{
		Arrival: load.Arrival(c.Parameter(arrival)), Clients: int(c.Int(Clients)), Rate: float64(c.Int(Rate)),
		Think: span(think), Ramp: span(ramp), Hold: span(hold), Timeout: span(lostAfter), LateAfter: span(lateAfter),
		Seed: uint64(block),
	}}
}

// Allowances besides the load itself.
const (
	searchAllowance = 10 * time.Minute // for the search
	mostPerSecond   = 20_000           // requests in a closed loop without think time: more than most servers answer
)

// Work returns the work of a load: ramp and hold, and at most 10 minutes more for a search.
func (s Settings) Work(searches bool) plan.Work {
	ns := float64(s.Ramp + s.Hold)
	rate := s.Rate
	if s.Arrival == load.Closed {
		rate = mostPerSecond
		if s.Think > 0 {
			rate = min(rate, float64(s.Clients)*1e9/float64(s.Think))
		}
	}
	requests := int64(min(rate*ns/1e9, plan.MostSamples))
	w := plan.Work{MayTakeNS: ns, TakesNS: ns, Values: requests * int64(len(results.RequestColumns()))}
	if searches {
		w.MayTakeNS += float64(searchAllowance)
	}
	return w
}

// Check refuses parameters of a load that do not go together.
func Check(c *results.Cell) []plan.Refusal {
	s := SettingsOf(c, 0)
	closed := s.Arrival == load.Closed
	switch {
	case closed && c.Parameter(Rate) != defaultRate && c.Parameter(Rate) != "":
		return plan.Refuse(Rate,
			"rate means nothing with arrival = closed: clients that wait for their answers send as many as they get",
			`clients and think, or arrival = "constant" or "poisson"`)
	case !closed && s.Think > 0:
		why := "think means nothing with arrival = " + string(s.Arrival) + ": no client waits for an answer"
		return plan.Refuse(think, why, `take it out, or arrival = "closed"`)
	case s.LateAfter > s.Timeout:
		return plan.Refuse(lateAfter, "no answer can be later than late_after: it is lost by then",
			"make it shorter than lost_after")
	}
	return nil
}
