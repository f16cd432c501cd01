package safefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// nobody is a user who is neither this one nor root.
const nobody = 65534

// private is a folder that passes CheckFolder, whatever TMPDIR is.
func private(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := CheckFolder(dir); err != nil {
		t.Skip("the temporary folder can be changed by others:", err)
	}
	return dir
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func asRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
}

// refused is an error that says why a file is not used.
func refused(t *testing.T, err error, why string) {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) || !strings.Contains(r.Why, why) {
		t.Errorf("%v: want a refusal with %q", err, why)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "12345")
	link := filepath.Join(dir, "link")
	pipe := filepath.Join(dir, "pipe")
	if err := errors.Join(os.Symlink(file, link), unix.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, link} {
		if data, err := Read(name, 5); string(data) != "12345" || err != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	_, err := Read(file, 4)
	refused(t, err, "longer than 4 bytes")
	for _, name := range []string{pipe, dir, "/dev/zero"} {
		_, err := Read(name, 1<<20)
		refused(t, err, "not a regular file")
	}
}

func TestReadIn(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "victim"), "secret")
	write(t, filepath.Join(folder, "below", "file"), "ours")
	for name, target := range map[string]string{"inside": "below/file", "outside": "../victim", "absolute": filepath.Join(dir, "victim"), "up": "..", "nowhere": "missing"} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"below/file", "inside"} {
		if data, err := ReadIn(folder, name, 4); string(data) != "ours" || err != nil {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"outside", "absolute", "up/victim"} {
		if data, err := ReadIn(folder, name, 100); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	_, err := OpenIn(folder, "outside")
	refused(t, err, "leads out of its folder")
	_, err = OpenIn(folder, "pipe")
	refused(t, err, "not a regular file")
	_, err = ReadIn(folder, "inside", 3)
	refused(t, err, "longer than 3 bytes")
	for _, name := range []string{"missing", "nowhere"} {
		if _, err := OpenIn(folder, name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadOwn(t *testing.T) {
	dir := private(t)
	file := write(t, filepath.Join(dir, "file"), "mine")
	if data, err := ReadOwn(file, 100); string(data) != "mine" || err != nil {
		t.Fatalf("%q, %v", data, err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	_, err := ReadOwn(link, 100)
	refused(t, err, "link")
	if err := os.Link(file, filepath.Join(dir, "second")); err != nil {
		t.Fatal(err)
	}
	_, err = ReadOwn(file, 100)
	refused(t, err, "2 names")
	open := write(t, filepath.Join(dir, "open"), "all")
	if err := os.Chmod(open, 0o606); err != nil {
		t.Fatal(err)
	}
	_, err = ReadOwn(open, 100)
	refused(t, err, "everybody")
}

func TestReadOwnOfAnother(t *testing.T) {
	asRoot(t)
	dir := private(t)
	file := write(t, filepath.Join(dir, "file"), "his")
	if err := os.Chown(file, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	_, err := ReadOwn(file, 100)
	refused(t, err, "user 65534")
	if _, err := ReadOf(nobody, file, 100); err == nil {
		t.Error("read in a folder of another user's")
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadOf(nobody, file, 100); string(data) != "his" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if err := os.Chown(file, 0, 0); err != nil {
		t.Fatal(err)
	}
	_, err = ReadOwn(file, 100)
	refused(t, err, "user 65534") // who can exchange it
	_, err = ReadOf(nobody, file, 100)
	refused(t, err, "user 0")
}

func TestCheckFolder(t *testing.T) {
	dir := private(t)
	sticky, inside := filepath.Join(dir, "sticky"), filepath.Join(dir, "sticky", "inside")
	if err := errors.Join(os.MkdirAll(inside, 0o700), os.Chmod(sticky, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	if err := CheckFolder(inside); err != nil {
		t.Error("in a sticky folder:", err)
	}
	refused(t, CheckFolder(sticky), "everybody")
	if err := os.Chmod(sticky, 0o777); err != nil {
		t.Fatal(err)
	}
	refused(t, CheckFolder(inside), "everybody")
	if err := os.Chmod(sticky, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("sticky/../sticky/inside", link); err != nil {
		t.Fatal(err)
	}
	if err := CheckFolder(link); err != nil {
		t.Error("by a link of our own:", err)
	}
	if os.Geteuid() == 0 {
		if err := os.Lchown(link, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		refused(t, CheckFolder(link), "this link belongs to user 65534")
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	refused(t, CheckFolder(loop), "too many links")
	if err := CheckFolder(filepath.Join(dir, "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestMakeFolder(t *testing.T) {
	dir := filepath.Join(private(t), "a", "b")
	if err := MakeFolder(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	victim := write(t, filepath.Join(dir, "victim"), "whole")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{victim, link} {
		if f, err := Create(name, 0o600); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func TestLeave(t *testing.T) {
	dir := t.TempDir()
	victim := write(t, filepath.Join(dir, "victim"), "whole")
	for name, target := range map[string]string{"link": victim, "nowhere": filepath.Join(dir, "new"), "victim": ""} {
		if target != "" {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Leave(dir, name, 0o600); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
		t.Error("a link was followed")
	}
	file := filepath.Join(dir, "left")
	for _, exchange := range []bool{false, true} {
		remove, err := Leave(dir, "left", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if exchange {
			if err := os.Rename(victim, file); err != nil {
				t.Fatal(err)
			}
		}
		remove()
		if text, err := os.ReadFile(file); (err == nil) != exchange || exchange && string(text) != "whole" {
			t.Errorf("exchanged %v: %q, %v", exchange, text, err)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	is := func(name, want string) {
		t.Helper()
		if got, err := os.ReadFile(name); string(got) != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	beside := write(t, file+".tmp", "the user's own")
	if err := errors.Join(os.Symlink("file", link), Replace(file, text("first"))); err != nil {
		t.Fatal(err)
	}
	is(file, "first")
	if err := errors.Join(os.Chmod(file, 0o640), Replace(link, text("second"))); err != nil {
		t.Fatal(err)
	}
	is(file, "second")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone:", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Error("another mode:", info.Mode(), err)
	}
	failed := errors.New("no more")
	if err := Replace(file, func(w io.Writer) error { _ = text("half")(w); return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	is(file, "second")
	is(beside, "the user's own")
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp-*")); len(left) > 0 {
		t.Error("left behind:", left)
	}
	refused(t, Replace(dir, text("")), "folder")
}

// What is not a regular file is written to, and stays what it is.
func TestReplaceKeepsADevice(t *testing.T) {
	asRoot(t)
	null := filepath.Join(t.TempDir(), "null")
	if err := unix.Mknod(null, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3))); err != nil {
		t.Skip("no device can be made here:", err)
	}
	err := Replace(null, func(w io.Writer) error { _, err := io.WriteString(w, "away"); return err })
	if info, stat := os.Lstat(null); err != nil || stat != nil || info.Mode()&os.ModeDevice == 0 {
		t.Error(err, stat, info)
	}
}

// What this process has open is written to, and keeps what is in it: a shell's >>
// is a regular file.
func TestReplaceOfWhatIsOpen(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("needs /proc:", err)
	}
	file := write(t, filepath.Join(t.TempDir(), "summary"), "before\n")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fmt.Sprintf("/proc/self/fd/%d", f.Fd()), link} {
		if err := Replace(name, func(w io.Writer) error { _, err := io.WriteString(w, "more\n"); return err }); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.WriteString("after\n"); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(file); string(got) != "before\nmore\nmore\nafter\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestRenew(t *testing.T) {
	dir := t.TempDir()
	victim, link := write(t, filepath.Join(dir, "victim"), "whole"), filepath.Join(dir, "link")
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "second"} {
		if err := Renew(link, 0, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(link); string(got) != text || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if got, err := os.ReadFile(victim); string(got) != "whole" || err != nil {
		t.Errorf("what a link led to: %q, %v", got, err)
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	text := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := New(file, 0o700, text); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
	own := write(t, filepath.Join(dir, "own"), "mine")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{own, link} {
		if err := New(name, 0o666, text); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	failed := errors.New("no more")
	if err := New(filepath.Join(dir, "half"), 0o666, func(io.Writer) error { return failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v: want file, own and link", entries, err)
	}
	if got, err := os.ReadFile(own); string(got) != "mine" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
