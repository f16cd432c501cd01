package knob

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// look is a tree in which each file is read once, however many knobs ask for it: most
// want to know which CPUs there are, which alone takes four files of each CPU, before and
// after every invocation. It serves for one look at the settings, during which nothing is
// written.
type look struct {
	fs.FS
	files map[string]cached
}

type cached struct {
	data []byte
	err  error
}

func lookAt(root fs.FS) look { return look{root, map[string]cached{}} }

// ReadFile implements fs.ReadFileFS.
func (l look) ReadFile(path string) ([]byte, error) {
	f, known := l.files[path]
	if !known {
		f.data, f.err = fs.ReadFile(l.FS, path)
		l.files[path] = f
	}
	return f.data, f.err
}

// ReadSettings reads the state of the machine's knobs: name → value. Knobs that can't be
// read are absent, and so are those of the subject's own process.
func ReadSettings(root fs.FS, on cpu.Placement) map[string]string {
	settings := map[string]string{}
	root = lookAt(root)
	for _, k := range All() {
		if k.Personal() {
			continue
		}
		if v, err := k.Observe(root, on); err == nil && v != "" {
			settings[k.Name] = v
		}
	}
	return settings
}

// SettingsChanged names the knobs that differ, in the order of All, each with both values
// in words. Knobs that drift by themselves count only when they were wished for.
func SettingsChanged(before, after map[string]string, wishes []Wish) (names, words []string) {
	const unknown = "unknown"
	for _, k := range All() {
		wished := slices.ContainsFunc(wishes, func(w Wish) bool { return w.Knob == k.Name && w.Value != "" })
		was, is := before[k.Name], after[k.Name]
		if was == is || k.Drifts && !wished {
			continue
		}
		names = append(names, k.Name)
		words = append(words, fmt.Sprintf("%s was changed from %s to %s", k.Name, cmp.Or(was, unknown), cmp.Or(is, unknown)))
	}
	return names, words
}

// ReadSubject reads a living process's own knobs: name → value, and "cpus", the CPUs that
// it may use. What can't be read is absent.
func ReadSubject(root fs.FS, pid int) map[string]string {
	got := map[string]string{}
	if cpus := kernel.Value(kernel.Text(root, "proc/"+strconv.Itoa(pid)+"/status"), "Cpus_allowed_list"); cpus != "" {
		got["cpus"] = cpus
	}
	for _, k := range All() {
		if !k.Personal() {
			continue
		}
		if v, err := k.ReadProcess(root, pid); err == nil && v != "" {
			got[k.Name] = v
		}
	}
	return got
}
