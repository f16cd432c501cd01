package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/doctor"
	"moobench/results"
	"moobench/results/safefile"
)

// TestLastCalibration: a machine has its last calibration; one that is damaged is a
// warning, and a campaign is measured all the same.
func TestLastCalibration(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := safefile.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	kept := results.Calibration{When: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC), KnownNS: 2000, LowNS: 1990, MeasuredNS: 2001, HighNS: 2010, Level: 0.99}
	if err := doctor.SaveCalibration(cache, "m1", kept); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	lab := &Lab{Console: console.Console{Err: &said}}
	host := results.Machine{ID: "m1"}
	if lab.calibrated(&host); host.Calibration == nil || *host.Calibration != kept || said.Len() > 0 {
		t.Errorf("the machine has %+v\n%s", host.Calibration, said.String())
	}
	if err := os.WriteFile(filepath.Join(cache, "calibration-m1.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if lab.calibrated(&host); host.Calibration != nil || !strings.HasPrefix(said.String(), "moobench: warning: ") || !strings.Contains(said.String(), "\nmoobench: hint: ") {
		t.Errorf("%+v\n%s", host.Calibration, said.String())
	}
}
