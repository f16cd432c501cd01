package reliability

import (
	"time"

	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/results"
)

// The names of the parameters of a load.
const (
	Arrival   = "arrival"
	Clients   = "clients"
	Rate      = "rate"
	Ramp      = "ramp"
	Hold      = "hold"
	Think     = "think"
	LostAfter = "lost_after"
	LateAfter = "late_after"
	LagBound  = "lag_bound"
)

// defaultRate tells whether somebody gave a rate where it means nothing.
const defaultRate = "1000"

// LoadParameters are those of a load, for any scenario that puts one on its
// subject.
func LoadParameters() []results.Parameter {
	return []results.Parameter{
		{
			Name: Arrival, Type: results.TypeEnum, Default: string(load.Closed), Values: []string{string(load.Closed), string(load.Constant), string(load.Poisson)},
			About: "what sends a request: closed, clients that each wait for their answer; or a clock that waits for none, at constant or at random (poisson) intervals",
		},
		{Name: Clients, Type: results.TypeInt, Unit: "clients", Default: "200", Min: 1, Factor: true, About: "how many clients, where they wait for their answers; else how many requests may be under way at once"},
		{Name: Rate, Type: results.TypeInt, Unit: "1/s", Default: defaultRate, Min: 1, Factor: true, About: "requests per second, where no client waits for its answer"},
		{Name: Ramp, Type: results.TypeDuration, Default: "5s", About: "while the load grows to its full height"},
		{Name: Hold, Type: results.TypeDuration, Default: "20s", Min: int64(100 * time.Millisecond), About: "while the load is held: what is measured"},
		{Name: Think, Type: results.TypeDuration, Default: "0ns", About: "how long a client waits before its next request, where it waits for its answers"},
		{Name: LostAfter, Type: results.TypeDuration, Default: "5s", Min: int64(time.Millisecond), About: "after which an answer is waited for no longer, and its transaction is lost"},
		{Name: LateAfter, Type: results.TypeDuration, Default: "1s", Min: int64(time.Millisecond), About: "after which a right answer is late"},
		{Name: LagBound, Type: results.TypeDuration, Default: "10ms", Min: int64(time.Microsecond), About: "by which 99 % of the requests must have been sent; else the invocation is void"},
	}
}

// LoadOf is the load that a cell's parameters describe, without its requests.
// What is random of it hangs on the block alone: all cells of a block get the
// same.
func LoadOf(inv plan.Invocation) load.Load {
	c := inv.Cell
	span := func(name string) time.Duration { return time.Duration(c.Int(name)) }
	return load.Load{
		Arrival: load.Arrival(c.Parameter(Arrival)), Clients: int(c.Int(Clients)), Rate: float64(c.Int(Rate)),
		Think: span(Think), Ramp: span(Ramp), Hold: span(Hold), Timeout: span(LostAfter), LateAfter: span(LateAfter),
		KeepAlive: true, Seed: uint64(inv.Block),
	}
}

// CheckLoad finds what does not go together in the parameters of a load: the
// parameter, why, and what to do; why is "" when all is well.
func CheckLoad(c results.Cell) (parameter, why, hint string) {
	cell := plan.Cell{Cell: c}
	closed := c.Parameter(Arrival) == string(load.Closed)
	switch {
	case closed && c.Parameter(Rate) != defaultRate && c.Parameter(Rate) != "":
		return Rate, "rate means nothing with arrival = closed: clients that wait for their answers send as many as they get", `clients and think, or arrival = "constant" or "poisson"`
	case !closed && cell.Int(Think) > 0:
		return Think, "think means nothing with arrival = " + c.Parameter(Arrival) + ": no client waits for an answer", `take it out, or arrival = "closed"`
	case cell.Int(LateAfter) > cell.Int(LostAfter):
		return LateAfter, "no answer can be later than late_after: it is lost by then", "make it shorter than lost_after"
	}
	return "", "", ""
}
