// Package datajs reads data.js of github-action-benchmark, which has one value per benchmark and commit.
// Without replicates it makes nights of a history, not a campaign.
package datajs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

// tool is the source of the nights.
const tool = "github-action-benchmark"

// assigned is the start of the file, which is a script for a page.
const assigned = "window.BENCHMARK_DATA"

// sizeMost is the largest length of a file in bytes: it is held in memory.
const sizeMost = 256 << 20

// Format reads data.js.
func Format() importer.Format {
	return importer.Format{
		Name: "data.js", Paths: []string{"*.js"}, Nights: nights,
		About: `data.js of github-action-benchmark: a value of each benchmark for
each commit, in a series for each CPU that "extra" names (cpu=…)`,
		Header: func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), assigned) },
	}
}

// run is the measurement of a commit.
type run struct {
	Commit struct {
		ID string `json:"id"`
	} `json:"commit"`
	Date    float64           `json:"date"` // ms since 1970
	Tool    string            `json:"tool"`
	Benches []json.RawMessage `json:"benches"`
}

// bench is a value of a benchmark.
type bench struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Extra string  `json:"extra"`
}

// reader collects the nights of all files.
type reader struct {
	nights    []importer.Night
	seen      map[string]bool // runs
	left      importer.LeftOut
	mistakes  *refusal.Mistakes
	reference string // name of a benchmark; "": none
}

// nights reads files. The reference is the benchmark r.Baseline of the same run or, without one, 1 unit.
func nights(ctx context.Context, r importer.Request) (*importer.Nights, error) {
	in := &reader{seen: map[string]bool{}, mistakes: &refusal.Mistakes{}, reference: r.Baseline}
	bound := importer.Bound{Bytes: sizeMost, Tool: tool, Foreign: true}
	err := r.ReadFiles(ctx, bound, in.mistakes, func(f importer.File, text io.Reader) error {
		data, err := io.ReadAll(text)
		if err == nil {
			in.read(f.Path, data)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case len(in.nights) == 0:
		why := append([]string{"there is no value in what was given"}, in.left.Texts()...)
		return nil, refusal.Mistake("%s", strings.Join(why, "; "))
	}
	return &importer.Nights{Source: tool, All: in.nights, LeftOut: in.left.Texts()}, nil
}

// read adds the nights of a file.
func (in *reader) read(name string, data []byte) {
	start := bytes.IndexByte(data, '{')
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte(assigned)) || start < 0 {
		in.mistakes.At(name, 1, "it does not begin with %s: is this data.js of %s?", assigned, tool)
		return
	}
	var file struct {
		Entries map[string][]json.RawMessage `json:"entries"`
	}
	if err := json.NewDecoder(bytes.NewReader(data[start:])).Decode(&file); err != nil {
		in.mistakes.At(name, 0, "it can't be read: %v", err)
		return
	}
	for _, suite := range slices.Sorted(maps.Keys(file.Entries)) {
		for _, element := range file.Entries[suite] {
			in.run(name, suite, element)
		}
	}
}

// run adds the values of a commit; an implausible value is left out alone.
func (in *reader) run(file, suite string, element []byte) {
	var one run
	if err := json.Unmarshal(element, &one); err != nil {
		in.left.Add("run can't be read", "runs can't be read", file, 0, err.Error())
		return
	}
	if !(one.Date > 0 && one.Date < math.MaxInt32*64e3) {
		in.left.Add("run has no date in ms since 1970", "runs have no date in ms since 1970", file, 0, one.Commit.ID)
		return
	}
	at := time.UnixMilli(int64(one.Date)).UTC()
	key := fmt.Sprintf("%q %d %q", suite, at.UnixMilli(), one.Commit.ID)
	if in.seen[key] {
		in.left.Add("run is there already", "runs are there already", file, 0, one.Commit.ID)
		return
	}
	in.seen[key] = true
	values := in.values(file, one.Benches)
	var base *bench
	for i := range values {
		if in.reference != "" && values[i].Name == in.reference {
			base = &values[i]
		}
	}
	if in.reference != "" && base == nil {
		in.left.Add("run has no value of the reference", "runs have no value of the reference", file, 0, in.reference)
		return
	}
	for _, b := range values {
		if base != nil && b.Name == base.Name {
			continue
		}
		n := importer.Night{
			When: at, Commit: clean(one.Commit.ID), Suite: suite, Cell: b.Name,
			Metric: metricOf(one.Tool, b.Unit), Value: b.Value,
			Reference: "1 " + cmp.Or(b.Unit, "unit"), ReferenceValue: 1, Alone: base == nil, CPU: cpuOf(b.Extra),
		}
		if base != nil {
			n.Reference, n.ReferenceValue = base.Name, base.Value
		}
		in.nights = append(in.nights, n)
	}
}

// values returns the benchmarks of a run with values above 0, since others have no logarithm. Of several with
// one name the first counts.
func (in *reader) values(file string, benches []json.RawMessage) []bench {
	var all []bench
	for _, text := range benches {
		var b bench
		switch err := json.Unmarshal(text, &b); {
		case err != nil:
			in.left.Add("value can't be read", "values can't be read", file, 0, fmt.Sprintf("%.60s", text))
		case b.Name == "" || !(b.Value > 0) || math.IsInf(b.Value, 0):
			in.left.Add("value is not above 0", "values are not above 0",
				file, 0, fmt.Sprintf("%.40s %v", b.Name, b.Value))
		case slices.ContainsFunc(all, func(o bench) bool { return o.Name == b.Name }):
			in.left.Add(
				"value has the name of another one in its run", "values have the name of another one in their run",
				file, 0, b.Name,
			)
		default:
			all = append(all, b)
		}
	}
	return all
}

// cpu matches the CPU model in the extra text of a benchmark.
var cpu = regexp.MustCompile(`(?i)\bcpu(?:[ _-]?(?:model|name))?\s*[=:]\s*([^\n\r,;]+)`)

// cpuOf returns the CPU model in the text, or "".
func cpuOf(extra string) string {
	if m := cpu.FindStringSubmatch(extra); m != nil {
		return strings.TrimSpace(m[1])
	}
	return ""
}

// metricOf returns the metric of a tool's values in a unit: higher is better for rates.
func metricOf(tool, unit string) results.Metric {
	m := results.Metric{Name: "value", Unit: unit, Better: results.Lower}
	switch low := strings.ToLower(unit); {
	case tool == "customBiggerIsBetter",
		strings.HasPrefix(low, "ops/"), strings.HasPrefix(low, "iter/"),
		strings.HasSuffix(low, "/s"), strings.HasSuffix(low, "/sec"):
		m.Better = results.Higher
	}
	return m
}

// clean returns a printable commit, or "".
func clean(commit string) string {
	if len(commit) > 200 || strings.ContainsFunc(commit, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return ""
	}
	return commit
}
