package datajs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
	"moobench/results/importer"
)

func read(t *testing.T, reference string, texts ...string) (*importer.Nights, error) {
	t.Helper()
	dir := t.TempDir()
	r := importer.Request{Baseline: reference}
	for i, text := range texts {
		path := filepath.Join(dir, fmt.Sprintf("d%d.js", i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r.Files = append(r.Files, importer.File{Path: path})
	}
	return nights(t.Context(), r)
}

const small = `window.BENCHMARK_DATA = {
  "lastUpdate": 1700000000000,
  "entries": {"Java": [
    {"commit": {"id": "4f2a9c1d"}, "date": 1700000000000, "tool": "customSmallerIsBetter", "benches": [
      {"name": "none", "value": 10, "unit": "ns", "extra": "cpu=A"}, {"name": "x", "value": 12.5, "unit": "ns", "extra": "cpu=A"}]},
    {"commit": {"id": "5a"}, "date": 1700086400000, "tool": "customSmallerIsBetter", "benches": [
      {"name": "none", "value": 20, "unit": "ns", "extra": "forks: 1\nCPU model: B\nthreads: 1"}, {"name": "x", "value": "fast", "unit": "ns"}, {"name": "y", "value": 0, "unit": "ns"}]},
    7
  ]}
}`

func TestNights(t *testing.T) {
	n, err := read(t, "", small)
	if err != nil {
		t.Fatal(err)
	}
	metric := results.Metric{Name: "value", Unit: "ns", Better: results.Lower}
	first, second := time.Unix(1700000000, 0).UTC(), time.Unix(1700086400, 0).UTC()
	want := []importer.Night{
		{When: first, Commit: "4f2a9c1d", Suite: "Java", Cell: "none", Metric: metric, Value: 10, Reference: "1 ns", ReferenceValue: 1, Alone: true, CPU: "A"},
		{When: first, Commit: "4f2a9c1d", Suite: "Java", Cell: "x", Metric: metric, Value: 12.5, Reference: "1 ns", ReferenceValue: 1, Alone: true, CPU: "A"},
		{When: second, Commit: "5a", Suite: "Java", Cell: "none", Metric: metric, Value: 20, Reference: "1 ns", ReferenceValue: 1, Alone: true, CPU: "B"},
	}
	if diff := cmp.Diff(want, n.All); diff != "" {
		t.Errorf("nights (-want +got):\n%s", diff)
	}
	if len(n.LeftOut) != 3 {
		t.Errorf("left out %q", n.LeftOut)
	}
}

// A benchmark of the same commit is a reference.
func TestReference(t *testing.T) {
	n, err := read(t, "none", small)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.All) != 1 || n.All[0].Alone || n.All[0].Cell != "x" || math.Abs(n.All[0].Value/n.All[0].ReferenceValue-1.25) > 1e-12 {
		t.Errorf("%+v", n.All)
	}
	if _, err := read(t, "elsewhere", small); err == nil || !strings.Contains(err.Error(), "have no value of the reference") {
		t.Errorf("error %v", err)
	}
}

// A run that stands in two files counts once.
func TestAgain(t *testing.T) {
	n, err := read(t, "", small, small+"\n")
	if err != nil || len(n.All) != 3 {
		t.Errorf("%+v, %v", n, err)
	}
}

func TestBetter(t *testing.T) {
	for unit, want := range map[string]results.Better{"ns/op": results.Lower, "ops/s": results.Higher, "iter/sec": results.Higher, "ms": results.Lower, "MB/s": results.Higher} {
		if got := metricOf("jmh", unit).Better; got != want {
			t.Errorf("%s: %s", unit, got)
		}
	}
	if metricOf("customBiggerIsBetter", "points").Better != results.Higher {
		t.Error("customBiggerIsBetter")
	}
}

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"{}":                          "it does not begin with window.BENCHMARK_DATA",
		"window.BENCHMARK_DATA = {":   "it can't be read: unexpected EOF",
		"window.BENCHMARK_DATA = {}":  "there is no value in what was given",
		"window.BENCHMARK_DATA = 'x'": "it does not begin with window.BENCHMARK_DATA",
	} {
		if _, err := read(t, "", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := read(t, "", text); err == nil {
			for _, night := range n.All {
				if !(night.Value > 0) || night.When.IsZero() {
					t.Errorf("%+v", night)
				}
			}
		}
	})
}
