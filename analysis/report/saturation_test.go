package report_test

import (
	"bytes"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/report"
)

func TestSaturation(t *testing.T) {
	a, err := analysis.Analyse(testcampaign.Saturated(10))
	if err != nil {
		t.Fatal(err)
	}
	for format, wants := range map[string][]string{
		"text": {
			"sustains", "then", "loses/bci/x", "above it, records are lost", "calls take too long for the rate, and no record is lost",
			"above 100,000", "below 1,000", "its records were not counted while it ran",
		},
		"html": {
			"<h3>Saturation", "Records delivered", "A call takes longer than without, by", "A call is over after it was due, by",
			"CPU time of a call is more than without, by", "calls per second, as they were really made (log)",
			"loses/bci/x, 100,000 calls per second: 20.0 %", `class="band t0"`, "rate by rate",
		},
		"markdown": {"above it, records are lost"},
		"json":     {`"saturations": [`, `"cpu_more_ns"`},
	} {
		var b bytes.Buffer
		if err := report.Write(&b, format, a, report.Options{Width: 120}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
				t.Errorf("%s: no %q in\n%.3000s", format, want, b.String())
			}
		}
	}
}

// TestSaturationInFull: a row for each rate.
func TestSaturationInFull(t *testing.T) {
	a, err := analysis.Analyse(testcampaign.Saturated(6))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.Write(&b, "text", a, report.Options{Width: 200, All: true}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"loses/bci/x 1,000 1,000 100 %", "32,000 32,000 6", "slows/bci/x", "100,000 29,"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
