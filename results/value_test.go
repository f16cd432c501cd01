package results

import "testing"

func TestValues(t *testing.T) {
	for text, want := range map[string]struct {
		n        int64
		isInt    bool
		x        float64
		isNumber bool
	}{
		"12":        {12, true, 12, true},
		"-3":        {-3, true, -3, true},
		"2_000_000": {2_000_000, true, 2e6, true},
		"1.5":       {0, false, 1.5, true},
		"lazy":      {},
		"":          {},
		"NaN":       {},
		"inf":       {},
		"1e999":     {},
	} {
		v := Value{Value: text}
		if n, ok := v.Int(); ok != want.isInt || ok && n != want.n {
			t.Errorf("%q as an integer: %d, %t", text, n, ok)
		}
		if x, ok := v.Number(); ok != want.isNumber || ok && x != want.x {
			t.Errorf("%q as a number: %v, %t", text, x, ok)
		}
	}
	c := Cell{Parameters: []Value{{Name: "depth", Value: "10"}, {Name: "wait", Value: "cpu"}}}
	if c.Int("depth") != 10 || c.Int("wait") != 0 || c.Int("threads") != 0 {
		t.Errorf("%d, %d, %d", c.Int("depth"), c.Int("wait"), c.Int("threads"))
	}
}

func TestOnly(t *testing.T) {
	for _, pattern := range []string{"b*", `a "quoted" one`, "é\n"} {
		c := Campaign{Plan: []string{"seed 7", OnlyLine(pattern), "jvm: home \"\", args []"}}
		if got := c.Only(); got != pattern {
			t.Errorf("%q, want %q", got, pattern)
		}
	}
	for _, line := range []string{"", "jvm: home", "only", "only b", `only "b`} {
		if got := (&Campaign{Plan: []string{"seed 7", line}}).Only(); got != "" {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestSample(t *testing.T) {
	for _, c := range []struct {
		m    Metric
		want Sample
	}{
		{Metric{Name: "gc_count"}, SampleNone},
		{Metric{Name: "recovery", Once: true}, SampleNone},
		{Metric{Name: "duration", Series: "duration"}, SampleCall},
		{Metric{Name: "turnaround", Series: SeriesTurnaround, Once: true}, SampleChange},
		{Metric{Name: "latency", Series: SeriesRequest}, SampleRequest},
	} {
		if got := c.m.Sample(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
}
