package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"moobench/analysis"
	"moobench/harness/run"
	"moobench/results"
)

// macroCampaign monitors packages of two real applications.
const macroCampaign = `
name = "macro"
[jvm]
args = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
[[scenario]]
use       = "overhead"
label     = "h2"
fixture   = "h2"
depth     = 1
calls     = 100
pattern   = "* org.h2.jdbc..*.*(..) throws .."
variants  = ["none", "probe/bci/collect", "probe/hotswap/collect", "kieker/bci/collect"]
blocks    = 2
resources = 0
[[scenario]]
use       = "overhead"
label     = "freemarker"
fixture   = "freemarker"
depth     = 1
calls     = 100
pattern   = "* freemarker.template..*.*(..) throws .."
variants  = ["none", "probe/bci/collect", "probe/hotswap/collect", "kieker/bci/collect"]
blocks    = %d
resources = 0
`

// TestApplications: every enter of a probe in a real application is a record,
// and as its work is always the same, so is their number in each invocation.
func TestApplications(t *testing.T) {
	needReal(t)
	blocks := 1 // of the slower one; the other is compared with itself anyway
	if *conform {
		blocks = 2
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), fmt.Appendf(nil, macroCampaign, blocks), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if !measured(out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	store, answers := analysed(t, filepath.Join(dir, "out"))
	for _, s := range answers.Scenarios {
		for _, c := range s.Cells {
			checkApplication(t, c)
		}
	}
	sameRecords(t, store)
	if t.Failed() {
		t.Log(out)
	}
}

func checkApplication(t *testing.T, c analysis.Cell) {
	t.Helper()
	if c.Failed > 0 || c.OK == 0 {
		t.Errorf("%s: %d failed, %d ok: %v", c.Label, c.Failed, c.OK, c.Failures)
	}
	if c.Role != results.RoleVariant {
		return
	}
	switch {
	case c.Invalid != "" || c.Records == nil || c.Records.Received == 0:
		t.Errorf("%s delivered nothing (%s)", c.Label, c.Invalid)
	case c.Framework == "probe" && (c.Records.Received != c.Records.Expected || c.Records.Expected == 0):
		t.Errorf("%s delivered %d of %d records", c.Label, c.Records.Received, c.Records.Expected)
	}
}

// sameRecords checks that a call makes as many records in each invocation of
// a cell.
func sameRecords(t *testing.T, store *results.Store) {
	t.Helper()
	campaign := store.Campaign()
	invocations, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	perCall, compared := map[string]float64{}, 0
	for _, inv := range invocations {
		got, told := inv.Scalars[run.RecordsPerCall]
		if campaign.Cell(inv.Cell).Role != results.RoleVariant {
			continue
		}
		before, again := perCall[inv.Cell]
		if perCall[inv.Cell] = got; !told || got <= 1 || again && got != before {
			t.Errorf("%s: %v records per call, told: %t, another time %v", campaign.Cell(inv.Cell).Label(), got, told, before)
		}
		if again {
			compared++
		}
	}
	if compared == 0 {
		t.Error("no cell has two invocations to compare")
	}
}
