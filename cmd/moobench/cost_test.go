package main

import (
	"os"
	"path/filepath"
	"testing"

	"moobench/analysis/proof"
)

// TestCost asks in an empty folder what an agent of nobody's costs: it is proven by what it
// prints, and by what it serves.
func TestCost(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/agent/MyAgent.java")
	if err != nil {
		t.Fatal(err)
	}
	agentJar(t, dir, "agent.jar", "MyAgent", string(source))
	for folder, args := range map[string][]string{
		"log":  {"cost", "./agent.jar=0", "--proof", `log=recorded (\d+)`},
		"http": {"cost", "./agent.jar={port}", "--proof", "http=http://127.0.0.1:{port}/metrics records_total"},
	} {
		out, status := real(t, dir, append(args, "--blocks", "2", "--seed", "1", "-o", folder)...)
		if !measured(out, status) {
			t.Fatalf("%s: exit status %d:\n%s", folder, status, out)
		}
		_, answers := analysed(t, filepath.Join(dir, folder))
		for _, c := range answers.Scenarios[0].Cells {
			if r := c.Records; c.Framework == "agent" && (c.Invalid != "" || r == nil || r.Source != folder || r.Verdict != proof.Instrumented || r.Deferred != nil) {
				t.Errorf("%s (%s): %+v", c.Label, c.Invalid, r)
			}
		}
	}
}
