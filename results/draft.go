package results

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"moobench/results/safefile"
	"moobench/results/summary"
)

// dumpSuffix is the end of the name of every raw dump.
const dumpSuffix = ".i64"

// Draft is an invocation that is being measured: a folder under a temporary name, for
// the files of the subject and of moobench. Seal turns it into an invocation, Discard
// removes it.
type Draft struct {
	store *Store
	id    Identity
	dir   string

	// Fits checks the summaries of the samples, while the draft is being sealed, against other knowledge of
	// them. Seal returns its error. nil: no check.
	Fits func(columns []summary.Column) error
}

// Begin makes the folder of a new invocation.
func (s *Store) Begin(id Identity) (*Draft, error) {
	if back, err := ParseIdentity(id.String()); err != nil || back != id {
		return nil, fmt.Errorf("beginning invocation: %+v is not an identity", id)
	}
	final := s.path(invocationsDir, id.String())
	if _, err := os.Lstat(final); err == nil {
		return nil, &Error{
			problemExists, "beginning invocation", final, fs.ErrExist,
			"it was measured before; resume the campaign, which knows what is there",
		}
	}
	// Absolute, because it becomes the subject's working directory.
	dir, err := filepath.Abs(s.path(invocationsDir, tmpPrefix+id.String()))
	if err != nil {
		return nil, diskError("beginning invocation", final, err)
	}
	err = errors.Join(s.step.at("begin"), os.Mkdir(dir, 0o777))
	if errors.Is(err, fs.ErrExist) {
		return nil, newError(problemExists, "beginning invocation", dir, "an unfinished one is there",
			"another moobench measures into this campaign, or one was killed: then resume it")
	}
	if err != nil {
		return nil, diskError("beginning invocation", dir, err)
	}
	return &Draft{store: s, id: id, dir: dir}, nil
}

// Dir is the absolute path of the draft's folder.
func (d *Draft) Dir() string { return d.dir }

// Discard removes the draft and everything in it.
func (d *Draft) Discard() error {
	return diskError("discarding", d.dir, os.RemoveAll(d.dir))
}

// Seal makes the draft an invocation: raw dumps become samples.parquet and
// summary.json, everything else in the folder gets a checksum, all of it is
// forced to disk, and the folder takes its name. The invocation is there whole
// or not at all.
//
// Seal fills in inv's Format, Identity and Files; scalars that are NaN were not
// observed and are dropped. With StatusFailed inv loses its series and scalars, and
// raw dumps are removed: a failed invocation has logs, and no numbers.
//
// When Seal fails, the draft is still there: seal it again as failed (with
// FailureKind of the error), or discard it.
func (d *Draft) Seal(inv *Invocation) error {
	if err := d.seal(inv); err != nil {
		return fmt.Errorf("sealing %s: %w", d.id, err)
	}
	return nil
}

func (d *Draft) seal(inv *Invocation) error {
	inv.Format, inv.Identity = Format, d.id
	inv.Command, _ = CutSecrets(inv.Command) // stored commands are shown and passed on
	inv.Env, _ = CutSecrets(inv.Env)
	switch {
	case inv.Status == StatusFailed && inv.Failure != nil:
		inv.Series, inv.Scalars = nil, nil
	case inv.Status == StatusOK && inv.Failure == nil:
	default:
		return fmt.Errorf("status %q and failure %v contradict each other", inv.Status, inv.Failure)
	}
	for name, v := range inv.Scalars {
		if math.IsNaN(v) {
			delete(inv.Scalars, name)
		} else if math.IsInf(v, 0) {
			return fmt.Errorf("scalar %s is %v", name, v)
		}
	}
	if err := checkSeries(inv.Series); err != nil {
		return err
	}
	// Sockets, pipes and links that a subject left in its working directory can't be copied
	// or checked.
	removeIrregular := func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Type().IsRegular() {
			return err
		}
		return os.Remove(path)
	}
	err := errors.Join(d.store.step.at("tidy"), filepath.WalkDir(d.dir, removeIrregular))
	if err != nil {
		return diskError("tidying", d.dir, err)
	}
	dumps, err := d.convert(inv)
	if err != nil {
		return err
	}
	// invocation.json has the checksums of all other files except the dumps, which are removed.
	skip := map[string]bool{invocationFile: true}
	for _, name := range dumps {
		skip[name] = true
	}
	if inv.Files, err = hashFiles(context.Background(), d.dir, anyLength, skip); err != nil {
		return err
	}
	path := filepath.Join(d.dir, invocationFile)
	data, err := marshal(path, inv)
	if err != nil {
		return err
	}
	if err := d.store.step.writeFile(path, data); err != nil {
		return err
	}
	if err := d.store.measure(d.id, data); err != nil {
		return err
	}
	return diskError("writing", d.dir, d.publish(dumps))
}

// publish removes the dumps, makes everything durable and gives the folder its name.
func (d *Draft) publish(dumps []string) error {
	step := d.store.step
	for _, name := range dumps {
		if err := errors.Join(step.at("remove "+name), os.Remove(filepath.Join(d.dir, name))); err != nil {
			return err
		}
	}
	sync := func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = safefile.Sync(path)
		}
		return err
	}
	err := errors.Join(step.at("sync draft"), filepath.WalkDir(d.dir, sync))
	if err != nil {
		return err
	}
	return step.publish(d.dir, d.store.path(invocationsDir, d.id.String()))
}
