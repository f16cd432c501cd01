package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"moobench/analysis/figure"
	"moobench/cmd/internal/demand"
	"moobench/cmd/internal/doctor"
	"moobench/harness/config"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// lock locks the machine for the campaign in a folder, so that nobody else measures meanwhile. It
// waits for a running campaign, for at most the given time. It first puts back any changes of a
// moobench that died, so that they don't count as the machine's own settings. A change that can't
// be put back causes a warning, and stays in the journal.
func (l *Lab) lock(ctx context.Context, dir string, wait time.Duration) (release func() error, err error) {
	if release, err = l.turn(ctx, dir, wait); err != nil {
		return nil, err
	}
	kept, err := machine.SetAside(machine.JournalPath())
	if kept != "" {
		l.Warn("the journal of changes to this machine held nothing that could be undone, "+
			"and moobench writes none like that: it is kept as "+kept, "")
	}
	var left *machine.Left
	if err == nil {
		left, err = machine.Leftover(l.Tree, machine.JournalPath())
	}
	if err == nil && left != nil {
		l.Warn(left.String()+": it is put back before anything is measured", "")
		var done machine.Restored
		done, err = left.Restore()
		l.tellRestored(done)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}

// lookAgain is the interval for checking a lock held by somebody else: each check disturbs their
// measurement a little.
const lookAgain = time.Second

// turn locks the machine for the campaign in a folder, and prints what it waits for.
func (l *Lab) turn(ctx context.Context, dir string, wait time.Duration) (release func() error, err error) {
	var until time.Time
	for told := (*machine.HeldError)(nil); ; {
		release, err = machine.Lock(machine.LockPath(), dir)
		var held *machine.HeldError
		switch {
		case !errors.As(err, &held) || wait <= 0:
			return release, err
		case told == nil: // starts here, so even a short wait is reported, however long the first attempt took
			until = time.Now().Add(wait)
		case !time.Now().Before(until):
			return release, err
		}
		left := time.Until(until)
		if told == nil || *told != *held {
			told = held
			fmt.Fprintf(l.Err, "waiting for up to %s: %v (Ctrl-C ends the waiting)\n", figure.Roughly(left), held)
		}
		select {
		case <-ctx.Done():
			return nil, errors.New("interrupted while it waited: nothing was started")
		case <-time.After(min(left, lookAgain)):
		}
	}
}

// tellRestored warns about changes that could not be put back, or were left to somebody else.
func (l *Lab) tellRestored(r machine.Restored) {
	for _, s := range slices.Concat(r.Left, r.Problems) {
		l.Warn(s, "")
	}
	if len(r.Problems) > 0 {
		l.Hint("try again with: moobench doctor --restore")
	}
}

// quieten sets the machine as the campaign wants, and then describes it.
func (s *Session) quieten(dir string) (*machine.Quiet, results.Machine, error) {
	m, tree := s.File.Machine, s.lab.Tree
	place := func() (cpu.Placement, error) { return demand.Place(m, tree) }
	q, err := machine.Quieten(tree, machine.JournalPath(), dir, place, demand.Wishes(m))
	if err != nil {
		return nil, results.Machine{}, err
	}
	host := machine.Observe(tree, q.Placement)
	host.Knobs = q.States()
	if m.PinPolicy != "" {
		host.Knobs = append(host.Knobs, results.KnobState{
			Name: "pin", Wanted: m.CPUs, Got: q.Placement.Fixture.String(), Policy: m.PinPolicy,
		})
	}
	if m.Host != "" {
		k := results.KnobState{
			Name: "host", Found: host.Host, Wanted: m.Host, Got: host.Host, Policy: results.PolicyTry,
		}
		if k.Unmet() {
			k.Reason = "this is another machine: a gate gives no verdict here"
		}
		host.Knobs = append(host.Knobs, k)
	}
	s.lab.calibrated(&host)
	return q, host, nil
}

// calibrated adds the machine's last calibration. An unreadable one only causes a warning, because
// measuring does not need it.
func (l *Lab) calibrated(host *results.Machine) {
	c, err := doctor.LastCalibration(host.ID)
	if err != nil {
		l.Warn(err.Error()+": reports can't tell whether this machine recovers a known cost", refusal.Do(err))
	}
	host.Calibration = c
}

// canVary checks, before the first JVM, that the machine can give each cell its number of CPUs and
// its frequency.
func (s *Session) canVary(q *machine.Quiet) error {
	var unmet []knob.State
	var errs []error
	seen := map[string]bool{}
	for _, c := range s.Plan.Cells {
		frequency, cpus := c.Parameter(results.FactorFrequency), c.Int(results.FactorCPUs)
		key := fmt.Sprint(frequency, cpus)
		if seen[key] {
			continue
		}
		seen[key] = true
		if frequency != "" {
			unmet = append(unmet, demand.Unmet(s.lab.Tree, q.Placement, frequency)...)
		}
		if cpus == 0 { // the campaign's CPUs
			continue
		}
		_, err := q.Placement.Take(int(cpus))
		if kept := len(q.Placement.Fixture); err == nil && int(cpus) > kept && q.Subject().ControlGroup != "" {
			err = fmt.Errorf("cpus = %d are more than the %d that the knob cpuset keeps for the fixture", cpus, kept)
			err = refusal.New(err,
				`take more CPUs with pin in [machine], or take cpuset out: cpuset = { policy = "observe" }`)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Label(), err))
		}
	}
	if len(unmet) > 0 {
		return refusal.New(&machine.RequireError{Unmet: unmet, For: "the factor frequency can't be set here"},
			"take frequency out of the [[scenario]], or measure where the frequency can be set")
	}
	return errors.Join(errs...)
}

// scratch is an empty folder in the user's cache for one machine, which is locked.
type scratch struct {
	host       results.Machine
	cache, dir string
	release    func() error
}

// scratch locks the machine, and empties its folder of this kind.
func (l *Lab) scratch(ctx context.Context, kind string, wait time.Duration) (scratch, error) {
	host, _, err := machine.Look(l.Tree)
	cache, homeless := safefile.CacheFolder()
	if err := cmp.Or(err, homeless); err != nil {
		return scratch{}, err
	}
	place := scratch{host: host, cache: cache, dir: filepath.Join(cache, kind, host.ID)}
	if place.release, err = l.lock(ctx, place.dir, wait); err != nil {
		return scratch{}, err
	}
	// As root, nothing is removed or written where others could redirect it.
	err = safefile.MakeCache(filepath.Dir(place.dir))
	if err == nil {
		err = removeUnowned(place.dir)
	}
	if err != nil {
		return scratch{}, errors.Join(err, place.release())
	}
	return place, nil
}

// removeUnowned removes a folder, unless it is locked by a process that does not share this
// machine's lock.
func removeUnowned(dir string) error {
	free, err := results.Lock(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.RemoveAll(dir)
		free()
	}
	if err != nil {
		return fmt.Errorf("removing what an earlier run left: %w", err)
	}
	return nil
}

// Calibrate measures a known cost on this machine, like any other cost. It reports whether the cost
// was recovered, and what overhead would show within some time, and stores that for later reports.
// It replaces the files of an earlier calibration.
func (l *Lab) Calibrate(
	ctx context.Context, toml []byte, o Options, within time.Duration,
) (*doctor.Calibration, error) {
	s, err := l.Parse(o, "calibrate.toml", toml)
	if err != nil {
		return nil, err
	}
	place, err := l.scratch(ctx, "calibrations", o.Wait)
	if err != nil {
		return nil, err
	}
	defer place.release()
	m := &measuring{
		Session: s, dir: place.dir,
		hint: "a calibration is not resumed: start it again with: moobench doctor --calibrate",
	}
	if err := m.carry(ctx, between("orphans", "put back")); err != nil {
		return nil, err
	}
	s.tellStandards()
	c, err := doctor.Judge(place.host, m.store, within, l.Moobench)
	if err != nil {
		return nil, err
	}
	if c.Calibration != nil {
		err = doctor.SaveCalibration(place.cache, place.host.ID, *c.Calibration)
	}
	return c, err
}

// Examine checks everything that measuring needs, for the named benchmarks.toml if there is one. It
// changes nothing.
func (l *Lab) Examine(ctx context.Context, named ...string) (*doctor.Checkup, error) {
	if len(named) == 0 {
		return l.examine(ctx, nil, false)
	}
	s, err := l.Open(Options{}, named...)
	if err != nil {
		return nil, err
	}
	return l.examine(ctx, s.File, s.bundle != nil)
}

func (l *Lab) examine(ctx context.Context, file *config.File, bundled bool) (*doctor.Checkup, error) {
	c := doctor.Case{
		Tree: l.Tree, File: file, Bundled: bundled,
		Fixtures: func() (*fixture.Builder, error) { return l.Fixtures("") },
		Java:     func() (jvm.Java, error) { return jvm.Find("") },
	}
	if file != nil {
		c.Java = func() (jvm.Java, error) { return findJava(file, file.JVM.Home) }
	}
	return doctor.Examine(ctx, c)
}
