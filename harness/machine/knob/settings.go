package knob

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"sync"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// look is a tree that reads each file once, however many knobs ask for it: most need the list of CPUs, which alone
// takes four files per CPU, before and after every invocation. It serves one observation of the settings, during
// which nothing is written.
type look struct {
	fs.FS
	files map[string]func() ([]byte, error)
}

func lookAt(root fs.FS) look { return look{root, map[string]func() ([]byte, error){}} }

// ReadFile implements fs.ReadFileFS.
func (l look) ReadFile(path string) ([]byte, error) {
	if l.files[path] == nil {
		l.files[path] = sync.OnceValues(func() ([]byte, error) { return fs.ReadFile(l.FS, path) })
	}
	return l.files[path]()
}

// ReadSettings returns the machine's knobs: name → value. Unreadable ones, and knobs of the subject's process, are
// absent.
func ReadSettings(root fs.FS, on cpu.Placement) map[string]string {
	root = lookAt(root)
	return readable(false, func(k Knob) (string, error) { return k.Observe(root, on) })
}

// readable calls read for the personal knobs, or the others, and returns the values that can be read.
func readable(personal bool, read func(Knob) (string, error)) map[string]string {
	values := map[string]string{}
	for _, k := range All() {
		if k.Personal() != personal {
			continue
		}
		if v, err := read(k); err == nil && v != "" {
			values[k.Name] = v
		}
	}
	return values
}

// SettingsChanged returns the names of the knobs that differ, in the order of All, and for each a sentence with
// both values. Knobs that drift count only if they were wished for.
func SettingsChanged(before, after map[string]string, wishes []Wish) (names, words []string) {
	const unknown = "unknown"
	for _, k := range All() {
		wished := slices.ContainsFunc(wishes, func(w Wish) bool { return w.Knob == k.Name && w.Value != "" })
		was, is := before[k.Name], after[k.Name]
		if was == is || k.Drifts && !wished {
			continue
		}
		names = append(names, k.Name)
		words = append(words, fmt.Sprintf("%s was changed from %s to %s",
			k.Name, cmp.Or(was, unknown), cmp.Or(is, unknown)))
	}
	return names, words
}

// ReadSubject returns a living process's own knobs: name → value, plus "cpus", the CPUs that it may use.
// Unreadable ones are absent.
func ReadSubject(root fs.FS, pid int) map[string]string {
	got := readable(true, func(k Knob) (string, error) { return k.readProcess(root, pid) })
	if cpus := kernel.Value(kernel.Text(root, "proc/"+strconv.Itoa(pid)+"/status"), "Cpus_allowed_list"); cpus != "" {
		got["cpus"] = cpus
	}
	return got
}
