// Package testmachine has stand-ins for the files of a machine, which behave like a kernel's when written to,
// and fail or die on demand.
package testmachine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Rules describe files that don't simply take what is written to them.
type Rules struct{ list []rule }

type rule struct {
	verb string
	args []string
}

// verbs are the names of rules, with their numbers of arguments.
var verbs = map[string]int{
	"readonly": 1, "denied": 1, "ignores": 1, "rejects": 1, "rounds": 2, "follows": 3, "fresh": 2,
}

// ParseRules reads one rule per line; lines that don't begin with a verb are comments. A PATTERN is as in
// path.Match, or a folder with /... at the end, which matches everything in it.
//
//	readonly PATTERN            it can't be written (EROFS)
//	denied PATTERN              it needs root (EACCES)
//	ignores PATTERN             writes succeed, without effect
//	rejects PATTERN             every value is invalid (EINVAL)
//	rounds PATTERN N            a number becomes a multiple of N
//	follows PATTERN FILES VALUE a write to PATTERN sets FILES, a pattern, to
//	                            VALUE; ./ at its start is the folder of the
//	                            written file; PATTERN=WORD: only a write of
//	                            WORD does
//	fresh PATTERN VALUE         content after its CPU was switched on again
func ParseRules(text string) (Rules, error) {
	var r Rules
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		n, ok := verbs[words[0]]
		if !ok {
			continue
		}
		if len(words) != n+1 {
			return Rules{}, fmt.Errorf("rule %q: want %d words after %s", strings.TrimSpace(line), n, words[0])
		}
		r.list = append(r.list, rule{words[0], words[1:]})
	}
	return r, nil
}

func matches(pattern, name string) bool {
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(name, dir+"/")
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

func (r Rules) has(verb, name string) bool {
	return slices.ContainsFunc(r.list, func(r rule) bool { return r.verb == verb && matches(r.args[0], name) })
}

// refuses returns the error of opening a file for writing, or nil.
func (r Rules) refuses(op, name string) error {
	switch {
	case r.has("readonly", name):
		return &fs.PathError{Op: op, Path: name, Err: unix.EROFS}
	case r.has("denied", name):
		return &fs.PathError{Op: op, Path: name, Err: unix.EACCES}
	}
	return nil
}

// effect is the content of a file after a write.
type effect struct{ path, content string }

// write returns the effects of a write to a file.
func (r Rules) write(root fs.FS, name string, data []byte) ([]effect, error) {
	found, err := fs.ReadFile(root, name)
	if err == nil {
		err = r.refuses("open", name)
	}
	if err != nil {
		return nil, err
	}
	written := strings.TrimSuffix(string(data), "\n")
	if r.has("rejects", name) {
		return nil, &fs.PathError{Op: "write", Path: name, Err: unix.EINVAL}
	}
	if r.has("ignores", name) {
		return nil, nil
	}
	content, err := taken(root, name, string(found), r.rounded(name, written))
	if err != nil {
		return nil, &fs.PathError{Op: "write", Path: name, Err: err}
	}
	followers, err := r.followers(root, name, written)
	return append(followers, effect{name, content}), err
}

func (r Rules) rounded(name, written string) string {
	for _, r := range r.list {
		value, err := strconv.Atoi(written)
		if r.verb != "rounds" || !matches(r.args[0], name) || err != nil {
			continue
		}
		if n, err := strconv.Atoi(r.args[1]); err == nil && n > 0 {
			written = strconv.Itoa(value / n * n)
		}
	}
	return written
}

func (r Rules) followers(root fs.FS, name, written string) ([]effect, error) {
	var all []effect
	for _, r := range r.list {
		if r.verb != "follows" {
			continue
		}
		pattern, word, only := strings.Cut(r.args[0], "=")
		if !matches(pattern, name) || only && word != written {
			continue
		}
		files := r.args[1]
		if beside, ok := strings.CutPrefix(files, "./"); ok {
			files = path.Join(path.Dir(name), beside)
		}
		paths, err := fs.Glob(root, files)
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			all = append(all, effect{p, r.args[2] + "\n"})
		}
	}
	return all, nil
}

// taken returns the content of a file after a write.
func taken(root fs.FS, name, found, written string) (string, error) {
	switch path.Base(name) {
	case "cgroup.subtree_control":
		return controllers(root, name, found, written)
	case "scaling_max_freq", "scaling_min_freq":
		if err := limits(root, name, written); err != nil {
			return "", err
		}
	}
	if !strings.Contains(found, "[") {
		return written + "\n", nil
	}
	words := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(found))
	i := slices.Index(words, written)
	if i < 0 {
		return "", unix.EINVAL
	}
	words[i] = "[" + written + "]"
	return strings.Join(words, " ") + "\n", nil
}

// limits refuses a minimum frequency above the maximum.
func limits(root fs.FS, name, written string) error {
	other := "scaling_min_freq"
	if path.Base(name) == other {
		other = "scaling_max_freq"
	}
	b, err := fs.ReadFile(root, path.Dir(name)+"/"+other)
	if err != nil {
		return nil // there is no other limit
	}
	mine, errA := strconv.Atoi(written)
	others, errB := strconv.Atoi(strings.TrimSpace(string(b)))
	if path.Base(name) == "scaling_min_freq" {
		mine, others = others, mine
	}
	if errors.Join(errA, errB) != nil || mine < others {
		return unix.EINVAL
	}
	return nil
}

// controllers switches controllers on or off, in the order of cgroup.controllers.
func controllers(root fs.FS, name, found, written string) (string, error) {
	b, err := fs.ReadFile(root, path.Dir(name)+"/cgroup.controllers")
	if err != nil {
		return "", err
	}
	all, on := strings.Fields(string(b)), strings.Fields(found)
	for _, w := range strings.Fields(written) {
		switch {
		case !slices.Contains(all, w[1:]):
			return "", unix.ENOENT
		case w[0] == '+':
			on = append(on, w[1:])
		case w[0] == '-':
			on = slices.DeleteFunc(on, func(c string) bool { return c == w[1:] })
		default:
			return "", unix.EINVAL
		}
	}
	off := func(c string) bool { return !slices.Contains(on, c) }
	return strings.Join(slices.DeleteFunc(all, off), " ") + "\n", nil
}

// group returns the files of a new control group.
func group(root fs.FS, dir string) []effect {
	g := []effect{{dir + "/cgroup.procs", ""}}
	b, err := fs.ReadFile(root, path.Dir(dir)+"/cgroup.subtree_control")
	if err == nil && slices.Contains(strings.Fields(string(b)), "cpuset") {
		g = append(g,
			effect{dir + "/cpuset.cpus", "\n"}, effect{dir + "/cpuset.mems", "\n"},
			effect{dir + "/cpuset.cpus.partition", "member\n"})
	}
	return g
}

// mayMake returns the error of making a control group, or nil.
func (r Rules) mayMake(root fs.FS, dir string) error {
	if _, err := fs.Stat(root, dir); err == nil {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: unix.EEXIST}
	}
	if !strings.HasPrefix(dir, "sys/fs/cgroup/") {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: unix.EPERM}
	}
	return r.refuses("mkdir", dir)
}

// mayRemove returns the error of removing a control group, or nil.
func (r Rules) mayRemove(root fs.FS, dir string) error {
	procs, err := fs.ReadFile(root, dir+"/cgroup.procs")
	if err == nil && len(strings.Fields(string(procs))) > 0 {
		err = &fs.PathError{Op: "rmdir", Path: dir, Err: unix.EBUSY}
	}
	return cmp.Or(err, r.refuses("rmdir", dir))
}
