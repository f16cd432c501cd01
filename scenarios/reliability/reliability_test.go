package reliability

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/framework"
	"moobench/harness/load"
	"moobench/harness/plan"
	"moobench/results"
	"moobench/scenarios/serving"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		key, why string
		given    []string
	}{
		{"", "", nil},
		{"", "", []string{"arrival", "poisson", serving.Rate, "4000"}},
		{"", "", []string{server, "virtual", results.FactorJDK, "21"}},
		{"", "", []string{share, "100"}},
		{"", "", []string{toggle, "0"}},
		{serving.Rate, "means nothing with arrival = closed", []string{serving.Rate, "4000"}},
		{"think", "means nothing with arrival = constant", []string{"arrival", "constant", "think", "5"}},
		{share, "can't take more", []string{share, "110"}},
		{server, "virtual needs Java 21", []string{server, "virtual", results.FactorJDK, "17"}},
		{server, "jetty needs Java 17", []string{server, "jetty", results.FactorJDK, "8"}},
		{toggle, "over before the first toggle", []string{toggle, ns(time.Second)}},
		{"", "", []string{workers, "16384"}},
		{workers, "at most 16384", []string{workers, "16385"}},
		{"late_after", "lost by then", []string{"late_after", ns(time.Minute)}},
	} {
		cell := invocation(framework.Variant{}, c.given...).Cell
		cell.JDK = plan.JDK{Version: cell.Parameter(results.FactorJDK) + ".0.1", Major: int(cell.Int(results.FactorJDK))}
		key, why, hint := refused(t, &cell)
		if key != c.key || !strings.Contains(why, c.why) || (why == "") != (hint == "") || (why == "") != (c.key == "") {
			t.Errorf("%v: %s: %q (%s), want %s: %q", c.given, key, why, hint, c.key, c.why)
		}
	}
	removed := invocation(framework.Variant{Name: "probe/hotswap/removed"}).Cell
	removed.Launch.Deactivate = "+ {signature}"
	if key, why, _ := refused(t, &removed); key != "variants" || !strings.Contains(why, "is taken out before it is measured") {
		t.Errorf("removed: %s: %s", key, why)
	}
}

// refused is what is wrong with a cell, one thing at most.
func refused(t *testing.T, c *plan.Cell) (key, why, hint string) {
	t.Helper()
	all := Scenario{}.Check(c)
	if len(all) == 0 {
		return "", "", ""
	}
	if len(all) > 1 {
		t.Errorf("refused %+v", all)
	}
	return all[0].Key, all[0].Why, all[0].Hint
}

// TestCalibration: the share and what it scales do not make another capacity,
// all other factors do.
func TestCalibration(t *testing.T) {
	cell := func(arrival string, factors ...string) results.Cell {
		c := results.Cell{Scenario: "reliability", Parameters: []results.Value{{Name: "arrival", Value: arrival}, {Name: server, Value: "jdk"}}}
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
		{cell("closed", share, "90", serving.Clients, "400"), "the baseline of reliability arrival=closed server=jdk"},
		{cell("poisson", share, "90", serving.Rate, "400", serving.Clients, "300"), "the baseline of reliability arrival=poisson server=jdk clients=300"},
		{cell("closed", share, "90", "jdk", "17.0.15", "cpus", "2"), "the baseline of reliability arrival=closed server=jdk jdk=17.0.15 cpus=2"},
	} {
		if got := (Scenario{}).Work(&c.cell).Calibration; got != c.want {
			t.Errorf("%s: %q, want %q", c.cell.Level(), got, c.want)
		}
	}
}

// TestMetrics: every count of requests is a rate of a metric that is there, one
// metric is primary, and the seven outcomes are all there.
func TestMetrics(t *testing.T) {
	metrics, names := Scenario{}.Schema().Metrics, map[string]bool{}
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
			t.Errorf("%s is of %s, which is not a metric", m.Name, m.Of)
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
	if len(qs) != 2 || qs[0].Metric != serving.Lost || qs[0].Test != results.TestRates || qs[1].Metric != serving.Latency || qs[1].A != "c02" || qs[1].B != "c00" {
		t.Errorf("%+v", qs)
	}
}

// TestSettings: a parameter that is not read would silently be nothing.
func TestSettings(t *testing.T) {
	inv := invocation(framework.Variant{}, "arrival", "poisson", serving.Clients, "3", serving.Rate, "7", "think", "11", share, "70")
	got := settingsOf(&inv.Cell.Cell, 5)
	want := settings{server: "jdk", share: 70, toggle: 100 * time.Millisecond, Settings: serving.Settings{
		LagBound: 10 * time.Second, SearchStep: 200 * time.Millisecond, Load: load.Load{
			Arrival: load.Poisson, Clients: 3, Rate: 7, Think: 11, Ramp: 50 * time.Millisecond, Hold: 300 * time.Millisecond,
			Timeout: 20 * time.Second, LateAfter: 10 * time.Second, Seed: 5,
		},
	}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(settings{})); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	var known []string
	for _, p := range (Scenario{}).Schema().Parameters {
		known = append(known, p.Name)
	}
	for _, v := range inv.Cell.Parameters {
		if !slices.Contains(known, v.Name) {
			t.Errorf("no parameter is called %s", v.Name)
		}
	}
}

// TestSearchTakesItsTime: where a share is asked for, there may be a search.
func TestSearchTakesItsTime(t *testing.T) {
	for given, want := range map[string]float64{"0": 350e6, "70": 350e6 + 600e9} {
		inv := invocation(framework.Variant{}, share, given)
		if got := (Scenario{}).Work(&inv.Cell.Cell); got.MayTakeNS != want || got.TakesNS != 350e6 {
			t.Errorf("share %s: %+v, want at most %v ns", given, got, want)
		}
	}
}
