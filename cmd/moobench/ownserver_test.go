package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"moobench/analysis"
	"moobench/results"
)

// inSmall makes the campaign of examples/server.toml a matter of a minute, on a
// machine that does other things as well.
func inSmall(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../examples/server.toml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for pattern, small := range map[string]string{
		` "-Xmx256m",`:   ` "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",`,
		`(?m)^blocks .*`: "blocks = 1\nlate_after = \"20s\"\nlost_after = \"30s\"\nlag_bound = \"30s\"",
		`(?m)^ramp .*`:   `ramp = "1s"`,
		`(?m)^hold .*`:   `hold = "2s"`,
		`(?m)^rate .*`:   `rate = 50`,
		`(?m)^ready .*`:  "$0\nwithin = \"3min\"",
	} {
		line := regexp.MustCompile(pattern)
		if len(line.FindAllString(text, -1)) != 1 {
			t.Fatalf("examples/server.toml has not one line %s", pattern)
		}
		text = line.ReplaceAllString(text, small)
	}
	return text
}

// TestServerExample starts a server that is not ours with a real agent: all
// answers are right, and a span arrives for each request.
func TestServerExample(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "site"), os.DirFS("../../examples/site")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "server.toml"), []byte(inSmall(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "server.toml")
	if !served(t, filepath.Join(dir, "out"), out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	store, answers := analysed(t, filepath.Join(dir, "out"))
	checkOwnServer(t, store)
	for _, c := range answers.Scenarios[0].Cells {
		checkSpans(t, c)
	}
}

// checkOwnServer looks at what every invocation must have: half of the rate in the
// ramp, and all of it in the hold.
func checkOwnServer(t *testing.T, store *results.Store) {
	t.Helper()
	invocations, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	if len(invocations) != 3 {
		t.Errorf("%d invocations, want 3", len(invocations))
	}
	for _, inv := range invocations {
		s := inv.Scalars
		if inv.Status != results.StatusOK || s["requests"] != 100 || s["requests_all"] != 125 || s["right"]+s["late"] != 100 || s["lost_all"] != 0 {
			t.Errorf("%s of %s: %s %+v, %v", inv.Identity, inv.Cell, inv.Status, inv.Failure, s)
		}
		for _, name := range []string{"startup", "rss_bytes", "rss_peak_bytes", "cpu_per_request", "throughput"} {
			if s[name] <= 0 {
				t.Errorf("%s of %s: no %s", inv.Identity, inv.Cell, name)
			}
		}
	}
}

// checkSpans: one for each request, and one for the one that asked whether the
// server is ready, unless it gave that up once.
func checkSpans(t *testing.T, c analysis.Cell) {
	t.Helper()
	if c.Role != results.RoleVariant {
		return
	}
	if r := c.Records; c.Invalid != "" || r == nil || r.Expected < 126 || r.Received != r.Expected {
		t.Errorf("%s (%s) delivered %+v", c.Label, c.Invalid, r)
	}
}
