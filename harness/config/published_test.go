package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
