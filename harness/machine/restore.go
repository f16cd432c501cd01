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

// Restored is what became of what was changed, in sentences.
type Restored struct {
	Done     []string // put back; files that were as found are not named
	Left     []string // somebody else changed it meanwhile: left as it is
	Problems []string // not put back: it stays in the journal, to be tried again
}

// restored is a file that is put back.
type restored struct {
	entry
	was      string // the setting when we began, or that there was no file
	differed bool   // was is not what was found
	foreign  bool   // somebody else changed it
	err      error  // of the last attempt to put it back
}

// putBack writes back what was found, in reverse order, and returns what could not be put
// back. Before the first write it calls mark with what an interrupted putBack leaves:
// files with unknown content.
func putBack(tree Tree, entries []entry, mark func(left []entry)) (rest []entry, said Restored) {
	var files []restored
	pending := false
	for _, e := range entries { // before anything is written, because one file may change with another
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

// differs reports that a file is not as it was found. That includes one that is gone,
// such as those of a CPU that is switched off.
func differs(root fs.FS, e entry) bool {
	now, err := content(root, e)
	if e.Kind == knob.ChangeMake {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return err != nil || setting(now) != setting(e.Found)
}

// writeAll makes passes as long as they make progress: what is refused at first, or
// changes with what is put back after it, is done by the next.
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
				if now, err := content(tree, f.entry); files[i].err == nil && err == nil && setting(now) != setting(f.Found) {
					files[i].err = fmt.Errorf("the kernel keeps %s", display(setting(now)))
				}
			}
		}
		if wrote == 0 || wrote >= before {
			return
		}
		before = wrote
	}
}

// back is the change that puts an entry back.
func (e entry) back() knob.Change {
	return knob.Change{Path: e.Path, Kind: e.Kind, Value: cmp.Or(strings.TrimRight(e.Undo, "\n"), setting(e.Found))}
}

// label names an entry for people: a guarded file has changed with its knob.
func (e entry) label() string {
	if e.Kind == knob.ChangeGuard {
		return e.Knob + ", and with it " + path.Base(e.Path)
	}
	return e.Knob
}

// refreshed is the entry with the present content of its file.
func (e entry) refreshed(root fs.FS) entry {
	e.Got = nil
	if now, err := content(root, e); err == nil {
		e.Got = &now
	}
	return e
}

// summary is what became of the files, in one sentence for those of a knob that share
// their fate.
func summary(tree Tree, files []restored) Restored {
	var done, left, problems sentences
	for _, f := range slices.Backward(files) {
		found := display(f.back().Value)
		switch {
		case f.foreign:
			left.add(fmt.Sprintf("%s: we left %s, somebody changed it to %s, and so it stays; %s was found", f.label(), display(setting(*f.Got)), display(f.was), found), f.entry)
		case differs(tree, f.entry):
			problems.add(fmt.Sprintf("%s: it could not be put back: %v", f.label(), f.err), f.entry)
		case f.differed && f.Kind == knob.ChangeMake:
			done.add(f.Knob+": what was made is removed", f.entry)
		case f.differed:
			text := fmt.Sprintf("%s: %s again, was %s", f.label(), display(setting(f.Found)), display(f.was))
			if f.Got == nil && f.Kind != knob.ChangeGuard && f.was != setting(f.Wrote) {
				text += " (moobench had no time to read back what its change led to)" // so somebody else may have set it
			}
			done.add(text, f.entry)
		}
	}
	return Restored{
		Done: done.list(func(changes []knob.Change) string { return " (" + places(changes) + ")" }),
		Left: left.list(func(changes []knob.Change) string {
			return ", and this puts it back: " + commands(changes, removeFolder)
		}),
		Problems: problems.list(func(changes []knob.Change) string { return "; this would do it: " + commands(changes, removeFolder) }),
	}
}

// sentences groups files by what is said about them.
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
