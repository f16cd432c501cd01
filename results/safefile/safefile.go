// Package safefile opens and writes files outside a campaign after checking who can
// change them. Linux only.
//
// There are two kinds of file. A file that the user named is read whoever owns it, but it must be regular, and
// its length is limited. A file that moobench looks for by itself, in a cache, a temporary folder or the JVM's,
// must in addition be out of reach of other users: only root may change files that root runs, writes or relies
// on.
package safefile

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Refusal is the error for a file or folder that is not safe to use.
type Refusal struct {
	path string
	Why  string
}

func (e *Refusal) Error() string { return e.path + " is not used: " + e.Why }

func refuse(path, why string, args ...any) error {
	return &Refusal{path, fmt.Sprintf(why, args...)}
}

// Open opens a regular file, also through links. A pipe, a device or a folder is refused without blocking.
func Open(name string) (*os.File, error) {
	return open(name, os.O_RDONLY, 0)
}

// Read reads a regular file of at most limit bytes, also through links.
func Read(name string, limit int64) ([]byte, error) {
	return content(name, limit, Open)
}

// OpenIn opens a regular file in a folder that the user named. A link is followed only within that folder, so
// that the folder's content can't make us read anything else.
func OpenIn(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	path := filepath.Join(dir, name)
	if err == nil {
		return checked(path, f, notRegular)
	}
	if _, link := os.Readlink(path); link == nil {
		if _, there := os.Stat(path); there == nil {
			return nil, refuse(path, "it is a link that leads out of its folder")
		}
	}
	return nil, err
}

// ReadIn reads a file that OpenIn can open, of at most limit bytes.
func ReadIn(dir, name string, limit int64) ([]byte, error) {
	return content(name, limit, func(name string) (*os.File, error) { return OpenIn(dir, name) })
}

// OpenOwn opens a regular file that only this user or root can have written: it checks the file and all folders
// on its path (see CheckFolder), and refuses links.
func OpenOwn(name string) (*os.File, error) {
	if err := CheckFolder(filepath.Dir(name)); err != nil {
		return nil, err
	}
	return openAlone(name, changeable)
}

// ReadOwn reads a file that OpenOwn can open, of at most limit bytes.
func ReadOwn(name string, limit int64) ([]byte, error) {
	return content(name, limit, OpenOwn)
}

// ReadOf reads a regular file of at most limit bytes that the user uid wrote: it and its
// folder belong to that user, others may not write to them, and neither is a link. The
// folders above are not checked, because such files are in a shared temporary folder.
func ReadOf(uid int, name string, limit int64) ([]byte, error) {
	return content(name, limit, func(name string) (*os.File, error) {
		folder, err := os.Lstat(filepath.Dir(name))
		if err != nil {
			return nil, err
		}
		if why := notOf(uid, folder); !folder.IsDir() || why != "" {
			return nil, refuse(filepath.Dir(name), "%s", cmp.Or(why, "it is not a folder"))
		}
		return openAlone(name, func(file fs.FileInfo) string { return notOf(uid, file) })
	})
}

// Create makes a new file. It never opens an existing one, and follows no link.
func Create(name string, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, perm)
}

// Leave makes an empty new file in a folder that may be another user's, as a signal to a process there. remove
// removes only this file: neither a replacement, nor a file in another folder that the path leads to by then.
func Leave(folder, name string, perm fs.FileMode) (remove func(), err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	var made fs.FileInfo
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err == nil {
		made, err = f.Stat()
		err = errors.Join(err, f.Close())
	}
	if err != nil {
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

// MakeFolder makes a folder and its parents, open to this user alone, and checks them; an
// existing folder is only checked.
func MakeFolder(name string) error {
	// The existing part of the path is checked before anything is made in it.
	if err := CheckFolder(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return err
	}
	return CheckFolder(name)
}

// CheckFolder checks that only this user and root can change the content of a folder or
// replace it: it and each folder and link on its path belong to one of them, and nobody
// else may write there. A sticky folder such as /tmp may be on the path: others can't
// replace what is in it.
func CheckFolder(name string) error {
	path, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	at, rest, links := "/", strings.Split(strings.Trim(path, "/"), "/"), 0
	for len(rest) > 0 && rest[0] != "" {
		next := filepath.Join(at, rest[0])
		rest = rest[1:]
		info, err := os.Lstat(next)
		if err != nil {
			return err
		}
		switch info.Mode().Type() {
		case fs.ModeSymlink:
			if links++; links > 40 {
				return refuse(next, "there are too many links on its way")
			}
			if why := untrusted(info); why != "" {
				return refuse(next, "this link %s", why)
			}
			target, err := os.Readlink(next)
			if err != nil {
				return err
			}
			if filepath.IsAbs(target) {
				at = "/"
			}
			// Not Join: the meaning of .. depends on the target of the link.
			rest = append(strings.Split(strings.Trim(target, "/"), "/"), rest...)
			continue
		case fs.ModeDir:
		default:
			return refuse(next, "it is not a folder")
		}
		why := changeable(info)
		if sticky := info.Mode()&fs.ModeSticky != 0 && untrusted(info) == ""; why != "" && !(sticky && len(rest) > 0) {
			return refuse(next, "%s", why)
		}
		at = next
	}
	return nil
}

// open opens a regular file without blocking, or a folder where the flags ask for one.
func open(name string, flags int, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flags|unix.O_NONBLOCK, perm)
	if errors.Is(err, unix.ELOOP) && flags&unix.O_NOFOLLOW != 0 {
		return nil, refuse(name, "it is a link")
	}
	if err != nil || flags&unix.O_DIRECTORY != 0 {
		return f, err
	}
	return checked(name, f, notRegular)
}

// openAlone opens a regular file that has a single name and is not a link, unless why returns an objection.
func openAlone(name string, why func(fs.FileInfo) string) (*os.File, error) {
	f, err := open(name, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	return checked(name, f, func(info fs.FileInfo) string {
		reason := why(info)
		if n := system(info).Nlink; reason == "" && n != 1 {
			reason = fmt.Sprintf("it has %d names", n)
		}
		return reason
	})
}

// checked returns an open file, or closes it if why returns an objection.
func checked(name string, f *os.File, why func(fs.FileInfo) string) (*os.File, error) {
	info, err := f.Stat()
	if err == nil {
		if reason := why(info); reason != "" {
			err = refuse(name, "%s", reason)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// content reads a file of at most limit bytes that open can open.
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

// notRegular returns why something can't be read, "" for a regular file.
func notRegular(info fs.FileInfo) string {
	if info.Mode().IsRegular() {
		return ""
	}
	return "it is not a regular file"
}

// changeable returns why users other than this one and root can change something, "" if they can't.
func changeable(info fs.FileInfo) string {
	owner, group := untrusted(info), system(info).Gid
	switch {
	case owner != "":
		return "it " + owner
	case info.Mode()&0o002 != 0:
		return "everybody may write to it"
	case info.Mode()&0o020 != 0 && group != 0 && (os.Geteuid() == 0 || int(group) != os.Getegid()):
		// In most systems a user's own group has no other members; root's is group 0.
		return fmt.Sprintf("group %d may write to it", group)
	}
	return ""
}

// notOf returns why something is not under the control of one user alone, or "".
func notOf(uid int, info fs.FileInfo) string {
	switch owner := int(system(info).Uid); {
	case owner != uid:
		return fmt.Sprintf("it belongs to user %d", owner)
	case info.Mode()&0o022 != 0:
		return "others may write to it"
	}
	return ""
}

// untrusted returns the owner of something, "" if that is this user or root.
func untrusted(info fs.FileInfo) string {
	if owner := int(system(info).Uid); owner != 0 && owner != os.Geteuid() {
		return fmt.Sprintf("belongs to user %d", owner)
	}
	return ""
}

func system(info fs.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// Digest returns the SHA-256, in hex, of a file of at most most bytes; open is Open or OpenOwn. A longer file
// is refused before it is read, since a sparse file may have any length. It stops when ctx is done.
func Digest(ctx context.Context, name string, most int64, open func(string) (*os.File, error)) (string, error) {
	f, err := open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return digest(ctx, f, name, most)
}

func digest(ctx context.Context, f *os.File, name string, most int64) (string, error) {
	long := func() error { return refuse(name, "it is longer than %d bytes", most) }
	if info, err := f.Stat(); err != nil {
		return "", err
	} else if info.Size() > most {
		return "", long()
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(During(ctx, f), most+1)) // it may grow meanwhile
	if err == nil && n > most {
		err = long()
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), err
}

// During wraps a file so that it can't be read once ctx is done.
func During(ctx context.Context, f *os.File) io.ReadSeekCloser { return during{ctx, f} }

type during struct {
	ctx context.Context
	*os.File
}

// Read implements io.Reader.
func (d during) Read(p []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	return d.File.Read(p)
}

// WriteTo implements io.WriterTo by Read, because the file's own WriteTo ignores ctx.
func (d during) WriteTo(to io.Writer) (int64, error) { return io.Copy(to, struct{ io.Reader }{d}) }
