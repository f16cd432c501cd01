package reliability

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/framework"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/results"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		key, why string
		given    []string
	}{
		{"", "", nil},
		{"", "", []string{Arrival, "poisson", Rate, "4000"}},
		{"", "", []string{server, "virtual", plan.FactorJDK, "21.0.2+13"}},
		{"", "", []string{share, "100"}},
		{"", "", []string{toggle, "0"}},
		{Rate, "means nothing with arrival = closed", []string{Rate, "4000"}},
		{Think, "means nothing with arrival = constant", []string{Arrival, "constant", Think, "5"}},
		{share, "can't take more", []string{share, "110"}},
		{server, "virtual needs Java 21", []string{server, "virtual", plan.FactorJDK, "17.0.15+6"}},
		{server, "jetty needs Java 17", []string{server, "jetty", plan.FactorJDK, "1.8.0_402-b06"}},
		{toggle, "over before the first toggle", []string{toggle, ns(time.Second)}},
		{LateAfter, "lost by then", []string{LateAfter, ns(time.Minute)}},
	} {
		key, why, hint := Scenario{}.Check(invocation(framework.Variant{}, c.given...).Cell.Cell)
		if key != c.key || !strings.Contains(why, c.why) || (why == "") != (hint == "") || (why == "") != (c.key == "") {
			t.Errorf("%v: %s: %q (%s), want %s: %q", c.given, key, why, hint, c.key, c.why)
		}
	}
	removed := invocation(framework.Variant{Name: "probe/hotswap/removed"}).Cell.Cell
	removed.Launch.Deactivate = "+ {signature}"
	if key, why, _ := (Scenario{}).Check(removed); key != "variants" || !strings.Contains(why, "is taken out before it is measured") {
		t.Errorf("removed: %s: %s", key, why)
	}
}

// TestCalibration: the share and what it scales do not make another capacity,
// all other factors do.
func TestCalibration(t *testing.T) {
	cell := func(arrival string, factors ...string) results.Cell {
		c := results.Cell{Scenario: "reliability", Parameters: []results.Value{{Name: Arrival, Value: arrival}, {Name: server, Value: "jdk"}}}
		for i := 0; i < len(factors); i += 2 {
			v := results.Value{Name: factors[i], Value: factors[i+1]}
			c.Parameters, c.Factors = append(c.Parameters, v), append(c.Factors, v)
		}
		return c
	}
	for _, c := range []struct {
		cell results.Cell
		want string
	}{
		{cell("closed", share, "0"), ""},
		{cell("closed", share, "70"), "the baseline of reliability arrival=closed server=jdk"},
		{cell("closed", share, "90", Clients, "400"), "the baseline of reliability arrival=closed server=jdk"},
		{cell("poisson", share, "90", Rate, "400", Clients, "300"), "the baseline of reliability arrival=poisson server=jdk clients=300"},
		{cell("closed", share, "90", "jdk", "17.0.15", "cpus", "2"), "the baseline of reliability arrival=closed server=jdk jdk=17.0.15 cpus=2"},
	} {
		if got := (Scenario{}).Calibration(c.cell); got != c.want {
			t.Errorf("%s: %q, want %q", c.cell.Level(), got, c.want)
		}
	}
}

// TestMetrics: every count of requests is a rate of a metric that is there, one
// metric is primary, and the seven outcomes are all there.
func TestMetrics(t *testing.T) {
	metrics, names := Scenario{}.Metrics(), map[string]bool{}
	primary := 0
	for _, m := range metrics {
		if names[m.Name] {
			t.Errorf("metric %s is there twice", m.Name)
		}
		names[m.Name] = true
		if m.Primary {
			primary++
		}
	}
	for _, m := range metrics {
		if m.Of != "" && !names[m.Of] {
			t.Errorf("%s is of %s, which is no metric", m.Name, m.Of)
		}
	}
	for _, outcome := range results.Outcomes {
		if !names[strings.ReplaceAll(outcome, " ", "_")] {
			t.Errorf("no metric counts those that are %s", outcome)
		}
	}
	if primary != 1 {
		t.Errorf("%d primary metrics", primary)
	}
}

func TestQuestions(t *testing.T) {
	cells := []results.Cell{
		{ID: "c00", Variant: "none", Role: results.RoleBaseline},
		{ID: "c01", Variant: "none", Role: results.RoleAA, Baseline: "c00"},
		{ID: "c02", Variant: "a/b/c", Role: results.RoleVariant, Baseline: "c00"},
	}
	qs := Scenario{}.Questions(cells)
	if len(qs) != 2 || qs[0].Metric != Lost || qs[0].Test != results.TestRates || qs[1].Metric != Latency || qs[1].A != "c02" || qs[1].B != "c00" {
		t.Errorf("%+v", qs)
	}
}

// TestLoadOf: what LoadOf leaves out would silently be nothing.
func TestLoadOf(t *testing.T) {
	inv := invocation(framework.Variant{}, Arrival, "poisson", Clients, "3", Rate, "7", Think, "11")
	inv.Block = 5
	got := LoadOf(inv)
	want := load.Load{
		Arrival: load.Poisson, Clients: 3, Rate: 7, Think: 11, Ramp: 50 * time.Millisecond, Hold: 300 * time.Millisecond,
		Timeout: 20 * time.Second, LateAfter: 10 * time.Second, KeepAlive: true, Seed: 5,
	}
	if got.Arrival != want.Arrival || got.Clients != want.Clients || got.Rate != want.Rate || got.Think != want.Think || got.Ramp != want.Ramp ||
		got.Hold != want.Hold || got.Timeout != want.Timeout || got.LateAfter != want.LateAfter || !got.KeepAlive || got.Seed != want.Seed {
		t.Errorf("%+v, want %+v", got, want)
	}
	var known []string
	for _, p := range (Scenario{}).Parameters() {
		known = append(known, p.Name)
	}
	for _, v := range inv.Cell.Parameters {
		if !slices.Contains(known, v.Name) {
			t.Errorf("no parameter is called %s", v.Name)
		}
	}
}
