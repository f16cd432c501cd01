package main

import (
	"os"
	"path/filepath"
	"testing"

	"moobench/results"
)

// followedCampaign has windows of at least half a second.
const followedCampaign = `
name = "followed"
[[scenario]]
use          = "overhead"
variants     = ["none"]
calls        = 500
depth        = 1
method_time  = "1ms"
blocks       = 1
resources    = 1
course_every = "100ms"
`

// TestCourseOnRealJVMs: each timed JVM has its course, of both sides, beside its samples; those of resources have none.
func TestCourseOnRealJVMs(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "benchmarks.toml"), []byte(followedCampaign), 0o666); err != nil {
		t.Fatal(err)
	}
	out, status := real(t, dir, "run", "--seed", "1", "-o", "out", "benchmarks.toml")
	if !measured(out, status) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	store, _ := analysed(t, filepath.Join(dir, "out"))
	all, err := store.Invocations()
	if err != nil {
		t.Fatal(err)
	}
	for _, inv := range all {
		rows := map[string]int64{}
		for _, s := range inv.Series {
			rows[s.Name] = s.Count
		}
		timed := inv.Profile == results.ProfileTiming
		if has := min(rows[results.SeriesJVM], rows[results.SeriesProcess]) > 1; has != timed || timed && rows["duration"] != 500 {
			t.Errorf("%s of %s has rows %v", inv.Identity, inv.Profile, rows)
		}
	}
}
