package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"moobench/examples/nightly"
	"moobench/refusal"
	"moobench/results/safefile"
)

// plainPath is one that a crontab and a unit file read as it stands.
var plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._+-]*$`)

// initNightly writes the files of a nightly run to a folder. What is there
// already is left as it is.
func (t *terminal) initNightly(dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("writing the nightly run: %w", err)
	}
	who := t.nightlyUser()
	var wrote, left []string
	for _, f := range nightly.Files() {
		text, err := f.Text()
		if err != nil {
			return fmt.Errorf("reading what moobench brings along: %w", err)
		}
		if plainPath.MatchString(whole) {
			text = strings.ReplaceAll(text, nightly.Placeholder, whole)
		}
		text = strings.ReplaceAll(text, nightly.UserPlaceholder, who)
		path := filepath.Join(dir, filepath.FromSlash(f.Target))
		switch err := writeFresh(path, text, f.Executable); {
		case errors.Is(err, fs.ErrExist):
			left = append(left, path)
		case err != nil:
			return refusal.New(fmt.Errorf("writing %s: %w", visible(path), err), "choose another folder with -o")
		default:
			wrote = append(wrote, path)
		}
	}
	return t.sayNightly(dir, whole, wrote, left)
}

// plainUser is a name that a unit file reads as it stands.
var plainUser = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`)

// nightlyUser is who the service is to run as: who writes its files. Where that one
// has no name, the unit's reader has to say.
func (t *terminal) nightlyUser() string {
	u, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	if err != nil || !plainUser.MatchString(u.Username) {
		fmt.Fprintf(t.err, "moobench: warning: moobench.service names the user %s: put there who is to measure\n", nightly.UserPlaceholder)
		return nightly.UserPlaceholder
	}
	return u.Username
}

// sayNightly says what was written, and what comes next.
func (t *terminal) sayNightly(dir, whole string, wrote, left []string) error {
	if len(wrote) == 0 {
		return refusal.New(fmt.Errorf("all files of a nightly run are in %s already, and none is overwritten", visible(dir)), "name another folder with -o")
	}
	for _, path := range left {
		fmt.Fprintf(t.err, "moobench: warning: %s exists and is left as it is: write the nightly run to another folder with -o to compare\n", visible(path))
	}
	if !plainPath.MatchString(whole) {
		fmt.Fprintf(t.err, "moobench: warning: moobench.service and crontab name the folder %s: a unit file would read yours otherwise, so put it there yourself\n", nightly.Placeholder)
	}
	for _, path := range wrote {
		fmt.Fprintf(t.out, "wrote %s\n", visible(path))
	}
	_, err := fmt.Fprintf(t.out, "next: %s says how the first night comes about\n", visible(filepath.Join(dir, "NIGHTLY.md")))
	return err
}

// writeFresh writes a file whole, with its folders, unless there is one: that is
// fs.ErrExist.
func writeFresh(path, text string, executable bool) error {
	mode := os.FileMode(0o666)
	if executable {
		mode = 0o777
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return safefile.New(path, mode, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
}
