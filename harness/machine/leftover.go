package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Left is what a moobench that died left changed.
type Left struct {
	// rebooted means that the machine was restarted since, so nothing of it is left.
	rebooted bool
	knobs    []string // those that are not as they were found

	tree    Tree
	journal *journal
}

// Leftover returns nil when nothing is left, or the moobench that changed it lives. The
// error names a journal that can't be read.
func Leftover(tree Tree, journal string) (*Left, error) {
	j, err := readJournal(journal)
	if err != nil || j == nil || j.alive(tree) {
		return nil, err
	}
	l := &Left{rebooted: j.rebooted(tree), tree: tree, journal: j}
	for _, e := range j.Entries {
		if !slices.Contains(l.knobs, e.Knob) && (l.rebooted || differs(tree, e)) {
			l.knobs = append(l.knobs, e.Knob)
		}
	}
	return l, nil
}

// String is a sentence for people.
func (l *Left) String() string {
	who := fmt.Sprintf("moobench (process %d, campaign %s) ended without ", l.journal.PID, l.journal.Campaign)
	if len(l.knobs) == 0 {
		return who + "removing its journal; all settings are as they were found"
	}
	settings := "settings"
	if len(l.knobs) == 1 {
		settings = "setting"
	}
	who += fmt.Sprintf("putting back %d %s: %s", len(l.knobs), settings, strings.Join(l.knobs, ", "))
	if l.rebooted {
		who += "; the machine was restarted since, and so nothing of it is left"
	}
	return who
}

// Restore puts back what was found, and removes the journal unless something could not be
// put back. It may be called again.
func (l *Left) Restore() (Restored, error) {
	j, err := readJournal(l.journal.path)
	switch {
	case err != nil || j == nil:
		return Restored{}, err
	case j.alive(l.tree):
		return Restored{}, fmt.Errorf("putting the machine back: process %d is using it", j.PID)
	case j.rebooted(l.tree):
		j.Entries = nil
		return Restored{Done: []string{"the machine was restarted since: nothing of what was changed is left"}}, j.save()
	}
	return j.restore(l.tree)
}

// restore puts everything back; what can't be put back stays in the journal.
func (j *journal) restore(tree Tree) (Restored, error) {
	all := *j
	rest, said := putBack(tree, j.Entries, func(left []entry) {
		all.Entries = left
		// Without this, at worst the work of this restoration is taken for somebody
		// else's, should it be interrupted too.
		_ = all.save()
	})
	j.Entries = rest
	return said, j.save()
}
