package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
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
		records = append(records, history.Record{Kind: history.KindNight, Night: madeUpNight(cell, i, log)})
	}
	if confirmed {
		records = append(records, history.Record{Kind: history.KindConfirmation, Confirmation: &history.Confirmation{
			Key: records[from].Night.Key, Night: records[from].Night.ID, Against: records[from-1].Night.ID, When: records[from].Night.When.Add(time.Hour),
			Log: math.Log(ratio), Low: math.Log(ratio) - 0.01, High: math.Log(ratio) + 0.01, Alpha: 0.01, N: 15,
			Verdict: infer.Confirmed, Reason: "made up",
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

func TestLeast(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "5%": 0.05, " 2.5 % ": 0.025} {
		if got, err := leastChange(text); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"5", "0%", "-1%", "x%", "NaN%", "Inf%", "%"} {
		if got, err := leastChange(text); err == nil || statusOf(err) != exitUsage {
			t.Errorf("%q: %v, %v; want a usage error", text, got, err)
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
