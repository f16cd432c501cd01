package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/results"
)

// calibrateTOML asks one question, about two cells whose probes burn chosen
// times.
//
//go:embed calibrate.toml
var calibrateTOML []byte

// burnOption says in a JVM's arguments how many ns its probe burns.
const burnOption = "-Dmoobench.burn.ns="

// calibrate measures a known cost on this machine as any other cost is
// measured, says whether it came out and what overhead would show within some
// time, and keeps that for later reports.
func (t *terminal) calibrate(ctx context.Context, toml []byte, o runOptions, within time.Duration, asJSON bool) error {
	s, err := t.calibration(toml, o)
	if err != nil {
		return err
	}
	host, _, err := machine.Look(t.tree)
	if err != nil {
		return err
	}
	store, err := s.measureAfresh(ctx, filepath.Join(cacheDir(), "calibrations", host.ID))
	if err != nil {
		return err
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return err
	}
	v := verdictOf(host, store, answers)
	if err := v.resolve(store, answers, within); err != nil {
		return err
	}
	if v.Calibration != nil {
		if err := machine.SaveCalibration(cacheDir(), host.ID, *v.Calibration); err != nil {
			return err
		}
	}
	if asJSON {
		err = printJSON(t.out, v)
	} else {
		err = v.print(t.out)
	}
	if err == nil && !v.OK {
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
	c, err := machine.LoadCalibration(cacheDir(), host.ID)
	if err != nil {
		text, hint, _ := strings.Cut(err.Error(), "\nhint: ")
		fmt.Fprintf(t.err, "moobench: warning: %s: reports can't tell whether this machine recovers a known cost\nmoobench: hint: %s\n", visible(text), hint)
	}
	host.Calibration = c
}

// burnt is how long the probe of a cell burns, in ns.
func burnt(c *results.Cell) (ns float64, ok bool) {
	if c == nil {
		return 0, false
	}
	for _, arg := range c.Launch.JVMArgs {
		if text, found := strings.CutPrefix(arg, burnOption); found {
			n, err := strconv.ParseInt(text, 10, 64)
			return float64(n), err == nil
		}
	}
	return 0, false
}

// calibrationOf is what the answer to the question says of this machine.
func calibrationOf(a *analysis.Answers, q *analysis.Answer, knownNS float64) results.Calibration {
	d := q.Difference
	c := results.Calibration{
		When: time.Now().UTC().Truncate(time.Second), Runtime: strings.Join(a.Campaign.Runtimes, ", "), Moobench: build(), Blocks: d.N,
		KnownNS: knownNS, MeasuredNS: d.Value, LowNS: d.Interval.Low, HighNS: d.Interval.High, Level: d.Interval.Level,
		Recovered: d.Interval.Low <= knownNS && knownNS <= d.Interval.High,
	}
	for _, aa := range a.Scenarios[0].AA {
		c.AA = string(aa.State)
		if aa.Resolves != nil {
			c.Resolves = *aa.Resolves
		}
	}
	return c
}
