package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// Kept is a content-addressed folder, <dir>/<sha256>/<base name>: the jars of past nights, so that they can be
// re-measured after their own paths hold something else. Any number of processes may add files at a time,
// because each one appears whole.
type Kept struct {
	dir  string
	step steps
}

// OpenKept returns the Kept in a folder, which is made when the first file is kept.
func OpenKept(dir string) *Kept { return &Kept{dir: dir} }

// digestName matches the name of a folder in Kept. A name from a history's line is untrusted and must match
// before it becomes a path.
var digestName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// errNotKept is the error for content that is not kept.
var errNotKept = fmt.Errorf("it is not kept: %w", fs.ErrNotExist)

// Keep stores a copy of a file, and returns its base name and digest. Content that is stored already is not
// written again, unless it is damaged.
func (k *Kept) Keep(path string) (Artifact, error) {
	sum, err := hashFile(context.Background(), path, mostBytes)
	if err != nil {
		return Artifact{}, err
	}
	if _, err := k.Path(sum); err != nil {
		// The copy's own checksum counts: the file may have changed meanwhile.
		if sum, err = k.copy(path); err != nil {
			return Artifact{}, diskError("keeping", path, err)
		}
	}
	return Artifact{Name: filepath.Base(path), SHA256: sum}, nil
}

// copy copies a file under a temporary name beside its final place, and renames it.
func (k *Kept) copy(path string) (sum string, err error) {
	if err := errors.Join(k.step.at("mkdir kept"), os.MkdirAll(k.dir, 0o777)); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(k.dir, tmpPrefix)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp) // already gone if it was renamed
	in, err := safefile.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	if err := errors.Join(os.Chmod(tmp, 0o755), k.step.at("create kept")); err != nil {
		return "", err
	}
	name := filepath.Join(tmp, filepath.Base(path))
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(out, in)
	if err := closeSynced(out, errors.Join(err, k.step.at("write kept"))); err != nil {
		return "", err
	}
	sum, err = hashFile(context.Background(), name, mostBytes)
	if err := errors.Join(err, k.step.at("sync kept"), safefile.Sync(tmp)); err != nil {
		return "", err
	}
	return sum, k.publish(tmp, sum)
}

// publish gives a copy its final name. An existing copy has the same content and stays, or it is damaged and is
// replaced.
func (k *Kept) publish(tmp, sum string) error {
	place := filepath.Join(k.dir, sum)
	err := k.step.publish(tmp, place)
	if !errors.Is(err, fs.ErrExist) && !errors.Is(err, unix.ENOTDIR) {
		return err
	}
	if _, there := k.Path(sum); there == nil {
		return nil // another process was faster
	}
	return errors.Join(os.RemoveAll(place), k.step.publish(tmp, place))
}

// Path returns the path of the file with this content, and verifies the content. For a damaged file it returns
// an *Error that says so, for a missing one fs.ErrNotExist.
func (k *Kept) Path(sha256 string) (string, error) {
	path, err := k.find(sha256)
	if err != nil {
		return "", err
	}
	got, err := hashFile(context.Background(), path, mostBytes)
	if err != nil {
		return "", err
	}
	if got != sha256 {
		return "", newError(problemDamaged, "verifying", path,
			"its checksum is not that of its folder: it was changed or damaged", "remove it")
	}
	return path, nil
}

// find returns the path of the only file in a content's folder, unverified.
func (k *Kept) find(sha256 string) (string, error) {
	if !digestName.MatchString(sha256) {
		return "", fmt.Errorf("looking for a kept file: %q is not a SHA-256 (want 64 small hexadecimal digits)", sha256)
	}
	dir := filepath.Join(k.dir, sha256)
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return "", &Error{problemOther, "looking for", dir, errNotKept, ""}
	case err != nil:
		return "", diskError("looking for", dir, err)
	case len(entries) > 1 || !entries[0].Type().IsRegular():
		return "", newError(problemDamaged, "looking for", dir,
			"it does not hold one file", "moobench didn't leave it so: remove it")
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

// All lists the kept files, unverified (see Path). A missing folder holds none.
func (k *Kept) All() ([]Artifact, error) {
	entries, err := os.ReadDir(k.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diskError("reading", k.dir, err)
	}
	var all []Artifact
	for _, e := range entries {
		if path, err := k.find(e.Name()); err == nil {
			all = append(all, Artifact{Name: filepath.Base(path), SHA256: e.Name()})
		}
	}
	return all, nil
}

// Remove removes the file with this content, if it is there.
func (k *Kept) Remove(sha256 string) error {
	if !digestName.MatchString(sha256) {
		return fmt.Errorf("removing a kept file: %q is not a SHA-256 (want 64 small hexadecimal digits)", sha256)
	}
	dir := filepath.Join(k.dir, sha256)
	return diskError("removing", dir, os.RemoveAll(dir))
}

// Recover removes the copies that a killed moobench left half-written. Call it
// only while nobody keeps anything in the folder.
func (k *Kept) Recover() error {
	digits := func(name string) bool { return strings.Trim(name, "0123456789") == "" }
	names, err := leftovers(os.DirFS(k.dir), ".", digits)
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(filepath.Join(k.dir, name)))
	}
	return diskError("removing what was left half-written in", k.dir, err)
}
