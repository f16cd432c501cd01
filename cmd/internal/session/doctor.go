package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"moobench/cmd/internal/doctor"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/results"
	"moobench/results/safefile"
)

// Calibrate measures a known cost on this machine as any other cost is measured, says
// whether it came out and what overhead would show within some time, and keeps that for
// later reports. It replaces what an earlier calibration left.
func (l *Lab) Calibrate(ctx context.Context, toml []byte, o Options, within time.Duration) (*doctor.Calibration, error) {
	s, err := l.Parse(o, "calibrate.toml", toml)
	if err != nil {
		return nil, err
	}
	host, _, err := machine.Look(l.Tree)
	if err != nil {
		return nil, err
	}
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "calibrations", host.ID)
	release, err := l.Lock(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	// As root, nothing is removed or written where others could lead it elsewhere.
	if err := safefile.MakeCache(filepath.Dir(dir)); err != nil {
		return nil, err
	}
	// Somebody who does not share the lock of this machine may write to it.
	free, err := results.Lock(dir)
	if err == nil {
		err = os.RemoveAll(dir)
		free()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("removing the earlier calibration's samples: %w", err)
	}
	store, err := s.Measure(ctx, dir, "a calibration is not resumed: start it again with: moobench doctor --calibrate")
	if err != nil {
		return nil, err
	}
	c, err := doctor.Judge(host, store, within, l.Moobench)
	if err != nil {
		return nil, err
	}
	if c.Calibration != nil {
		err = doctor.SaveCalibration(cache, host.ID, *c.Calibration)
	}
	return c, err
}

// Examine looks at all that measuring takes, for the benchmarks.toml that is named, or for
// none. It changes nothing.
func (l *Lab) Examine(ctx context.Context, named ...string) (*doctor.Checkup, error) {
	c := doctor.Case{
		Tree:     l.Tree,
		Fixtures: func() (*fixture.Builder, error) { return l.Fixtures("") },
		Java:     func() (jvm.Java, error) { return jvm.Find("") },
	}
	if len(named) > 0 {
		s, err := l.Open(Options{}, named...)
		if err != nil {
			return nil, err
		}
		c.File = s.File
		c.Java = func() (jvm.Java, error) { return findJava(s.File, s.File.JVM.Home) }
	}
	return doctor.Examine(ctx, c)
}
