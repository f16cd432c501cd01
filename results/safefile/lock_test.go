package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A lock is held by one at a time, and free again when its file is closed.
func TestHold(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	open := func(wait time.Duration) (*os.File, error) { return Hold(name, os.O_RDWR|os.O_CREATE, 0o600, wait) }
	first, err := open(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, wait := range []time.Duration{0, 2 * lockPause} {
		if f, err := open(wait); !errors.Is(err, ErrHeld) {
			t.Errorf("held twice: %v, %v", f, err)
		}
	}
	first.Close()
	again, err := open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
}

// Whoever waits for the lock of a file that is removed meanwhile gets that of the
// file which then has the name.
func TestHoldOfARemovedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err := Hold(name, os.O_RDWR|os.O_CREATE, 0o600, 0)
	if err != nil {
		t.Fatal(err)
	}
	waiting, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer waiting.Close()
	if err := errors.Join(os.Remove(name), first.Close()); err != nil {
		t.Fatal(err)
	}
	if held, err := hold(waiting); held || err != nil {
		t.Errorf("the lock of a file without a name was taken: %v", err)
	}
	second, err := Hold(name, os.O_RDWR|os.O_CREATE, 0o600, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
}

// Pipes and folders are refused without waiting for them, links where they are
// not followed.
func TestHoldRefuses(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "")
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(file, link), unix.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err := Hold(pipe, os.O_RDWR, 0, 0)
	refused(t, err, "not a regular file")
	_, err = Hold(link, os.O_RDWR|unix.O_NOFOLLOW, 0, 0)
	refused(t, err, "it is a link")
	if f, err := Hold(link, os.O_RDWR, 0, 0); err != nil {
		t.Errorf("a link that may be followed: %v", err)
	} else {
		f.Close()
	}
	if _, err := Hold(dir, os.O_RDWR, 0, 0); err == nil {
		t.Error("a folder was locked")
	}
}
