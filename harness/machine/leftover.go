package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Left describes settings left changed by a moobench that died.
type Left struct {
	// rebooted: the machine has restarted since, which undid all changes.
	rebooted bool
	knobs    []string // knobs that differ from their original state

	tree    Tree
	journal *journal
}

// Leftover returns nil if nothing is left, or if the moobench that made the changes is still alive. The error
// names a journal that can't be read.
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

// String describes the leftovers in a sentence.
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

// Restore restores the original settings, and removes the journal unless some setting could not be restored. It
// may be called again.
func (l *Left) Restore() (Restored, error) {
	j, err := readJournal(l.journal.path)
	switch {
	case err != nil || j == nil:
		return Restored{}, err
	case j.alive(l.tree):
		return Restored{}, fmt.Errorf("putting the machine back: process %d is using it", j.PID)
	case j.rebooted(l.tree):
		j.Entries = nil
		undone := "the machine was restarted since: no change is left"
		return Restored{Done: []string{undone}}, j.save()
	}
	return j.restore(l.tree)
}

// restore restores all settings; those that can't be restored stay in the journal.
func (j *journal) restore(tree Tree) (Restored, error) {
	all := *j
	rest, said := putBack(tree, j.Entries, func(left []entry) {
		all.Entries = left
		// If this fails and we are interrupted too, then at worst our own restored values will be taken for
		// somebody else's changes.
		_ = all.save()
	})
	j.Entries = rest
	return said, j.save()
}
