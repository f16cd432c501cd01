package config

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/results"
)

func TestPublished(t *testing.T) {
	f, err := Parse("b.toml", []byte(`name = "replica"
[[published]]
variant = "kieker/manual"
source  = "Flaig 2014, Figure 5.11"
note    = "JDK 7"
ci95    = "1.28us"
mean    = "38984.74us"
n       = 500
sd      = "1.2 ms"
[[published]]
variant = "none"
source  = "the same"
median  = "0.1ns"
max     = "2 min"
[[scenario]]
use = "overhead"
variants = ["none", "kieker"]
`), known())
	if err != nil {
		t.Fatal(err)
	}
	want := []results.Published{
		{
			Scenario: "overhead", Variant: "kieker/manual", Source: "Flaig 2014, Figure 5.11", Note: "JDK 7",
			Values: []results.PublishedValue{{Name: "mean", Value: 38984740, Unit: "ns"}, {Name: "sd", Value: 1.2e6, Unit: "ns"}, {Name: "ci95", Value: 1280, Unit: "ns"}, {Name: "n", Value: 500, Unit: "1"}},
		},
		{
			Scenario: "overhead", Variant: "none", Source: "the same",
			Values: []results.PublishedValue{{Name: "median", Value: 0.1, Unit: "ns"}, {Name: "max", Value: 120e9, Unit: "ns"}},
		},
	}
	if diff := cmp.Diff(want, f.Published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

func TestParseExactTime(t *testing.T) {
	for text, want := range map[string]float64{
		"38984.74us": 38984740, "129.31 µs": 129310, " 0.1ns": 0.1, "0 ms": 0, "1.5s": 1.5e9, "2 h": 7200e9, "+3us": 3000,
		"10": -1, "": -1, "us": -1, "1h30m": -1, "1/2us": -1, "1e3us": -1, "0x10us": -1, "1_000us": -1, "-1us": -1, "Inf us": -1,
		"99999999999999999999999999999999us": -1,
	} {
		got, err := parseExactTime(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("parseExactTime(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestExactTimeIsFinite reads whatever may stand there.
func TestExactTimeIsFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+]?[0-9.eE/_xpP]{0,40} ?(ns|us|µs|ms|s|min|h|)`).Draw(t, "text")
		if ns, err := parseExactTime(text); err == nil && !(ns >= 0 && !math.IsInf(ns, 0)) {
			t.Fatalf("%q is %v ns", text, ns)
		}
	})
}
