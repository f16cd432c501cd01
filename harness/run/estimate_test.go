package run

import (
	"testing"
	"time"

	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

func estimated(activate string, parameters ...string) plan.Invocation {
	c := plan.Cell{Variant: framework.Variant{Activate: activate}}
	for i := 0; i < len(parameters); i += 2 {
		c.Parameters = append(c.Parameters, results.Value{Name: parameters[i], Value: parameters[i+1]})
	}
	return plan.Invocation{Cell: c, Profile: results.ProfileTiming}
}

// Cells with calls, with changes, with both and with neither are estimated by
// their parameters alone.
func TestEstimates(t *testing.T) {
	const pattern = "+ {signature}"
	for name, c := range map[string]struct {
		inv     plan.Invocation
		wall    time.Duration
		samples int64
	}{
		"neither":           {estimated(""), plainStart, 0},
		"calls":             {estimated("", "calls", "1000000", "threads", "2", "batch", "10"), plainStart + 120*time.Millisecond, 200_000},
		"calls that wait":   {estimated("", "calls", "1000", "method_time", "1000000"), plainStart + time.Second + 60*time.Microsecond, 1000},
		"interpreted":       {estimated("", "calls", "1000000", "jvm", "-Da=1 -Xint"), plainStart + 1200*time.Millisecond, 1_000_000},
		"changes":           {estimated(pattern, "samples", "20", "at_once", "50"), plainStart + 400*time.Millisecond, 180},
		"switches":          {estimated("", "samples", "20", "at_once", "50"), plainStart + 2*time.Millisecond, 180},
		"one by one":        {estimated(pattern, "samples", "20", "at_once", "50", "one_by_one", "true"), plainStart + 20*time.Second, 180},
		"bare and loaded":   {estimated(pattern, "samples", "100", "bare", "true", "loaded", "10000"), plainStart + 4*time.Second, 900},
		"changes and calls": {estimated(pattern, "samples", "10", "calls", "1000000"), plainStart + 380*time.Millisecond, 3_000_090},
		"far too many":      {estimated(pattern, "samples", "1000000000", "at_once", "1000000000", "one_by_one", "true"), plainStart + mostWall, 9_000_000_000},
	} {
		if got := wallOf(c.inv); got != c.wall {
			t.Errorf("%s: %v, want %v", name, got, c.wall)
		}
		if got := samplesOf(c.inv); got != c.samples {
			t.Errorf("%s: %d samples, want %d", name, got, c.samples)
		}
		if stays, peak := staysOf(c.inv), peakOf(c.inv); stays < 0 || peak < 8*c.samples {
			t.Errorf("%s: %d bytes stay, %d at most", name, stays, peak)
		}
	}
}

func TestEstimateOfRequests(t *testing.T) {
	cell := func(arrival, rate, clients, think string) plan.Invocation {
		return plan.Invocation{Cell: plan.Cell{Cell: results.Cell{Parameters: []results.Value{
			{Name: "arrival", Value: arrival},
			{Name: "rate", Value: rate},
			{Name: "clients", Value: clients},
			{Name: "think", Value: think},
			{Name: "ramp", Value: "1000000000"},
			{Name: "hold", Value: "9000000000"},
		}}}}
	}
	for _, test := range []struct {
		name string
		inv  plan.Invocation
		want int64
	}{
		{"an open loop sends its rate", cell("poisson", "1000", "200", "0"), 10_000},
		{"clients that think send one at a time", cell("closed", "1000", "200", "1000000000"), 2000},
		{"clients that don't send what a server answers", cell("closed", "1000", "200", "0"), 200_000},
		{"without a load there are none", plan.Invocation{}, 0},
	} {
		if got := requestsOf(test.inv); got != test.want {
			t.Errorf("%s: %d requests, want %d", test.name, got, test.want)
		}
	}
}
