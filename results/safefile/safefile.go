// Package safefile is the door to files that lie outside a campaign: it tells
// whose they are before they are used. Linux only.
//
// There are two kinds of file. One that the user named is read whoever owns it, but it
// must be a regular file, and it has a limit of bytes. One that moobench looks for by itself, in a
// cache, a temporary folder or the JVM's, must in addition be out of reach of other users: what
// decides what root runs, writes or believes can be changed by root alone.
package safefile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Refusal says why a file or folder is not used.
type Refusal struct {
	Path string
	Why  string
}

func (e *Refusal) Error() string { return e.Path + " is not used: " + e.Why }

func refuse(path, why string, args ...any) error {
	return &Refusal{path, fmt.Sprintf(why, args...)}
}

// Open opens a regular file, also through links. A pipe, a device or a folder is
// refused without waiting for it.
func Open(name string) (*os.File, error) {
	return open(name, 0)
}

// Read reads a regular file of at most limit bytes, also through links.
func Read(name string, limit int64) ([]byte, error) {
	return content(name, limit, Open)
}

// OpenIn opens a regular file in a folder that the user named. A link is followed
// as long as it stays in that folder: who fills it does not choose what else is read.
func OpenIn(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err == nil {
		return regular(filepath.Join(dir, name), f)
	}
	path := filepath.Join(dir, name)
	if _, link := os.Readlink(path); link == nil {
		if _, there := os.Stat(path); there == nil {
			return nil, refuse(path, "it is a link that leads out of its folder")
		}
	}
	return nil, err
}

// ReadIn reads what OpenIn opens, at most limit bytes.
func ReadIn(dir, name string, limit int64) ([]byte, error) {
	return content(name, limit, func(name string) (*os.File, error) { return OpenIn(dir, name) })
}

// OpenOwn opens a regular file that only this user or root can have written: it
// and all folders on its way are checked (see CheckFolder), and it is not a link.
func OpenOwn(name string) (*os.File, error) {
	if err := CheckFolder(filepath.Dir(name)); err != nil {
		return nil, err
	}
	return openChecked(name, func(s *unix.Stat_t) string { return changeable(s, os.Geteuid()) })
}

// ReadOwn reads what OpenOwn opens, at most limit bytes.
func ReadOwn(name string, limit int64) ([]byte, error) {
	return content(name, limit, OpenOwn)
}

// ReadOf reads a regular file of at most limit bytes that the user uid wrote: it and its
// folder belong to that user, others may not write to them, and neither is a link. The
// folders above are not looked at, because such files lie in a temporary folder of
// everybody's.
func ReadOf(uid int, name string, limit int64) ([]byte, error) {
	return content(name, limit, func(name string) (*os.File, error) {
		var folder unix.Stat_t
		if err := lstat(filepath.Dir(name), &folder); err != nil {
			return nil, err
		}
		if why := notOf(uid, &folder); folder.Mode&unix.S_IFMT != unix.S_IFDIR || why != "" {
			return nil, refuse(filepath.Dir(name), "%s", cmp.Or(why, "it is no folder"))
		}
		return openChecked(name, func(s *unix.Stat_t) string { return notOf(uid, s) })
	})
}

// Create makes a new file. It never opens one that is there, and follows no link.
func Create(name string, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, perm)
}

// Leave makes an empty new file in a folder that may be another user's, for
// somebody there to find. remove removes it, and nothing else: not what was put in its place, and
// nothing in another folder that the path has come to lead to.
func Leave(folder, name string, perm fs.FileMode) (remove func(), err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		root.Close()
		return nil, err
	}
	made, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		root.Close()
		return nil, err
	}
	return func() {
		defer root.Close()
		if now, err := root.Lstat(name); err == nil && os.SameFile(made, now) {
			root.Remove(name)
		}
	}, nil
}

// MakeFolder makes a folder and what it lies in, open to this user alone, and
// checks it; one that is there is only checked.
func MakeFolder(name string) error {
	// What there is on its way is checked before anything is made there.
	if err := CheckFolder(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return err
	}
	return CheckFolder(name)
}

// CheckFolder checks that nobody but this user and root can change what a folder
// holds, or exchange it: it and each folder and link on its way belong to one of them, and
// nobody else may write there. A sticky folder, as /tmp is, may be on the way: what lies there
// can't be exchanged by others.
func CheckFolder(name string) error {
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	at, rest, links := "/", strings.Split(strings.Trim(path, "/"), "/"), 0
	for len(rest) > 0 {
		if rest[0] == "" {
			break
		}
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		var s unix.Stat_t
		if err := lstat(next, &s); err != nil {
			return err
		}
		switch s.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			if links++; links > 40 {
				return refuse(next, "there are too many links on its way")
			}
			if !trusted(s.Uid, os.Geteuid()) {
				return refuse(next, "this link belongs to %s", user(s.Uid))
			}
			target, err := os.Readlink(next)
			if err != nil {
				return err
			}
			if filepath.IsAbs(target) {
				at = "/"
			}
			// Not Join: what .. means depends on what the link leads to.
			rest = append(strings.Split(strings.Trim(target, "/"), "/"), rest...)
			continue
		case unix.S_IFDIR:
		default:
			return refuse(next, "it is no folder")
		}
		why := changeable(&s, os.Geteuid())
		if sticky := s.Mode&unix.S_ISVTX != 0 && trusted(s.Uid, os.Geteuid()); why != "" && !(sticky && len(rest) > 0) {
			return refuse(next, "%s", why)
		}
		at = next
	}
	return nil
}

// open opens a regular file for reading, and waits for nobody on the way.
func open(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|flags, 0)
	if errors.Is(err, unix.ELOOP) && flags&unix.O_NOFOLLOW != 0 {
		return nil, refuse(name, "it is a link")
	}
	if err != nil {
		return nil, err
	}
	return regular(name, f)
}

// openChecked opens a regular file that has one name and is not a link, unless why
// gives a reason against it.
func openChecked(name string, why func(*unix.Stat_t) string) (*os.File, error) {
	f, err := open(name, unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	var s unix.Stat_t
	if err = statOf(f, &s); err == nil {
		if why := why(&s); why != "" {
			err = refuse(name, "%s", why)
		} else if s.Nlink != 1 {
			err = refuse(name, "it has %d names", s.Nlink)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// regular returns a file if it is a regular one, and closes it otherwise.
func regular(name string, f *os.File) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = refuse(name, "it is no regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func content(name string, limit int64, open func(string) (*os.File, error)) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, refuse(name, "it is longer than %d bytes", limit)
	}
	return data, err
}

// changeable says why somebody else than a user and root can change something,
// "" if nobody can.
func changeable(s *unix.Stat_t, euid int) string {
	switch {
	case !trusted(s.Uid, euid):
		return "it belongs to " + user(s.Uid)
	case s.Mode&unix.S_IWOTH != 0:
		return "everybody may write to it"
	case s.Mode&unix.S_IWGRP != 0 && s.Gid != 0 && (euid == 0 || int(s.Gid) != os.Getegid()):
		// A user's own group is the user's in most systems; root has none but 0.
		return fmt.Sprintf("group %d may write to it", s.Gid)
	}
	return ""
}

// notOf says why something is not of one user alone.
func notOf(uid int, s *unix.Stat_t) string {
	switch {
	case int(s.Uid) != uid:
		return "it belongs to " + user(s.Uid)
	case s.Mode&(unix.S_IWOTH|unix.S_IWGRP) != 0:
		return "others may write to it"
	}
	return ""
}

func trusted(owner uint32, euid int) bool { return owner == 0 || int(owner) == euid }

func user(uid uint32) string { return fmt.Sprintf("user %d", uid) }

func lstat(name string, s *unix.Stat_t) error {
	if err := unix.Lstat(name, s); err != nil {
		return &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return nil
}

func statOf(f *os.File, s *unix.Stat_t) error {
	if err := unix.Fstat(int(f.Fd()), s); err != nil {
		return &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return nil
}
