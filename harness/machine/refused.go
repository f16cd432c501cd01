package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/internal/kernel"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
)

// refused explains why a change was refused, where, and, if it needs root, how to make the changes.
func refused(err error, c knob.Change, changes []knob.Change) error {
	err = reasonFor(err, c)
	if refusal.NeedOf(err) != refusal.Root {
		return fmt.Errorf("/%s: %w", c.Path, err)
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c knob.Change) bool { return c.Kind == knob.ChangeGuard })
	if len(changes) == 0 {
		return err
	}
	do := "run moobench with sudo, or set it once by: " + commands(changes, makeFolder)
	return &refusal.Error{Why: err, Do: do, Need: refusal.Root}
}

// reasonFor turns an error of a change into a clause that explains it.
func reasonFor(err error, c knob.Change) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EROFS):
		return &refusal.Error{Why: errors.New("it is read-only here: only the host can change it"), Need: refusal.Host}
	case errors.Is(err, fs.ErrPermission) && os.Geteuid() == 0:
		why := errors.New("not even root may change it here: only the host can")
		return &refusal.Error{Why: why, Need: refusal.Host}
	case errors.Is(err, fs.ErrPermission):
		return &refusal.Error{Why: errors.New("it needs root"), Need: refusal.Root}
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the kernel has no such file")
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	if c.Kind == knob.ChangeMake {
		return err
	}
	return fmt.Errorf("the kernel refuses %s (%w)", display(c.Value), err)
}

// Commands for a ChangeMake: make the folder, or remove it to restore.
const makeFolder, removeFolder = "sudo mkdir ", "sudo rmdir "

// commands returns one line of shell that makes the changes, as root. Guards need no command.
func commands(changes []knob.Change, folder string) string {
	var lines []string
	for len(changes) > 0 {
		c := changes[0]
		n := slices.IndexFunc(changes, func(o knob.Change) bool { return o.Value != c.Value || o.Kind != c.Kind })
		if n < 0 {
			n = len(changes)
		}
		if c.Kind == knob.ChangeMake {
			lines = append(lines, folder+places(changes[:n]))
		} else {
			lines = append(lines, "echo "+quoted(c.Value)+" | sudo tee "+places(changes[:n]))
		}
		changes = changes[n:]
	}
	return strings.Join(lines, "; ")
}

var digits = regexp.MustCompile(`\d+`)

// places lists the files of changes in shell syntax. Files that differ only in their numbers become /…/cpu{0..7}/…
// or /…/cpu{0,2,5}/….
func places(changes []knob.Change) string {
	paths := results.Each(changes, func(c knob.Change) string { return quoted("/" + c.Path) })
	parts := digits.Split(paths[0], -1)
	numbers := make([][]int, len(parts)-1)
	for _, path := range paths {
		if !slices.Equal(digits.Split(path, -1), parts) {
			return strings.Join(paths, " ")
		}
		for i, text := range digits.FindAllString(path, -1) {
			numbers[i] = append(numbers[i], kernel.Int(text, 0))
		}
	}
	short, combinations := parts[0], 1
	for i, ns := range numbers {
		slices.Sort(ns)
		ns = slices.Compact(ns)
		combinations *= len(ns)
		list := strings.ReplaceAll(strings.Trim(fmt.Sprint(ns), "[]"), " ", ",")
		if last := ns[len(ns)-1]; len(ns) > 1 && last-ns[0] == len(ns)-1 {
			list = fmt.Sprintf("{%d..%d}", ns[0], last)
		} else if len(ns) > 1 {
			list = "{" + list + "}"
		}
		short += list + parts[i+1]
	}
	if combinations != len(paths) {
		return strings.Join(paths, " ")
	}
	return short
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_.,:+/@=-]+$`)

// quoted quotes a word for the shell.
func quoted(word string) string {
	if word == "" || plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// display formats a value for people.
func display(value string) string {
	return cmp.Or(strings.ReplaceAll(value, "\n", "; "), "nothing")
}
