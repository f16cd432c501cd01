package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moobench/analysis/report"
	"moobench/cmd/internal/doctor"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// calibrate measures a known cost on this machine as any other cost is
// measured, says whether it came out and what overhead would show within some
// time, and keeps that for later reports.
func (t *terminal) calibrate(ctx context.Context, toml []byte, o runOptions, within time.Duration, format string) error {
	s, err := t.calibration(toml, o)
	if err != nil {
		return err
	}
	host, _, err := machine.Look(t.tree)
	if err != nil {
		return err
	}
	cache, err := safefile.CacheFolder()
	if err != nil {
		return err
	}
	store, err := s.measureAfresh(ctx, filepath.Join(cache, "calibrations", host.ID))
	if err != nil {
		return err
	}
	c, err := doctor.Judge(host, store, within, build())
	if err != nil {
		return err
	}
	if c.Calibration != nil {
		if err := doctor.SaveCalibration(cache, host.ID, *c.Calibration); err != nil {
			return err
		}
	}
	if err = c.Write(t.out, format, report.Options{}); err == nil && !c.OK {
		err = errIncomplete
	}
	return err
}

// calibration plans the campaign.
func (t *terminal) calibration(toml []byte, o runOptions) (*sitting, error) {
	s := &sitting{t: t, o: o}
	var err error
	if s.file, err = config.Parse("calibrate.toml", toml, t.known()); err != nil {
		return nil, err
	}
	set, err := frameworks(s.file)
	if err != nil {
		return nil, err
	}
	s.plan, err = t.planOf(s.file, set, s.seed(nil))
	return s, err
}

// measureAfresh carries the plan out in place of what an earlier calibration
// left in the folder.
func (s *sitting) measureAfresh(ctx context.Context, dir string) (*results.Store, error) {
	release, err := s.t.lockMachine(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	// As root, nothing is removed or written where others could lead it elsewhere.
	if err := safefile.MakeCache(filepath.Dir(dir)); err != nil {
		return nil, err
	}
	if err := removeCalibration(dir); err != nil {
		return nil, fmt.Errorf("removing the earlier calibration's samples: %w", err)
	}
	return s.measure(ctx, dir, "a calibration is not resumed: start it again with: moobench doctor --calibrate")
}

// removeCalibration removes the folder of an earlier calibration, unless somebody who
// does not share the lock of this machine writes to it.
func removeCalibration(dir string) error {
	release, err := results.Lock(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	return os.RemoveAll(dir)
}

// calibrated gives a machine its last calibration. One that can't be read is a
// warning: it is no reason not to measure.
func (t *terminal) calibrated(host *results.Machine) {
	c, err := doctor.LastCalibration(host.ID)
	if err != nil {
		warn(t.err, err.Error()+": reports can't tell whether this machine recovers a known cost", refusal.Do(err))
	}
	host.Calibration = c
}

// span is a time with its unit, as a flag: "10min", "90s", "1h30m".
type span time.Duration

func (s *span) String() string { return strings.ReplaceAll(doctor.Amount(time.Duration(*s)), " ", "") }
func (s *span) Type() string   { return "time" }

func (s *span) Set(text string) error {
	compact := strings.ReplaceAll(strings.ReplaceAll(text, " ", ""), "min", "m")
	d, err := time.ParseDuration(compact)
	if err != nil {
		return fmt.Errorf("%q is no time with a unit, such as 10min or 90s", text)
	}
	if d < time.Second || d > 30*24*time.Hour {
		return fmt.Errorf("%s is out of range (1s to 720h)", text)
	}
	*s = span(d)
	return nil
}
