package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moobench/results"
)

// What the last moobench of format 1 wrote, and printed of it, is in testdata/format1: two
// campaigns of a program without a JVM (kept, later; one invocation of kept is invalid), one
// of a JVM with samples (campaign), and a history with every kind of record. FORMAT.md has
// the table of the renamed keys of the files; these are those of what is printed.
var (
	printed1 = results.Renames{
		"version":              {To: "format"},
		"campaign.sittings":    {To: "sessions"},
		"campaign.extra_void":  {To: "extra_invalid"},
		"hosts.changed.what":   {To: "name"},
		"invocations.sitting":  {To: "session"},
		"invocations.void":     {To: "invalid"},
		"invocations.env_pad":  {To: "env_pad_bytes"},
		"gate.cells.marks":     {To: "cell_caveats"},
		"gate.verdict":         {Values: judgements1},
		"gate.cells.verdict":   {Values: judgements1},
		"scenarios.cells.void": {To: "invalid"},

		"loops.absent":           {Values: noLoops1},
		"scenarios.loops.absent": {Values: noLoops1},

		"invocations.disturbed":                   {To: "disturbance"},
		"invocations.disturbed.because":           {To: "reason"},
		"invocations.disturbed.others_ns":         {To: "other_processes_ns"},
		"scenarios.answers.caveats.kind":          {Values: map[string]string{"hopeless": "alpha unattainable"}},
		"scenarios.answers.caveats.of":            {To: "total"},
		"scenarios.answers.asked":                 {To: "configured"},
		"scenarios.answers.equivalence.free":      {To: "equivalent"},
		"scenarios.answers.verdict":               {Values: verdicts1},
		"scenarios.cells.marks":                   {To: "caveats"},
		"scenarios.cells.marks.kind":              {Values: map[string]string{"void invocations": "invalid invocations"}},
		"scenarios.cells.records.by_loop_end":     {To: "received_by_loop_end"},
		"scenarios.cells.records.least_share":     {To: "min_share"},
		"scenarios.cells.void_invocations":        {To: "invalid_invocations"},
		"scenarios.metrics.rows.changes.raw":      {To: "without_reference"},
		"scenarios.metrics.rows.changes.verdict":  {Values: judgements1},
		"scenarios.metrics.rows.sides.marks":      {To: "caveats"},
		"scenarios.metrics.rows.sides.marks.kind": {Values: map[string]string{"void invocations": "invalid invocations"}},

		"scenarios.metrics.rows.changes.equivalence.free": {To: "equivalent"},

		"series.floor":                           {To: "noise_floor"},
		"series.lag1":                            {To: "lag1_autocorrelation"},
		"series.nights.log":                      {To: "log_ratio"},
		"series.nights.raw":                      {To: "mean"},
		"series.nights.marks":                    {To: "caveats", Values: map[string]string{"void": "invalid"}},
		"series.changes.log":                     {To: "log_ratio"},
		"series.changes.worse":                   {To: "regression"},
		"series.nights.reference_raw":            {To: "reference_mean"},
		"series.changes.confirmation.log":        {To: "log_ratio"},
		"series.changes.confirmation.alarm":      {To: "alarm_log_ratio"},
		"series.changes.confirmation.because":    {To: "reason"},
		"series.changes.confirmation.distrusted": {To: "aa_failed"},
		"series.changes.confirmation.verdict":    {Values: map[string]string{"open": "undecided"}},
	}
	verdicts1   = map[string]string{"more": "higher", "less": "lower", "free": "equivalent", "small": "negligible", "no": "excluded"}
	judgements1 = map[string]string{
		"worse": "regression", "better": "improvement", "same": "equivalent", "differs tonight": "unconfirmed difference",
	}
	noLoops1 = map[string]string{
		"no invocation says how long its loop and the whole of it took": "no invocation recorded how long its loop took, and how long the whole JVM",
	}
	exposed1 = strings.NewReplacer(
		"1 CPU: the agent's background threads are part of the cost", "the JVM has 1 CPU, so the agent's own threads compete with it",
		"moobench_cell_mark", "moobench_cell_caveat", "moobench_cell_void", "moobench_cell_invalid", "moobench_gate_worse_", "moobench_gate_regression_",
		`,marks="`, `,caveats="`, "void invocations", "invalid invocations",
		"the samples that means are taken over, and what is true of all numbers",
		"the samples behind the means, and what holds for all numbers")
)

// format1 unpacks what a moobench of format 1 left into a new folder, and works there.
func format1(t *testing.T) {
	t.Helper()
	fakeHome(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("MOOBENCH_LOCK", filepath.Join(t.TempDir(), "lock"))
	unpack(t, filepath.Join("testdata", "format1", "kept.tar.gz"))
}

// unpack unpacks an archive into a new folder, and works there.
func unpack(t *testing.T, archive string) {
	t.Helper()
	dir := t.TempDir()
	extract(t, archive, dir)
	t.Chdir(dir)
}

// extract unpacks an archive into a folder.
func extract(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Join(dir, h.Name); h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(name, 0o777)
		} else {
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(name, data, 0o666)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// said returns what a moobench prints, and its exit status.
func said(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out, err bytes.Buffer
	status := Main(context.Background(), args, &out, &err)
	t.Logf("%v: %s", args, err.String())
	return out.String(), status
}

func golden1(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("golden", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Of files of format 1 the same is said as the moobench that wrote them said.
func TestFormat1SaysTheSame(t *testing.T) {
	format1(t)
	if out, status := said(t, "verify", "campaign", "kept", "later"); status != 0 || strings.Count(out, "whole: as it was sealed") != 3 {
		t.Errorf("verify: exit status %d\n%s", status, out)
	}
	for golden, args := range map[string]string{
		"campaign.json": "report campaign", "kept.json": "report kept",
		"compare.json": "compare kept later", "check.json": "history check --history history.jsonl",
	} {
		out, _ := said(t, append(strings.Fields(args), "--format", "json")...)
		was, err := printed1.Upgrade([]byte(golden1(t, golden)))
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]any
		if err := errors.Join(json.Unmarshal(was, &want), json.Unmarshal([]byte(out), &got)); err != nil {
			t.Fatal(err)
		}
		if want["format"] != nil {
			want["format"] = float64(results.Format)
		}
		for _, m := range asList(want["machines"]) {
			if m, ok := m.(map[string]any); ok {
				m["format"] = float64(results.Format)
			}
		}
		worded(want)
		worded(got)
		costs(t, want, got)
		addedLater(want, got)
		if diff := cmp.Diff(want, got, lastDigit); diff != "" {
			t.Errorf("%s (-want +got)\n%s", golden, diff)
		}
	}
	for _, name := range []string{"campaign", "kept"} {
		out, _ := said(t, "report", name, "--format", "junit")
		if want, got := outcomes(t, golden1(t, name+".junit")), outcomes(t, out); !slices.Equal(want, got) || len(want) == 0 {
			t.Errorf("JUnit of %s: %q, want %q", name, got, want)
		}
	}
	out, _ := said(t, "report", "kept", "--format", "openmetrics")
	// Labels of values are the same every night: caveats have a family of their own, and of the gate stand at its verdict.
	want := regexp.MustCompile(`(?m)^moobench_\w+\{.*,caveats="[^"]*"`).ReplaceAllStringFunc(strings.ReplaceAll(exposed1.Replace(golden1(t, "kept.openmetrics")), "void 1 of", "invalid 1 of"), func(line string) string {
		before, label, _ := strings.Cut(line, `,caveats="`)
		if !strings.HasPrefix(line, "moobench_gate_verdict{") {
			return before
		}
		kinds := strings.Split(strings.TrimSuffix(label, `"`), "; ")
		slices.Sort(kinds)
		return before + `,caveats="` + strings.Join(kinds, "; ") + `"`
	})
	want = regexp.MustCompile(`(?m)^(moobench_\w+_mean_low_(?:seconds|bytes)\{.*\}) -.*$`).ReplaceAllString(want, "$1 0") // as of addedLater
	if diff := cmp.Diff(exposed(want), exposed(out), lastDigit); diff != "" {
		t.Errorf("OpenMetrics (-want +got)\n%s", diff)
	}
}

// lastDigit allows for the last digits of a number: processors differ in them, and so do two ways to one quantile.
var lastDigit = cmpopts.EquateApprox(1e-9, 1e-15)

// exposedLine is a line of OpenMetrics: a sample's name with its labels, and its value; of other lines the text alone.
type exposedLine struct {
	Text  string
	Value float64
}

// exposed returns the lines of a page of OpenMetrics in their order.
func exposed(page string) []exposedLine {
	var lines []exposedLine
	for line := range strings.SplitSeq(page, "\n") {
		end := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(line[end+1:], 64)
		if err != nil || strings.HasPrefix(line, "#") {
			lines = append(lines, exposedLine{Text: line})
			continue
		}
		lines = append(lines, exposedLine{line[:end], value})
	}
	return lines
}

// worded takes out what is said in words, which is today's: of a caveat its kind stays. That
// there is no steady state is said today where the number hangs on it, which drift tells. Format 1
// knew no p90.
func worded(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			worded(x)
		}
	case map[string]any:
		_, caveat := v["show"]
		delete(v, "drift")
		if list := asList(v["caveats"]); len(list) > 0 {
			v["caveats"] = slices.DeleteFunc(list, func(c any) bool {
				m, _ := c.(map[string]any)
				return m != nil && m["kind"] == "no steady state"
			})
		}
		if list := asList(v["quantiles"]); len(list) > 0 {
			v["quantiles"] = slices.DeleteFunc(list, func(q any) bool {
				m, _ := q.(map[string]any)
				return m != nil && m["name"] == "p90"
			})
		}
		for key, x := range v {
			if key == "no_interval" {
				v[key] = ""
				continue
			}
			if key == "sentence" || key == "text" || key == "notes" || key == "cell_caveats" || caveat && key != "kind" {
				delete(v, key)
			} else {
				worded(x)
			}
		}
	}
}

// laterKeys are what answers have since, beside what they had.
var laterKeys = []string{"verdict", "equivalence", "quantile", "alternative", "blocks_needed", "in_pairs"}

// addedLater takes out keys that were added since, and has the intervals of mean times and sizes
// end at 0, below which these can't be.
func addedLater(want, got any) {
	switch got := got.(type) {
	case []any:
		for i, was := range asList(want) {
			if i < len(got) {
				addedLater(was, got[i])
			}
		}
	case map[string]any:
		was, _ := want.(map[string]any)
		for _, key := range laterKeys {
			if _, known := was[key]; !known && was != nil {
				delete(got, key)
			}
		}
		for key, v := range got {
			if key == "mean" {
				endAtZero(was[key], v)
			}
			if record, _ := was[key].(map[string]any); key == "per_record" { // a ratio of totals is not a mean that a test compares with 0
				delete(record, "test")
			}
			addedLater(was[key], v)
		}
	}
}

// endAtZero has the interval of a mean begin at 0 where today's does.
func endAtZero(want, got any) {
	was, _ := want.(map[string]any)
	is, _ := got.(map[string]any)
	before, _ := was["interval"].(map[string]any)
	now, _ := is["interval"].(map[string]any)
	if low, _ := before["low"].(float64); low < 0 && now["low"] == 0.0 {
		before["low"] = 0.0
	}
}

// costs takes out the changes of a comparison that were ratios of ratios to a baseline, and
// are differences of costs now; these must follow from the two sides, which stay.
func costs(t *testing.T, want, got any) {
	t.Helper()
	switch got := got.(type) {
	case []any:
		for i, was := range asList(want) {
			if i < len(got) {
				costs(t, was, got[i])
			}
		}
	case map[string]any:
		was, _ := want.(map[string]any)
		if was == nil {
			return
		}
		for key, v := range got {
			costs(t, was[key], v)
		}
		sides := asList(got["sides"])
		changes := asList(was["changes"])
		for i, change := range asList(got["changes"]) {
			before, now := changes[i].(map[string]any), change.(map[string]any)
			if before["relative"] != true || now["relative"] == true {
				continue
			}
			value := func(side int, key string) float64 {
				return sides[side].(map[string]any)["difference"].(map[string]any)[key].(float64)
			}
			estimate := now["estimate"].(map[string]any)
			for _, x := range [][2]float64{
				{estimate["value"].(float64), value(i+1, "value") - value(0, "value")},
				{estimate["se"].(float64), math.Hypot(value(i+1, "se"), value(0, "se"))},
			} {
				if !(math.Abs(x[0]-x[1]) <= 1e-9*math.Abs(x[1])) {
					t.Errorf("%v: a change of %v, want %v of its sides", got["cell"], x[0], x[1])
				}
			}
			delete(got, "changes")
			delete(was, "changes")
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// outcomes returns the test cases of a JUnit report with their outcomes.
func outcomes(t *testing.T, text string) []string {
	t.Helper()
	var suites struct {
		Cases []struct {
			Name    string `xml:"name,attr"`
			Time    string `xml:"time,attr"`
			Failure *struct {
				Type string `xml:"type,attr"`
			} `xml:"failure"`
			Error *struct {
				Type string `xml:"type,attr"`
			} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal([]byte(text), &suites); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, c := range suites.Cases {
		switch {
		case c.Failure != nil:
			c.Name += ": failure, " + judgements1[c.Failure.Type]
		case c.Error != nil:
			c.Name += ": error, " + c.Error.Type
		case c.Skipped != nil:
			c.Name += ": skipped"
		}
		all = append(all, c.Name+" "+c.Time)
	}
	slices.Sort(all)
	return all
}

var figures1 = regexp.MustCompile(`[0-9][0-9,]*(\.[0-9]+)?`)

// The text has all figures that it had, whatever its words are now. That of a comparison
// has others: it sets costs beside each other, where it compared ratios to a baseline.
func TestFormat1HasTheSameFigures(t *testing.T) {
	format1(t)
	for golden, args := range map[string][]string{
		"campaign.text": {"report", "campaign", "--all"}, "kept.text": {"report", "kept", "--all"},
		"check.text": {"history", "check", "--history", "history.jsonl"},
	} {
		out, _ := said(t, args...)
		seen := map[string]bool{}
		for _, n := range figures1.FindAllString(out, -1) {
			seen[n] = true
		}
		references := regexp.MustCompile(`![0-9,]+`)
		for _, n := range figures1.FindAllString(references.ReplaceAllString(golden1(t, golden), ""), -1) {
			if !seen[n] {
				t.Errorf("%s: %s is gone", golden, n)
			}
		}
	}
}

// A campaign of format 1 that was interrupted goes on: what was measured stays as it is,
// byte for byte, and what is measured now is of the format of today.
func TestFormat1GoesOn(t *testing.T) {
	format1(t)
	interrupted, err := os.ReadFile("kept/campaign.json")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	interrupted = bytes.ReplaceAll(interrupted, []byte("/tmp/f1"), []byte(here))
	// It goes on where it began: on a machine like this one.
	var doctor struct{ Machine string }
	if out, _ := said(t, "doctor", "--format", "json"); json.Unmarshal([]byte(out), &doctor) != nil || doctor.Machine == "" {
		t.Fatalf("no machine in %s", out)
	}
	interrupted = bytes.ReplaceAll(interrupted, []byte("ca7299c3ba37"), []byte(doctor.Machine))
	if err := errors.Join(os.WriteFile("kept/campaign.json", interrupted, 0o666), os.Remove("kept/SEALED"),
		os.RemoveAll("kept/invocations/b0007.s01.r0")); err != nil {
		t.Fatal(err)
	}
	before := files(t, "kept/invocations")
	if out, status := said(t, "run", "--quiet", "--resume", "kept"); status != exitIncomplete && status != 0 {
		t.Fatalf("resume: exit status %d\n%s", status, out)
	}
	after := files(t, "kept/invocations")
	for name, data := range before {
		if after[name] != data {
			t.Errorf("%s was changed", name)
		}
	}
	formats := map[bool]int{}
	for name, data := range after {
		if filepath.Base(name) == "invocation.json" {
			formats[strings.Contains(data, `"format": 2`)]++
			if strings.Contains(data, `"format": 2`) && (strings.Contains(data, `"sitting"`) || !strings.Contains(data, `"session"`)) {
				t.Errorf("%s is of both formats", name)
			}
		}
	}
	if formats[false] != 25 || formats[true] == 0 {
		t.Errorf("%d invocations of format 1, %d of format 2", formats[false], formats[true])
	}
	if out, status := said(t, "verify", "kept", "later"); status != 0 {
		t.Errorf("verify: exit status %d\n%s", status, out)
	}
	if out, status := said(t, "compare", "later", "kept", "--anyway"); status != 0 && status != exitIncomplete || !strings.Contains(out, "dear/bci/default") {
		t.Errorf("compare: exit status %d\n%s", status, out)
	}
	if out, status := said(t, "history", "add", "kept", "later", "--history", "nights.jsonl"); status != 0 {
		t.Errorf("history add: exit status %d\n%s", status, out)
	}
}

// files returns the content of all files below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// A history of format 1 that is added to keeps its lines; a night that is there in format 1
// is not added again; and a check reads the nights of both formats.
func TestFormat1HistoryGoesOn(t *testing.T) {
	format1(t)
	old, err := os.ReadFile("history.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if out, status := said(t, "history", "add", "later", "--history", "history.jsonl", "--commit", "0123456"); status != 0 {
		t.Fatalf("history add: exit status %d\n%s", status, out)
	}
	if out, status := said(t, "history", "accept", "--history", "history.jsonl", "other/bci/default", "--why", "it checks more"); status != 0 {
		t.Fatalf("history accept: exit status %d\n%s", status, out)
	}
	now, err := os.ReadFile("history.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	added, kept := strings.CutPrefix(string(now), string(old))
	if !kept || !strings.Contains(added, `{"format":2,"kind":"night"`) || !strings.Contains(added, `"reason":"it checks more"`) {
		t.Errorf("added\n%s", added)
	}
	out, status := said(t, "history", "check", "--history", "history.jsonl")
	if status != 0 || !strings.Contains(out, "2 accepted") {
		t.Errorf("history check: exit status %d\n%s", status, out)
	}
	// The same in format 2 is the same, and in format 3 is not for us.
	lines := slices.Collect(strings.Lines(string(old)))
	if err := os.WriteFile("newer.jsonl", []byte(strings.Join(lines, "")+strings.Replace(added, `"format":2`, `"format":3`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	var complaint bytes.Buffer
	if status := Main(context.Background(), []string{"history", "check", "--history", "newer.jsonl"}, io.Discard, &complaint); status != exitError ||
		!strings.Contains(complaint.String(), "newer.jsonl:65: a record of format 3, and this moobench reads up to 2: use a newer moobench") {
		t.Errorf("exit status %d\n%s", status, complaint.String())
	}
}

// Every renamed key of the files is in the table of FORMAT.md.
func TestFormat1IsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../results/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Format 1\n")
	for _, path := range slices.Sorted(maps.Keys(printed1)) {
		r := printed1[path]
		old := path[strings.LastIndexByte(path, '.')+1:]
		if r.To != "" && !strings.Contains(table, "`"+old+"` | `"+r.To+"` |") {
			t.Errorf("%s: there is no row for %s and %s", path, old, r.To)
		}
		for old, now := range r.Values {
			if !strings.Contains(table, "`"+old+"` | `"+now+"` |") {
				t.Errorf("%s: there is no row for the values %s and %s", path, old, now)
			}
		}
	}
}
