package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"moobench/harness/machine/knob"
	"moobench/results"
)

// Restored reports in sentences what happened to changed settings.
type Restored struct {
	Done     []string // restored; settings found unchanged are not mentioned
	Left     []string // left alone, since somebody else has changed them meanwhile
	Problems []string // not restored; they stay in the journal for another attempt
}

// restored is a file being restored.
type restored struct {
	entry
	was      string // the setting when we began, or "gone"
	differed bool   // was differs from the original
	foreign  bool   // somebody else changed it
	err      error  // of the last attempt to restore it
}

// putBack restores the original contents in reverse order, and returns the entries that could not be restored.
// Before its first write it passes mark the entries as an interrupted putBack would leave them, with unknown
// contents.
func putBack(tree Tree, entries []entry, mark func(left []entry)) (rest []entry, said Restored) {
	var files []restored
	pending := false
	for _, e := range entries { // read all before writing, because one file may change with another
		f := restored{entry: e, was: "gone", differed: differs(tree, e)}
		if now, err := content(tree, e); err == nil {
			f.was = setting(now)
			f.foreign = f.differed && e.Kind != knob.ChangeMake && e.Got != nil && f.was != setting(*e.Got)
		}
		pending = pending || f.differed && !f.foreign
		files = append(files, f)
	}
	if pending {
		left := slices.Clone(entries)
		for i, f := range files {
			if !f.foreign {
				left[i].Got = nil
			}
		}
		mark(left)
		writeAll(tree, files)
	}
	for _, f := range files {
		if !f.foreign && differs(tree, f.entry) {
			rest = append(rest, f.refreshed(tree))
		}
	}
	return rest, summary(tree, files)
}

// differs reports whether a file is not in its original state. That includes a missing file, such as that of a CPU
// switched off.
func differs(root fs.FS, e entry) bool {
	now, err := content(root, e)
	if e.Kind == knob.ChangeMake {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return err != nil || setting(now) != setting(e.Found)
}

// writeAll repeats passes as long as they make progress: a later pass succeeds with writes that were refused at
// first, and repairs files that changed along with a later write.
func writeAll(tree Tree, files []restored) {
	for before := len(files) + 1; ; {
		wrote := 0
		for i, f := range slices.Backward(files) {
			if !f.foreign && differs(tree, f.entry) {
				wrote++
				c := f.back()
				if c.Kind == knob.ChangeMake {
					files[i].err = reasonFor(tree.Remove(c.Path), c)
					continue
				}
				files[i].err = reasonFor(write(tree, c), c)
				now, err := content(tree, f.entry)
				if kept := setting(now); files[i].err == nil && err == nil && kept != setting(f.Found) {
					files[i].err = fmt.Errorf("the kernel keeps %s", display(kept))
				}
			}
		}
		if wrote == 0 || wrote >= before {
			return
		}
		before = wrote
	}
}

// back returns the change that restores an entry.
func (e entry) back() knob.Change {
	return knob.Change{Path: e.Path, Kind: e.Kind, Value: cmp.Or(strings.TrimRight(e.Undo, "\n"), setting(e.Found))}
}

// label names an entry for people. A guarded file changes together with its knob.
func (e entry) label() string {
	if e.Kind == knob.ChangeGuard {
		return e.Knob + ", and with it " + path.Base(e.Path)
	}
	return e.Knob
}

// refreshed returns the entry with the current content of its file.
func (e entry) refreshed(root fs.FS) entry {
	e.Got = nil
	if now, err := content(root, e); err == nil {
		e.Got = &now
	}
	return e
}

// summary reports what happened to the files, with one sentence for all files of a knob with the same fate.
func summary(tree Tree, files []restored) Restored {
	var done, left, problems sentences
	for _, f := range slices.Backward(files) {
		found := display(f.back().Value)
		switch {
		case f.foreign:
			left.add(fmt.Sprintf("%s: we left %s, somebody changed it to %s, and so it stays; %s was found",
				f.label(), display(setting(*f.Got)), display(f.was), found), f.entry)
		case differs(tree, f.entry):
			problems.add(fmt.Sprintf("%s: it could not be put back: %v", f.label(), f.err), f.entry)
		case f.differed && f.Kind == knob.ChangeMake:
			done.add(f.Knob+": what was made is removed", f.entry)
		case f.differed:
			text := fmt.Sprintf("%s: %s again, was %s", f.label(), display(setting(f.Found)), display(f.was))
			if f.Got == nil && f.Kind != knob.ChangeGuard && f.was != setting(f.Wrote) {
				// In that case somebody else may have set it.
				text += " (moobench had no time to read back what its change led to)"
			}
			done.add(text, f.entry)
		}
	}
	return Restored{
		Done: done.list(func(changes []knob.Change) string { return " (" + places(changes) + ")" }),
		Left: left.list(func(changes []knob.Change) string {
			return ", and this puts it back: " + commands(changes, removeFolder)
		}),
		Problems: problems.list(func(changes []knob.Change) string {
			return "; this would do it: " + commands(changes, removeFolder)
		}),
	}
}

// sentences groups files by the sentence about them.
type sentences []sentence

type sentence struct {
	text    string
	changes []knob.Change
}

func (s *sentences) add(text string, e entry) {
	i := slices.IndexFunc(*s, func(s sentence) bool { return s.text == text && s.changes[0].Kind == e.Kind })
	if i < 0 {
		i = len(*s)
		*s = append(*s, sentence{text: text})
	}
	(*s)[i].changes = append((*s)[i].changes, e.back())
}

func (s sentences) list(end func([]knob.Change) string) []string {
	return results.Each(s, func(s sentence) string { return s.text + end(s.changes) })
}
