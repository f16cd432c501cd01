package machine

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results"
)

// Quiet is a machine that was changed for a campaign, until Restore.
type Quiet struct {
	Placement cpu.Placement // who runs where

	tree Tree

	mu      sync.Mutex // Restore may come from a signal
	over    bool
	journal *journal
	states  []knob.State
	subject knob.Subject
	held    map[string]func() error // by knob
}

// Quieten sets what is wished for: smt first, then it asks place who runs where (which
// smt changes), then the other wishes in their order. What is found is in the journal, on
// disk, before anything is written. campaign is its folder, for the report of a later
// moobench should this one die. A wish that is not met leaves its knob as it was found;
// when one is required, the error is a *RequireError with all of them. After any error
// everything is as it was.
func Quieten(tree Tree, journal, campaign string, place func() (cpu.Placement, error), wishes []knob.Wish) (_ *Quiet, err error) {
	q := &Quiet{tree: tree, held: map[string]func() error{}}
	if q.journal, err = takeOver(tree, journal, campaign); err != nil {
		return nil, err
	}
	started := false
	defer func() { // a panic leaves nothing changed either
		if started {
			return
		}
		said, restoring := q.Restore()
		for _, p := range said.Problems {
			restoring = errors.Join(restoring, errors.New(p))
		}
		if restoring != nil {
			err = errors.Join(err, fmt.Errorf("putting the machine back: %w", restoring))
		}
	}()
	q.states = knob.Observe(tree, q.Placement)
	const decidesCPUs = "smt"
	first, others := slices.Clone(wishes), slices.Clone(wishes)
	first = slices.DeleteFunc(first, func(w knob.Wish) bool { return w.Knob != decidesCPUs })
	others = slices.DeleteFunc(others, func(w knob.Wish) bool { return w.Knob == decidesCPUs })
	if err := q.meetAll(first); err != nil {
		return nil, err
	}
	if q.Placement, err = place(); err != nil {
		return nil, err
	}
	for i, s := range knob.Observe(tree, q.Placement) { // what depends on the placement
		if s.Name != decidesCPUs {
			q.states[i] = s
		}
	}
	if err := cmp.Or(q.meetAll(others), q.unmet(wishes)); err != nil {
		return nil, err
	}
	started = true
	return q, nil
}

// takeOver starts a journal. What a dead moobench could not put back stays in it, with
// what that one found, unless it is one that we may not write.
func takeOver(tree Tree, path, campaign string) (*journal, error) {
	old, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	_, start := proc.Running(os.Getpid())
	j := &journal{Format: journalFormat, PID: os.Getpid(), Start: start, Boot: randomBootID(tree), Campaign: campaign, path: path}
	switch {
	case old == nil || unix.Access(filepath.Dir(path), unix.W_OK) != nil:
		return j, nil
	case old.alive(tree) && old.PID != j.PID:
		return nil, refusal.New(fmt.Errorf("another moobench (process %d, campaign %s) has changed the settings of this machine, and puts them back when it ends", old.PID, old.Campaign),
			"wait until it is done")
	case !old.rebooted(tree):
		j.Entries = slices.DeleteFunc(old.Entries, func(e entry) bool { return !differs(tree, e) })
	}
	j.kept = true
	return j, nil
}

// Set changes what a cell wants, such as a frequency, in the way of Quieten. A required
// wish that is not met is a *RequireError, and nothing else is put back.
func (q *Quiet) Set(wishes []knob.Wish) error {
	return cmp.Or(q.meetAll(wishes), q.unmet(wishes))
}

// States are all knobs, in the order of knob.All: as found, as wanted (an alias resolved
// to its meaning here), and the outcome.
func (q *Quiet) States() []results.KnobState {
	q.mu.Lock()
	defer q.mu.Unlock()
	return knob.Recorded(q.states)
}

// Subject is what a subject has to be started with.
func (q *Quiet) Subject() knob.Subject {
	q.mu.Lock()
	defer q.mu.Unlock()
	subject := q.subject
	for _, s := range q.states {
		if k, _ := knob.Named(s.Name); k.Group != nil && s.Wanted != "" && !s.Unmet() {
			subject.ControlGroup = k.Group(q.tree)
		}
	}
	return subject
}

// Restore puts everything back and removes the journal unless something could not be put
// back. It may be called again, and while Set runs.
func (q *Quiet) Restore() (Restored, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over = true
	var errs []error
	for name := range q.held {
		errs = append(errs, q.release(name))
	}
	said, err := q.journal.restore(q.tree)
	return said, errors.Join(append(errs, err)...)
}

// unmet returns a *RequireError, or nil.
func (q *Quiet) unmet(wishes []knob.Wish) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	unmet := slices.DeleteFunc(slices.Clone(q.states), func(s knob.State) bool {
		wished := slices.ContainsFunc(wishes, func(w knob.Wish) bool { return w.Knob == s.Name })
		return !wished || s.Policy != results.PolicyRequire || !s.Unmet()
	})
	if len(unmet) == 0 {
		return nil
	}
	return Required(unmet...)
}
