package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// owned is a file of a user and a group.
type owned struct {
	fs.FileInfo
	mode     fs.FileMode
	uid, gid int
}

func (o owned) Mode() fs.FileMode { return o.mode }

func (o owned) Sys() any { return &syscall.Stat_t{Uid: uint32(o.uid), Gid: uint32(o.gid)} }

// TestWhoCanChange: what is this user's or root's can be changed by others only where everybody may write to it, or a
// group that others may be in.
func TestWhoCanChange(t *testing.T) {
	me, mine := os.Geteuid(), os.Getegid()
	other, theirs := me+1, mine+1
	group := func(gid int) string { return fmt.Sprintf("group %d may write to it", gid) }
	own := ""
	if me == 0 && mine != 0 {
		own = group(mine)
	}
	for _, c := range []struct {
		file owned
		want string
	}{
		{owned{mode: 0o600, uid: me, gid: mine}, ""},
		{owned{mode: 0o755, uid: 0, gid: theirs}, ""},
		{owned{mode: 0o600, uid: other, gid: mine}, fmt.Sprintf("it belongs to user %d", other)},
		{owned{mode: 0o602, uid: me, gid: mine}, "everybody may write to it"},
		{owned{mode: 0o622, uid: 0, gid: theirs}, "everybody may write to it"},
		{owned{mode: 0o620, uid: me, gid: theirs}, group(theirs)},
		{owned{mode: 0o620, uid: 0, gid: theirs}, group(theirs)},
		{owned{mode: 0o620, uid: me, gid: mine}, own},
		{owned{mode: 0o620, uid: me, gid: 0}, ""},
	} {
		if got := changeable(c.file); got != c.want {
			t.Errorf("%o of %d:%d: %q, want %q", c.file.mode, c.file.uid, c.file.gid, got, c.want)
		}
	}
	for _, c := range []struct {
		file owned
		want string
	}{
		{owned{mode: 0o700, uid: 7}, ""},
		{owned{mode: 0o755, uid: 7}, ""},
		{owned{mode: 0o720, uid: 7}, "others may write to it"},
		{owned{mode: 0o702, uid: 7}, "others may write to it"},
		{owned{mode: 0o700, uid: 8}, "it belongs to user 8"},
	} {
		if got := notOf(7, c.file); got != c.want {
			t.Errorf("%o of %d: %q, want %q", c.file.mode, c.file.uid, got, c.want)
		}
	}
}

// TestHasName: a file whose name leads to another one has none, and neither has one that was removed.
func TestHasName(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !HasName(f) {
		t.Error("it has its name")
	}
	if err := errors.Join(os.WriteFile(name+"2", nil, 0o600), os.Rename(name+"2", name)); err != nil {
		t.Fatal(err)
	}
	if HasName(f) {
		t.Error("its name leads to another file")
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if HasName(f) {
		t.Error("its name is gone")
	}
}
