package session

import (
	"strings"
	"testing"
	"time"

	"moobench/results"
)

func TestSizingText(t *testing.T) {
	hours := int64(time.Hour)
	for _, c := range []struct {
		sizing results.Sizing
		want   string
	}{
		{results.Sizing{Precision: 0.015, Pilot: 10}, "10 blocks pilot, then as many as ± 1.5 % needs, at most ten times the pilot's time"},
		{
			results.Sizing{Precision: 0.015, Pilot: 10, MaxBlocks: 40, MaxTimeNS: 2 * hours, Strict: true},
			"10 blocks pilot, then as many as ± 1.5 % needs, at most 40 blocks, or 2 h 00 min; strict: no variant is set aside",
		},
		{results.Sizing{MaxTimeNS: 2 * hours}, "30 blocks, or fewer if more would not fit into 2 h 00 min"},
		{results.Sizing{Precision: 0.015, Decision: &results.Decision{Reason: "so it is"}}, "so it is"},
	} {
		if got := sizingText(&c.sizing, 30); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestGateOfOneMetric: what is shared by several rows is said only where there are several.
func TestGateOfOneMetric(t *testing.T) {
	several := previewed["gated"]
	one := several
	for _, line := range []string{"also     = { cpu_ns = \"5%\" }\n", "alarms   = { startup_ns = \"10%\" }\n"} {
		one = strings.Replace(one, line, "", 1)
	}
	for text, want := range map[string]bool{several: true, one: false} {
		s, out, _ := planned(t, text, Options{Dry: true})
		if err := s.Preview(); err != nil {
			t.Fatal(err)
		}
		got := strings.Contains(out.String(), "rows together")
		if got != want || !strings.Contains(out.String(), "\ngate\n") {
			t.Errorf("several rows: %t, want %t\n%s", got, want, out)
		}
	}
}
