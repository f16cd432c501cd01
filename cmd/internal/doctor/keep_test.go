package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/refusal"
	"moobench/results"
)

func someCalibration() results.Calibration {
	return results.Calibration{
		When: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC), Runtime: "17.0.15+6", Moobench: "0.1.0", Blocks: 10,
		KnownNS: 2000, MeasuredNS: 2001, LowNS: 1998, HighNS: 2004, Level: 0.99, Recovered: true, AA: "resolves", Resolves: 0.012,
	}
}

func TestCalibrationIsKept(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("XDG_CACHE_HOME", cache)
	dir := filepath.Join(cache, "moobench")
	if c, err := LastCalibration("m1"); c != nil || err != nil {
		t.Fatalf("before the first: %v, %v", c, err)
	}
	want := someCalibration()
	for _, measured := range []float64{1999, 2001} {
		want.MeasuredNS = measured
		if err := SaveCalibration(dir, "m1", want); err != nil {
			t.Fatal(err)
		}
		got, err := LastCalibration("m1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("came back otherwise (-want +got):\n%s", diff)
		}
	}
	if c, err := LastCalibration("m2"); c != nil || err != nil {
		t.Errorf("another machine has %v, %v", c, err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestDamagedCalibrationIsSaidToBe(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "cut off": `{"when": "2026-11-21T03:00:00Z", "known_ns": 20`, "other": `{"a": 1}`, "list": `[]`, "null": `null`,
		"no interval": `{"when": "2026-11-21T03:00:00Z", "known_ns": 2000, "measured_ns": 2001}`,
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			t.Setenv("XDG_CACHE_HOME", cache)
			dir := filepath.Join(cache, "moobench")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(calibrationPath(dir, "m1"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			c, err := LastCalibration("m1")
			if c != nil || err == nil || !strings.Contains(refusal.Do(err), "doctor --calibrate") {
				t.Errorf("got %v, %v", c, err)
			}
			if err := SaveCalibration(dir, "m1", someCalibration()); err != nil {
				t.Fatal(err)
			}
			if c, err := LastCalibration("m1"); c == nil || err != nil {
				t.Errorf("after a new one: %v, %v", c, err)
			}
		})
	}
}

func TestCalibrationThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := SaveCalibration(file, "m1", someCalibration()); err == nil {
		t.Error("a file was taken for a folder")
	}
}
