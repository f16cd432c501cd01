package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/results"
)

// madeUpCommand makes up a history for a script:
//
//	madeup FILE COUNT CELL[=FROM:RATIO[:confirmed]]…
//
// So many nights of each cell, which scatter by 1 %; from night FROM on a cell is
// dearer by RATIO, which was confirmed by measuring again where that is said.
func madeUpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: madeup FILE COUNT CELL[=FROM:RATIO[:confirmed]]…")
	}
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	var records []history.Record
	for i, cell := range args[2:] {
		made, err := madeUpNights(cell, count, uint64(i))
		ts.Check(err)
		records = append(records, made...)
	}
	_, err = history.Append(ts.MkAbs(args[0]), records...)
	ts.Check(err)
}

func madeUpNights(what string, count int, seed uint64) ([]history.Record, error) {
	cell, step, stepped := strings.Cut(what, "=")
	from, ratio, confirmed := count, 1.0, false
	if stepped {
		parts := strings.Split(step, ":")
		var errFrom, errRatio error
		from, errFrom = strconv.Atoi(parts[0])
		ratio, errRatio = strconv.ParseFloat(parts[1], 64)
		confirmed = len(parts) > 2 && parts[2] == "confirmed"
		if errFrom != nil || errRatio != nil || from < 1 || from >= count {
			return nil, fmt.Errorf("%q is no CELL=FROM:RATIO", what)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 20140901))
	var records []history.Record
	for i := range count {
		log := 0.01 * rng.NormFloat64()
		if i >= from {
			log += math.Log(ratio)
		}
		records = append(records, history.Record{Format: history.Format, Kind: history.KindNight, Night: madeUpNight(cell, i, log)})
	}
	if confirmed {
		records = append(records, history.Record{Format: history.Format, Kind: history.KindConfirmation, Confirmation: &history.Confirmation{
			Key: records[from].Night.Key, Night: records[from].Night.ID, Against: records[from-1].Night.ID, When: records[from].Night.When.Add(time.Hour),
			Log: math.Log(ratio), Low: math.Log(ratio) - 0.01, High: math.Log(ratio) + 0.01, Alpha: 0.01, N: 15,
			Verdict: infer.Confirmed, Because: "made up",
		}})
	}
	return records, nil
}

func madeUpNight(cell string, i int, log float64) *history.Night {
	when := time.Date(2026, 1, 1, 2, 17, 0, 0, time.UTC).AddDate(0, 0, i)
	return &history.Night{
		Key: history.Key{
			Campaign: "nightly", Scenario: "overhead", Cell: cell, Metric: "duration", Reference: "pinned", Machine: "ab12cd34", Runtime: "17.0.15+6",
		},
		ID: when.Format("2006-01-02T1504Z") + "-0a1b2c3d", When: when, Commit: fmt.Sprintf("%08x", 0xabc00000+i),
		Folder: when.Format("2006-01-02T150405Z") + "-nightly", Plan: "0011223344556677", Unit: "ns", Better: results.Lower,
		Log: log, SE: 0.003, DF: 14, N: 15, Raw: 5000 * math.Exp(log), ReferenceRaw: 5000,
	}
}

func TestCommitFor(t *testing.T) {
	nowhere := t.TempDir()
	for _, c := range []struct {
		said           string
		campaigns      int
		github, gitlab string
		want           string
		wrong          bool
	}{
		{said: "4f2a9c1", campaigns: 1, github: "aaa", want: "4f2a9c1"},
		{said: "4f2a9c1", campaigns: 3, want: "4f2a9c1"},
		{campaigns: 1, github: "aaa", gitlab: "bbb", want: "aaa"},
		{campaigns: 1, gitlab: "bbb", want: "bbb"},
		{campaigns: 2, github: "aaa"},
		{campaigns: 1},
		{said: "two words", campaigns: 1, wrong: true},
		{said: "a\x1b[1m", campaigns: 1, wrong: true},
		{said: strings.Repeat("a", 201), campaigns: 1, wrong: true},
	} {
		t.Setenv("GITHUB_SHA", c.github)
		t.Setenv("CI_COMMIT_SHA", c.gitlab)
		t.Chdir(nowhere)
		t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(nowhere))
		got, err := commitFor(t.Context(), c.said, c.campaigns)
		if got != c.want || (err != nil) != c.wrong {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

func TestCommitOfTheWorkingDirectory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("GITHUB_SHA", "")
	t.Setenv("CI_COMMIT_SHA", "")
	t.Chdir(t.TempDir())
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@localhost"}, args...)...).Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	if got, err := commitFor(t.Context(), "", 1); got != "" || err != nil {
		t.Errorf("a repository without a commit is at %q, %v", got, err)
	}
	git("commit", "-q", "--allow-empty", "-m", "first")
	want := git("rev-parse", "HEAD")
	if got, err := commitFor(t.Context(), "", 1); got != want || err != nil {
		t.Errorf("commit %q, %v; want %s", got, err, want)
	}
	t.Setenv("PATH", t.TempDir())
	if got, err := commitFor(t.Context(), "", 1); got != "" || err != nil {
		t.Errorf("without git it is %q, %v", got, err)
	}
}

func TestSeriesAreNamed(t *testing.T) {
	k := history.Key{Scenario: "overhead", Metric: "duration", Cell: "mine/bci/default depth=10"}
	for pattern, want := range map[string]bool{
		"mine/bci/default depth=10":                   true,
		"overhead/duration/mine/bci/default depth=10": true,
		"*":           true,
		"mine*":       true,
		"*/mine*":     true,
		"*depth=10":   true,
		"mine":        false,
		"m.*":         false,
		"*depth=1":    false,
		"overhead":    false,
		"mine[/]bci*": false,
		"duration":    false,
		"":            false,
		"*/duration":  false,
	} {
		if got := isSeries(pattern, k); got != want {
			t.Errorf("%q names the series: %v, want %v", pattern, got, want)
		}
	}
}

func TestIsNight(t *testing.T) {
	n := madeUpNight("x", 0, 0)
	for name, want := range map[string]bool{
		"2026-01-01T0217Z-0a1b2c3d": true, "2026-01-01": true, "abc0": true, "abc00000": true,
		"abc": false, "": false, "2026-01-02": false, "abc00001": false,
	} {
		if got := isNight(n, name); got != want {
			t.Errorf("%q is the night: %v, want %v", name, got, want)
		}
	}
}

func TestLeast(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "5%": 0.05, " 2.5 % ": 0.025} {
		if got, err := leastChange(text); err != nil || math.Abs(got.Least-want) > 1e-12 {
			t.Errorf("%q: %v, %v", text, got.Least, err)
		}
	}
	for _, text := range []string{"5", "0%", "-1%", "x%", "NaN%", "Inf%", "%"} {
		if got, err := leastChange(text); err == nil || statusOf(err) != exitUsage {
			t.Errorf("%q: %v, %v; want a usage error", text, got.Least, err)
		}
	}
}

const shortCampaign = `
name = "nights"
[[scenario]]
use       = "overhead"
variants  = ["none", "dear"]
calls     = 100
blocks    = 5
resources = 1
[framework.dear]
args  = ["-Dfake.cost=5000", "-Dfake.records=1"]
proof = { count = "fixture", per_call = "depth" }
`

// TestAddTwiceAddsNothing adds two campaigns in any order, as often as one
// likes, one by one or together: the history has each row once, and lines that
// are there stay.
func TestAddTwiceAddsNothing(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(shortCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	var dirs []string
	rows := map[string]int{}
	for _, name := range []string{"one", "two"} {
		if out, err := p.moobench("run", "--quiet", "--seed", "1", "-o", name, "benchmarks.toml").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		dir := filepath.Join(p.dir, name)
		dirs = append(dirs, dir)
		rows[dir] = addAll(t, filepath.Join(t.TempDir(), "history.jsonl"), dir)
	}
	one, two := dirs[0], dirs[1]
	for _, adds := range [][][]string{
		{{one}, {one}}, {{one, one}, {two}, {one}}, {{one, two}, {two, one}}, {{two}, {one, two}, {two}}, {{two, one}},
	} {
		file := filepath.Join(t.TempDir(), "history.jsonl")
		want, seen := 0, map[string]bool{}
		var before []byte
		for _, adding := range adds {
			for _, dir := range adding {
				if !seen[dir] {
					seen[dir], want = true, want+rows[dir]
				}
			}
			got := addAll(t, file, adding...)
			after, err := os.ReadFile(file)
			if err != nil || got != want || !bytes.HasPrefix(after, before) {
				t.Errorf("%v: %d rows, want %d; %v; the lines before are kept: %v", adds, got, want, err, bytes.HasPrefix(after, before))
			}
			before = after
		}
	}
}

// addAll adds campaigns, and returns how many rows the history has then.
func addAll(t *testing.T, file string, dirs ...string) int {
	t.Helper()
	var out, errOut bytes.Buffer
	args := append([]string{"history", "add", "--commit", "abc", "--history", file}, dirs...)
	if status := Main(context.Background(), args, &out, &errOut); status != exitFine {
		t.Fatal(errOut.String())
	}
	h, err := history.Read(file)
	if err != nil || len(h.Warnings) > 0 || len(h.Records) == 0 {
		t.Fatal(len(h.Records), h.Warnings, err)
	}
	return len(h.Records)
}
