package reading

import (
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

// run is an invocation of a made-up cell: why it, or its value of x, does not count, and how many of its requests
// were lost.
type run struct {
	invalid, void  string
	lost, requests float64
}

// ran is a reading of one cell with these runs.
func ran(runs ...run) *Reading {
	c := &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Primary: true}}}},
		Cells:     []results.Cell{{ID: "a", Scenario: "s", Role: results.RoleBaseline}},
	}
	byCell := map[string][]*evidence.Invocation{}
	for i, one := range runs {
		e := &evidence.Invocation{Invocation: &results.Invocation{
			Identity: results.Identity{Block: i + 1}, Cell: "a",
			Profile: results.ProfileTiming, Status: results.StatusOK, Invalid: one.invalid,
			Scalars: map[string]float64{results.ScalarLost: one.lost, results.ScalarRequests: one.requests},
		}}
		if one.void != "" {
			e.Void = map[string]string{"x": one.void}
		}
		byCell["a"] = append(byCell["a"], e)
	}
	return New(c, &c.Scenarios[0], byCell, nil, nil)
}

// TestAllInvalid: if no run of a cell counts, the reasons are given once a kind; if one does, there is no reason.
func TestAllInvalid(t *testing.T) {
	for _, c := range []struct {
		name string
		runs []run
		want string
	}{
		{"no run", nil, ""},
		{"one that counts", []run{{}}, ""},
		{"one of two counts", []run{{invalid: "busy"}, {}}, ""},
		{"one is invalid", []run{{invalid: "busy"}}, "1 run, and none counts: busy"},
		{"two for one reason", []run{{invalid: "7 % busy"}, {invalid: "9 % busy"}}, "2 runs, and none counts: 7 % busy"},
		{"one is void", []run{{void: "late"}}, "1 run, and the x of none counts: late"},
		{"one of each", []run{{void: "late"}, {invalid: "busy"}}, "2 runs, and the x of none counts: busy; late"},
	} {
		r := ran(c.runs...)
		if got := r.AllInvalid("a", r.Primary); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNoneRight: a metric of right answers has no value if every request was lost. Other metrics have one, and so
// has a cell whose requests are not known.
func TestNoneRight(t *testing.T) {
	perRequest := results.Metric{Name: cpuPerRequest, Unit: "ns"}
	for _, c := range []struct {
		name   string
		metric results.Metric
		runs   []run
		want   string
	}{
		{"all lost", perRequest, []run{{lost: 5, requests: 5}, {lost: 2, requests: 2}}, "none of its 7 requests got a right answer"},
		{"one right", perRequest, []run{{lost: 5, requests: 5}, {lost: 1, requests: 2}}, ""},
		{"no requests", perRequest, []run{{}}, ""},
		{"of the whole run", results.Metric{Name: "x", Unit: "ns"}, []run{{lost: 5, requests: 5}}, ""},
	} {
		if got := ran(c.runs...).NoneRight("a", c.metric); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
