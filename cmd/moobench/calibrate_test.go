package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/analysis/proof"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/doctor"
	"moobench/cmd/internal/session"
	"moobench/harness/machine"
	"moobench/results"
	"moobench/results/safefile"
	"moobench/scenarios"
)

// shortCalibration is the real one with fewer calls, and other arguments of the
// longer burn.
func shortCalibration(t *testing.T, replace ...string) []byte {
	t.Helper()
	text := string(doctor.CalibrationTOML)
	for pairs := append([]string{"calls       = 500_000", "calls = 2000"}, replace...); len(pairs) > 0; pairs = pairs[2:] {
		if strings.Count(text, pairs[0]) != 1 {
			t.Fatalf("calibrate.toml has no single %q", pairs[0])
		}
		text = strings.Replace(text, pairs[0], pairs[1], 1)
	}
	return []byte(text)
}

// calibrateHere calibrates inside the test, with the cache in a folder of its own.
func calibrateHere(t *testing.T, cache string, toml []byte) (v doctor.Calibration, status int, said string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("XDG_STATE_HOME", cache)
	t.Setenv(machine.LockVar, filepath.Join(cache, "lock"))
	var out, errOut bytes.Buffer
	term := &terminal{session.Lab{Console: console.Console{Out: &out, Err: &errOut}, Scenarios: scenarios.All(), Tree: machine.System()}}
	if err := term.calibrate(context.Background(), toml, session.Options{Seed: 1, Seeded: true, Quiet: true}, 10*time.Minute, "json"); err != nil {
		status = statusOf(err)
	}
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errOut.String())
	}
	return v, status, errOut.String()
}

func cacheFolder(t *testing.T) string {
	t.Helper()
	dir, err := safefile.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// fakeHome has Java and Maven be the fake ones.
func fakeHome(t *testing.T) {
	t.Helper()
	p := newPlace(t)
	t.Setenv("JAVA_HOME", filepath.Join(p.dir, "jdk"))
	t.Setenv("PATH", filepath.Join(p.dir, "jdk", "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestCalibrate(t *testing.T) {
	const long = `"-Dmoobench.burn.ns=3000"`
	for _, tt := range []struct {
		name, args string
		status     int
		verdict    string
		kept       bool
	}{
		{"recovered", "", exitFine, "recovered: ", true},
		{"not recovered", `, "-Dfake.burn=1.1"`, exitIncomplete, "not recovered: ", true},
		{"not instrumented", `, "-Dfake.records=0"`, exitIncomplete, "not calibrated: ", false},
		{"given up", `, "-Dfake=die"`, exitIncomplete, "not calibrated: ", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fakeHome(t)
			cache := t.TempDir()
			v, status, said := calibrateHere(t, cache, shortCalibration(t, "blocks      = 10", "blocks = 5", long, long+tt.args))
			if status != tt.status || !strings.Contains(v.Verdict, tt.verdict) || v.OK != (status == exitFine) || v.OK == (v.Do != "") {
				t.Errorf("exit status %d, %+v\n%s", status, v, said)
			}
			kept, err := doctor.LastCalibration(v.Machine)
			if err != nil || (kept != nil) != tt.kept || (v.Calibration != nil) != tt.kept {
				t.Fatalf("kept %+v (%v), said %+v", kept, err, v.Calibration)
			}
			if kept != nil {
				checkCalibration(t, kept, v)
			}
			if tt.kept {
				whole(t, v.Folder)
			}
		})
	}
}

func checkCalibration(t *testing.T, kept *results.Calibration, v doctor.Calibration) {
	t.Helper()
	if *kept != *v.Calibration {
		t.Errorf("kept %+v, said %+v", kept, v.Calibration)
	}
	if kept.KnownNS != 2000 || kept.Level != 0.99 || kept.Blocks != 5 || kept.AA != string(analysis.AAResolves) {
		t.Errorf("%+v", kept)
	}
	if inside := kept.LowNS <= 2000 && 2000 <= kept.HighNS; kept.Recovered != inside || math.Abs(*v.OffShare-(kept.MeasuredNS-2000)/2000) > 1e-12 {
		t.Errorf("off by %v: %+v", *v.OffShare, kept)
	}
	if r := v.Resolution; r == nil || kept.ResolvesNS != r.NS || kept.ResolvesShare != r.Share || kept.ResolvesInNS != 600e9 || !(r.NS > 0) || r.Blocks < 2 {
		t.Errorf("kept %+v, said %+v (%s)", kept, r, v.Unresolved)
	}
}

// TestCalibrateOnRealJVMs burns real time in two blocks. What comes out is up
// to the machine; that it comes out, and is proven, is not. Beside other programs that take a
// CPU of its own away nothing may come out, which is said.
func TestCalibrateOnRealJVMs(t *testing.T) {
	needReal(t)
	fixtures := filepath.Join(cacheFolder(t), "fixtures")
	cache := t.TempDir()
	for _, dir := range []string{fixtures, filepath.Join(cache, "moobench")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(fixtures, filepath.Join(cache, "moobench", "fixtures")); err != nil {
		t.Fatal(err)
	}
	v, status, said := calibrateHere(t, cache, shortCalibration(t, "blocks      = 10", "blocks = 2"))
	busy := v.Calibration == nil && strings.Contains(v.Verdict, "of their time for other programs")
	if status != exitFine && status != exitIncomplete || v.Calibration == nil && !busy {
		t.Fatalf("exit status %d, %+v\n%s", status, v, said)
	}
	if c := v.Calibration; c != nil && (c.KnownNS != 2000 || c.Blocks != 2 || math.IsInf(c.LowNS, 0) || math.IsInf(c.HighNS, 0) || !(c.LowNS <= c.MeasuredNS && c.MeasuredNS <= c.HighNS)) {
		t.Errorf("%+v", c)
	}
	_, err := os.Stat("/proc/thread-self/schedstat")
	if w := v.WaitedShare; (w != nil) != (err == nil && v.Calibration != nil) || w != nil && (*w < 0 || *w > 1) {
		t.Errorf("a share of its time without a CPU: %t, %+v\n%s", w != nil, v, said)
	}
	whole(t, v.Folder)
	store, err := results.Open(v.Folder)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		t.Fatal(err)
	}
	proven := 0
	for _, c := range answers.Scenarios[0].Cells {
		checkRecords(t, c)
		if c.Records != nil && c.Records.Verdict == proof.Instrumented && c.Records.Received == 4000 {
			proven++
		}
	}
	if proven != 2 {
		t.Errorf("%d burns are proven by their records, want 2", proven)
	}
}

func TestSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{"10min": 10 * time.Minute, "1 h 30 min": 90 * time.Minute, "90s": 90 * time.Second, "2h": 2 * time.Hour} {
		var s span
		if err := s.Set(text); err != nil || time.Duration(s) != want {
			t.Errorf("%s: %v, %v", text, time.Duration(s), err)
		}
		var again span
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%s is written %s: %v, %v", text, s.String(), again, err)
		}
	}
	for _, text := range []string{"", "10", "ten", "0s", "-1h", "1000h"} {
		var s span
		if err := s.Set(text); err == nil {
			t.Errorf("%q is a span of %v", text, time.Duration(s))
		}
	}
}
