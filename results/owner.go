package results

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// lockFile is locked by the owner of a campaign's folder. It is a file, because locks on folders don't reach
// other hosts; its name is temporary, since the owner removes it.
const lockFile = tmpPrefix + "lock"

// Lock makes this process the only one that writes to a campaign's folder, or
// removes it, until release is called or the process ends. The lock lies in the folder,
// so that containers and other hosts see it too. If another process holds it, the error
// is an *Error that says so.
func Lock(dir string) (release func(), err error) {
	path := filepath.Join(dir, lockFile)
	f, err := safefile.Hold(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o666, 0)
	switch {
	case errors.Is(err, safefile.ErrHeld):
		return nil, newError(problemOwned, "locking", dir,
			"another moobench writes to this campaign, here, in a container or on another host",
			"wait until it is done, or interrupt it and resume it later")
	case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return nil, &Error{
			problemDisk, "locking", dir, cause(err),
			"its file system has no locks: choose a folder on another one",
		}
	case err != nil:
		return nil, diskError("locking", dir, err)
	}
	return func() {
		// The file is removed while it is locked: a process that waits for it then looks
		// for its name again. A file that stays is harmless, because the lock ends with f.
		// If the folder was removed, the name may now belong to another lock.
		if safefile.HasName(f) {
			os.Remove(path)
		}
		f.Close()
	}, nil
}

// Own locks the folder of a campaign and unseals it, so that it can be added to. A campaign whose invocations
// changed after they were sealed is refused, because sealing it again would vouch for the changes.
func (s *Store) Own() (release func(), err error) {
	if err := cmp.Or(s.isFolder(machinesDir), s.isFolder(invocationsDir)); err != nil {
		return nil, err
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

// refresh reads campaign.json again if another owner has written it since.
func (s *Store) refresh() error {
	path := s.path(campaignFile)
	known, err := marshal(path, s.campaign)
	if err != nil {
		return err
	}
	sum, err := hashFile(context.Background(), path, maxFile)
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
	want, got, err := s.sealedChecksums()
	if err != nil || want == nil {
		return err
	}
	for _, name := range unlike(want, got) {
		// An interrupted session may itself have changed campaign.json and machines, and
		// added files.
		if want[name] != "" && name != campaignFile && !strings.HasPrefix(name, machinesDir+"/") {
			hint := restore + "; moobench verify names every such file"
			return newError(problemDamaged, "resuming", s.path(name), changedSince, hint)
		}
	}
	// MEASURED keeps the checksums of the invocations, even while nobody measures.
	maps.DeleteFunc(want, func(name, _ string) bool { return !strings.HasPrefix(name, invocationsDir+"/") })
	if err := s.step.replaceFile(s.path(measuredFile), linesOf(want)); err != nil {
		return err
	}
	path := s.path(sealedFile)
	return diskError("unsealing", path, errors.Join(s.step.at("unseal"), os.Remove(path), safefile.Sync(s.dir)))
}
