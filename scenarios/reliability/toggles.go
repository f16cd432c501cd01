package reliability

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"moobench/harness/jvm"
	"moobench/harness/run"
	"moobench/results"
)

// toggles are the changes that a fixture reports.
type toggles struct{ asked, took, on, failed []int64 }

// dumped has the fixture dump its changes, and reads and removes the dump; they are kept on the load's own
// clock instead. Each change must have all its values, and none may have failed in part: the rest of the load
// would have met another state than the one claimed.
func dumped(ask *run.Asker, dir string) (t toggles) {
	for _, s := range run.Dump(ask) {
		columns := run.Columns(ask, dir, s)
		if s.Name == results.SeriesToggle {
			t.asked, t.took = append(t.asked, columns["asked"]...), append(t.took, columns["took"]...)
			t.on, t.failed = append(t.on, columns["on"]...), append(t.failed, columns["failed"]...)
		}
		if err := os.Remove(filepath.Join(dir, s.Dump)); err != nil {
			ask.Do(func() error { return fmt.Errorf("removing the fixture's dump: %w", err) })
		}
	}
	n := len(t.asked)
	if len(t.took) != n || len(t.on) != n || len(t.failed) != n {
		ask.Fail(jvm.KindGarbage, "the fixture's series toggle lacks one of its columns asked, took, on and failed: "+
			"are fixture and moobench of the same version?")
	}
	if i := slices.IndexFunc(t.failed, func(f int64) bool { return f != 0 }); i >= 0 {
		ask.Fail(run.KindSwap, "toggle %d of %d failed: see its log", i+1, n)
	}
	return t
}

// report records the changes on the clock of a load that began at beginNS.
func (t *toggles) report(rec run.Recorder, beginNS int64) error {
	rec.Scalar(toggleCount, float64(len(t.asked)))
	if len(t.asked) == 0 {
		return nil
	}
	since, sum := make([]int64, len(t.asked)), 0.0
	for i, asked := range t.asked {
		since[i] = asked - beginNS
		sum += float64(t.took[i])
	}
	rec.Scalar(toggleTook, sum/float64(len(since)))
	series := results.Series{Name: results.SeriesToggle, Columns: results.ToggleColumns(), Batch: 1}
	return rec.Rows(series, since, t.took, t.on)
}
