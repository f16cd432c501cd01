package nightly

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
)

var firstNight = time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC)

// seriesKey is the key of a cell's series.
func seriesKey(cell string) history.Key {
	return history.Key{
		Campaign: "nightly", Scenario: "s", Cell: cell, Metric: "m", Reference: "none", Machine: "m1", Runtime: "17",
	}
}

// nightsOf are 30 nights of a cell's series; the last ones are dearer by a share.
func nightsOf(cell string, dearer int, by float64) (records []history.Record) {
	for i := range 30 {
		log := 0.1 + 0.002*float64(i%3)
		if i >= 30-dearer {
			log += by
		}
		records = append(records, history.Record{Kind: history.KindNight, Night: &history.Night{
			Key: seriesKey(cell), ID: fmt.Sprintf("n%02d", i), When: firstNight.AddDate(0, 0, i),
			Commit: fmt.Sprintf("c%02d", i), Folder: fmt.Sprintf("n%02d", i), Plan: "p", Tool: "1.0.0",
			Unit: "ns", Better: results.Lower, Log: log, SE: 0.005, DF: 14, N: 15, Raw: 1000, ReferenceRaw: 900,
		}})
	}
	return records
}

// written is a file with these records.
func written(t *testing.T, records ...history.Record) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "history.jsonl")
	if n, err := history.Append(file, records...); err != nil || n != len(records) {
		t.Fatal(n, err)
	}
	return file
}

// measuredAgain is what the last night of a cell against one before came to.
func measuredAgain(cell string, v infer.Settlement) history.Record {
	return history.Record{Kind: history.KindConfirmation, Confirmation: &history.Confirmation{
		Key: seriesKey(cell), Night: "n29", Against: "n24", When: firstNight.AddDate(0, 0, 29).Add(time.Hour),
		Folder: "f", Log: 0.03, Low: -0.01, High: 0.07, Alpha: 0.01, N: 15, Verdict: v,
	}}
}

// TestAlarms: what should be measured again are the changes for the worse that nobody measured yet; with a number of
// blocks, those too that were left open; and whatever is named.
func TestAlarms(t *testing.T) {
	file := written(t, slices.Concat(
		nightsOf("fresh", 1, 0.1), nightsOf("open", 1, 0.1), nightsOf("refuted", 1, 0.1), nightsOf("better", 1, -0.1),
		nightsOf("still", 0, 0),
		[]history.Record{measuredAgain("open", infer.Open), measuredAgain("refuted", infer.Refuted)},
	)...)
	for name, c := range map[string]struct {
		o    Options
		want string // cells
		fail string
	}{
		"as usual":             {Options{}, "fresh", ""},
		"with more blocks":     {Options{Blocks: 20}, "fresh open", ""},
		"one series":           {Options{Series: "refuted"}, "refuted", ""},
		"by its whole name":    {Options{Series: "s/m/open"}, "open", ""},
		"one that is better":   {Options{Series: "better"}, "better", ""},
		"a night":              {Options{Night: "n29"}, "better fresh open refuted", ""},
		"a night of a series":  {Options{Night: "n29", Series: "open"}, "open", ""},
		"another night":        {Options{Night: "n28"}, "", `no change began in a night "n28"`},
		"another series":       {Options{Series: "m"}, "", `no series of ` + file + ` is called "m"`},
		"one that is the same": {Options{Series: "still"}, "", `series "still" has not changed`},
		"less than is so":      {Options{Least: 0.2}, "", ""},
	} {
		c.o.History = file
		groups, err := c.o.alarms()
		var cells []string
		for _, g := range groups {
			cells = append(cells, g[0].Series.Cell)
		}
		slices.Sort(cells)
		if got := strings.Join(cells, " "); got != c.want || (err == nil) != (c.fail == "") {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
		_, usage := errors.AsType[outcome.UsageError](err)
		if err != nil && (!usage || !strings.Contains(err.Error(), c.fail)) {
			t.Errorf("%s: %v, want %s", name, err, c.fail)
		}
	}
	for _, o := range []Options{{History: filepath.Join(t.TempDir(), "none")}, {History: file, Least: 2}} {
		if groups, err := o.alarms(); err == nil {
			t.Errorf("%+v: %d groups", o, len(groups))
		}
	}
}

// TestAccept: a change becomes the new normal once, for each series that the pattern names, and who names none that
// could is told which there are.
func TestAccept(t *testing.T) {
	file := written(t, slices.Concat(nightsOf("a", 6, 0.1), nightsOf("b", 6, 0.1), nightsOf("still", 0, 0))...)
	accept := func(series, night string) (string, error) {
		var out bytes.Buffer
		a := Acceptance{History: file, Series: series, Night: night, Why: "meant"}
		err := a.Accept(&out, firstNight.AddDate(0, 0, 30))
		return out.String(), err
	}
	for name, c := range map[string]struct{ series, night, want, hint string }{
		"a night without a change": {
			"a", "n23", `no change that could be accepted began in night "n23"`, "there is s/m/a in night n24 (c24)",
		},
		"one that is the same": {"still", "", "s/m/still has no change that could be accepted", ""},
		"no such series":       {"c", "", `no series is called "c"`, "there are: s/m/a, s/m/b, s/m/still"},
	} {
		out, err := accept(c.series, c.night)
		_, usage := errors.AsType[outcome.UsageError](err)
		if !usage || err.Error() != c.want || refusal.Do(err) != c.hint || out != "" {
			t.Errorf("%s: %v, %s, %s", name, err, refusal.Do(err), out)
		}
	}
	const lines = "accepted: s/m/%s, +11 %% since n24 (c24)\n"
	if out, err := accept("a", "n24"); err != nil || !strings.HasPrefix(out, fmt.Sprintf(lines, "a")+"next: keep ") {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := accept("*", ""); err != nil || !strings.HasPrefix(out, fmt.Sprintf(lines, "b")+"next: keep ") {
		t.Errorf("all others: %s, %v", out, err)
	}
	const none = "none of these series has a change that could be accepted"
	if _, err := accept("*", ""); err == nil || err.Error() != none {
		t.Errorf("once more: %v", err)
	}
	h, err := history.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range h.Records {
		if a := r.Acceptance; a != nil {
			all = append(all, a.Cell+" "+a.Night+" "+a.Why)
		}
	}
	if want := []string{"a n24 meant", "b n24 meant"}; !slices.Equal(all, want) {
		t.Errorf("%q is accepted, want %q", all, want)
	}
}

// TestCommits: nights are named with their commits, as far as these are known.
func TestCommits(t *testing.T) {
	c := &results.Confirm{Night: "n2", Against: "n1", OldCommit: "0123456789abcdef"}
	if got, want := commits(c), "old n1 (commit 0123456789ab), new n2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestMachineCalled: a machine is named by its ID, or by four letters of it and more where no other begins so; a pool
// by its CPU.
func TestMachineCalled(t *testing.T) {
	h := &history.History{}
	for _, k := range []history.Key{
		{Machine: "abcd1"},
		{Machine: "abcd12"},
		{Machine: "efgh"},
		{Machine: "efgh"},
		{Machine: "x", Pool: "ci", CPU: "EPYC"},
		{Machine: "y", Pool: "ci", CPU: "X2"},
	} {
		h.Records = append(h.Records, history.Record{Kind: history.KindNight, Night: &history.Night{Key: k}})
	}
	const all = "there are: 'EPYC of the pool ci', 'X2 of the pool ci', 'abcd1', 'abcd12', 'efgh'"
	for name, c := range map[string]struct{ want, wrong, hint string }{
		"abcd1":               {"abcd1", "", ""},
		"abcd12":              {"abcd12", "", ""},
		"efgh":                {"efgh", "", ""},
		"efg":                 {"", `--to: the history has no night of a machine "efg"`, all},
		"":                    {"", `--to: the history has no night of a machine ""`, all},
		"abcd":                {"", `--to: "abcd" names several machines`, "there are: 'abcd1', 'abcd12'"},
		"abcd2":               {"", `--to: the history has no night of a machine "abcd2"`, all},
		"EPYC":                {"EPYC of the pool ci", "", ""},
		"EPYC of":             {"EPYC of the pool ci", "", ""},
		"X2":                  {"X2 of the pool ci", "", ""},
		"EPYC of the pool ci": {"EPYC of the pool ci", "", ""},
	} {
		m, err := machineCalled(h, "--to", name)
		wrong := ""
		if err != nil {
			wrong = err.Error()
		}
		if m.ID != c.want || wrong != c.wrong || refusal.Do(err) != c.hint {
			t.Errorf("%q: %+v, %v, %s", name, m, err, refusal.Do(err))
		}
	}
}

// TestContinuing: series with pairs of nights enough go on, noise floors without a shift; the others say how many they
// lack, and a machine of which none goes on is told how to get more.
func TestContinuing(t *testing.T) {
	of := func(cell string, pairs int, floor bool) history.Succession {
		return history.Succession{
			Move: history.Move{Key: seriesKey(cell)}, Shift: history.Shift{Pairs: pairs}, Floor: floor,
		}
	}
	to, from := history.Machine{ID: "m2"}, history.Machine{ID: "m1"}
	all := []history.Succession{of("a", 5, false), of("b", 4, false), of("c", 1, false), of("none#aa", 0, true)}
	p := continuing(all, to)
	if p.going != 1 || p.missing != 4 || len(p.records) != 2 || len(p.lines) != 2 {
		t.Errorf("%+v", p)
	}
	if !strings.HasPrefix(p.lines[0], "s/m/a continues on m2: shift ") || p.lines[1] != "s/m/none#aa continues on m2" {
		t.Errorf("%q", p.lines)
	}
	const lacks = " of nights with the same files and plan on both machines, and 5 are needed"
	if want := []string{"s/m/b has 4 pairs" + lacks, "s/m/c has 1 pair" + lacks}; !slices.Equal(p.lacking, want) {
		t.Errorf("%q, want %q", p.lacking, want)
	}
	err := Moving{History: "h"}.tooFew(from, to, p)
	const more = "measure 4 more nights of the builds that m1 has measured on m2: "
	if err.Error() != strings.Join(p.lacking, "\n") || !strings.HasPrefix(refusal.Do(err), more) {
		t.Errorf("%v, %s", err, refusal.Do(err))
	}
	err = Moving{History: "h"}.tooFew(from, to, moves{})
	if err.Error() != "m1 has no series that is still measured" {
		t.Error(err)
	}
}

// TestImportedNights: values of another tool become rows of nights, once, of the CPU that they name; what was left out,
// and that nothing was measured beside them, is said.
func TestImportedNights(t *testing.T) {
	t.Chdir(t.TempDir())
	at := firstNight.In(time.FixedZone("", 3600))
	metric := results.Metric{Name: "time", Unit: "ms", Better: results.Lower}
	night := func(cell string, alone bool, cpu string) importer.Night {
		return importer.Night{
			When: at, Commit: "c1", Suite: "suite", Cell: cell, Metric: metric, Value: 3,
			Reference: "base", ReferenceValue: 2, Alone: alone, CPU: cpu,
		}
	}
	add := func(file string, all ...importer.Night) (out, said string) {
		var o, e bytes.Buffer
		nights := &importer.Nights{Source: "jmh", All: all, LeftOut: []string{"1 of\x1b it"}}
		i := Imported{History: file, Name: "theirs", Tool: "1.2.3", Nights: nights}
		if err := i.Add(console.Console{Out: &o, Err: &e}); err != nil {
			t.Fatal(err)
		}
		return o.String(), e.String()
	}
	const where = "next: moobench history show --history h.jsonl; moobench history rehearse --history h.jsonl\n"
	out, said := add("h.jsonl", night("a", false, ""), night("b", false, "EPYC"))
	want := "added 2 rows of 1 night of jmh to h.jsonl\n" + where
	if out != want || !strings.HasPrefix(said, "moobench: warning: 1 of") || strings.Contains(said, "\x1b") {
		t.Errorf("%q, %q, want %q", out, said, want)
	}
	out, said = add("h.jsonl", night("a", false, ""), night("b", false, "EPYC"), night("c", true, ""))
	want = "added 1 row of 1 night of jmh to h.jsonl; 2 were there already\n" + where
	if out != want || !strings.Contains(said, "--baseline") {
		t.Errorf("%q, %q, want %q", out, said, want)
	}
	out, _ = add(HistoryFile, night("a", false, ""))
	if !strings.HasSuffix(out, "\nnext: moobench history show; moobench history rehearse\n") {
		t.Errorf("%q", out)
	}
	h, err := history.Read("h.jsonl")
	if err != nil || len(h.Records) != 3 {
		t.Fatal(h, err)
	}
	a, b := h.Records[0].Night, h.Records[1].Night
	if math.Abs(a.Log-math.Log(1.5)) > 1e-12 || a.Raw != 3 || a.ReferenceRaw != 2 || a.N != 1 {
		t.Errorf("%+v", a)
	}
	if a.Machine != "unknown" || a.Pool != "" || a.Plan != "imported ms" {
		t.Errorf("%+v", a)
	}
	if b.Pool != "jmh" || b.CPU != "EPYC" || b.ID != a.ID || !strings.HasPrefix(a.ID, "2026-01-05T0300Z-") {
		t.Errorf("%+v", b)
	}
}
