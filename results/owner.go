package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// lockFile is locked by the owner of a campaign's folder: a file, because folders
// are not locked across hosts. Its name is temporary, since it goes with the owner.
const lockFile = tmpPrefix + "lock"

// Lock makes this process the only one that writes to a campaign's folder, or
// removes it, until release is called or the process ends. The lock lies in the
// folder, so that those see it, too, who don't share the machine's: a container, or
// another host. Who holds it already is an *Error with ProblemOwned.
func Lock(dir string) (release func(), err error) {
	path := filepath.Join(dir, lockFile)
	f, err := safefile.Hold(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o666, 0)
	switch {
	case errors.Is(err, safefile.ErrHeld):
		return nil, &Error{
			Problem: ProblemOwned, Op: "locking", Path: dir, Err: errors.New("another moobench writes to this campaign, here, in a container or on another host"),
			Hint: "wait until it is done, or interrupt it and resume it later",
		}
	case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return nil, &Error{
			Problem: ProblemDisk, Op: "locking", Path: dir, Err: cause(err),
			Hint: "its file system has no locks: choose a folder on another one",
		}
	case err != nil:
		return nil, diskError("locking", dir, err)
	}
	return func() {
		// Removed while it is held: whoever waits for it then looks for its name again.
		// What can't be removed is harmless, because the lock itself goes with f. Where
		// the folder was removed, another one's lock may have the name now.
		if safefile.HasName(f) {
			os.Remove(path)
		}
		f.Close()
	}, nil
}

// Own locks the folder of a campaign, and prepares it to be added to: it is not
// sealed any more. A campaign whose invocations are not as they were sealed is
// refused, for sealing it again would vouch for what was changed.
func (s *Store) Own() (release func(), err error) {
	for _, dir := range []string{machinesDir, invocationsDir} {
		if err := s.isFolder(dir); err != nil {
			return nil, err
		}
	}
	release, err = Lock(s.dir)
	if err != nil {
		return nil, err
	}
	if err = s.refresh(); err == nil {
		err = s.unseal()
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// refresh reads campaign.json again where another owner has written it since.
func (s *Store) refresh() error {
	path := s.path(campaignFile)
	known, err := marshal(path, s.campaign)
	if err != nil {
		return err
	}
	sum, err := hashFile(path)
	if err != nil || sum == hashOf(known) {
		return err
	}
	fresh, err := Open(s.dir)
	if err != nil {
		return err
	}
	*s.campaign = *fresh.campaign
	return nil
}

// unseal removes SEALED, which is written again when the campaign is complete.
func (s *Store) unseal() error {
	want, err := s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	got, err := s.checksums()
	if err != nil {
		return err
	}
	for _, name := range unlike(want, got) {
		// An interrupted session may itself have changed campaign.json and machines, and
		// added files.
		if want[name] == "" || name == campaignFile || strings.HasPrefix(name, machinesDir+"/") {
			continue
		}
		return &Error{
			Problem: ProblemDamaged, Op: "resuming", Path: s.path(name), Err: errors.New(changedSince),
			Hint: restore + "; moobench verify names every such file",
		}
	}
	path := s.path(sealedFile)
	return diskError("unsealing", path, errors.Join(s.step.at("unseal"), os.Remove(path), syncPath(s.dir)))
}
