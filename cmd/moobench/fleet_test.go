package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"moobench/analysis"
	"moobench/results"
)

var fleetNights = flag.Bool("fleet-nights", false, "nights of shards on changing hosts, and other long tests of fleets")

// TestFleetNights: a history of merged campaigns finds a step, whichever hosts measured; models of CPU are apart; and shards
// of one host say what it says whole.
func TestFleetNights(t *testing.T) {
	if !*fleetNights {
		t.Skip("-fleet-nights takes minutes")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/fleet", Setup: setUpScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"machine": machineCommand, "nights": nightsCommand, "split": splitCommand, "seal": sealCommand, "answers": answersCommand,
		},
	})
}

// splitCommand makes N shards of a finished campaign: split DIR N writes DIR-1 to DIR-N, each sealed.
func splitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: split DIR N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	whole, err := results.Open(dir)
	ts.Check(err)
	text, err := whole.TOML()
	ts.Check(err)
	machines, err := whole.Machines()
	ts.Check(err)
	for i := 1; i <= n; i++ {
		c := *whole.Campaign()
		c.Standards = nil // a shard has that of its plan alone
		planned := slices.DeleteFunc(slices.Clone(c.Blocks), func(b results.Block) bool { return b.Kind != results.BlockPlanned })
		c.Shard = &results.Shard{Index: i, Count: n, Planned: len(planned), First: len(c.Blocks) + 1}
		c.Blocks = nil
		for k, b := range planned {
			if c.Shard.Measures(k) {
				c.Blocks = append(c.Blocks, b)
			}
		}
		shard := dir + "-" + strconv.Itoa(i)
		store, err := results.Create(shard, &c, text)
		ts.Check(err)
		for _, m := range machines {
			ts.Check(store.AddMachine(*m))
		}
		all, err := whole.Invocations()
		ts.Check(err)
		for _, inv := range all {
			if slices.ContainsFunc(c.Blocks, func(b results.Block) bool { return b.Number == inv.Block }) {
				place := filepath.Join("invocations", inv.Identity.String())
				ts.Check(os.CopyFS(filepath.Join(shard, place), os.DirFS(filepath.Join(dir, place))))
			}
		}
		ts.Check(store.Seal())
	}
}

// answersCommand writes what a campaign says of its scenarios: answers DIR FILE.
func answersCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: answers DIR FILE")
	}
	store, err := results.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	a, err := analysis.Analyse(store)
	ts.Check(err)
	text, err := json.MarshalIndent(a.Scenarios, "", "  ")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o666))
}

// sealCommand seals campaigns again: seal DIR….
func sealCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: seal DIR…")
	}
	for _, dir := range args {
		ts.Check(os.Remove(ts.MkAbs(filepath.Join(dir, "SEALED"))))
		store, err := results.Open(ts.MkAbs(dir))
		ts.Check(err)
		ts.Check(store.Seal())
	}
}
