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

// Quiet is a machine whose settings are changed for a campaign, until Restore.
type Quiet struct {
	Placement cpu.Placement // who runs where

	tree Tree

	mu      sync.Mutex // a signal handler may call Restore
	over    bool
	journal *journal
	states  []knob.State
	subject knob.Subject
	held    map[string]func() error // by knob
}

// Quieten carries out wishes: first smt; then it calls place for the placement, which depends on smt; then the
// other wishes in order. The original contents are in the journal, on disk, before anything is written. campaign
// is the campaign's folder, which a later moobench reports if this one dies. An unmet wish leaves its knob in the
// original state; if a required one is unmet, the error is a *RequireError that lists them all. After any error,
// all settings are restored.
func Quieten(
	tree Tree, journal, campaign string, place func() (cpu.Placement, error), wishes []knob.Wish,
) (_ *Quiet, err error) {
	q := &Quiet{tree: tree, held: map[string]func() error{}}
	if q.journal, err = takeOver(tree, journal, campaign); err != nil {
		return nil, err
	}
	started := false
	defer func() { // after a panic, too, nothing stays changed
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
	for i, s := range knob.Observe(tree, q.Placement) { // update the states that depend on the placement
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

// takeOver starts a journal. It keeps the entries that a dead moobench could not restore, unless we may not write
// to that journal.
func takeOver(tree Tree, path, campaign string) (*journal, error) {
	old, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	_, start := proc.Running(os.Getpid())
	j := &journal{
		Format: journalFormat, PID: os.Getpid(), Start: start, Boot: randomBootID(tree), Campaign: campaign, path: path,
	}
	switch {
	case old == nil || unix.Access(filepath.Dir(path), unix.W_OK) != nil:
		return j, nil
	case old.alive(tree) && old.PID != j.PID:
		return nil, refusal.New(fmt.Errorf("another moobench (process %d, campaign %s) has changed the settings "+
			"of this machine, and puts them back when it ends", old.PID, old.Campaign), "wait until it is done")
	case !old.rebooted(tree):
		j.Entries = slices.DeleteFunc(old.Entries, func(e entry) bool { return !differs(tree, e) })
	}
	j.kept = true
	return j, nil
}

// Set carries out further wishes, such as the frequency of a cell, in the way of Quieten. If a required one is
// unmet, the error is a *RequireError; other knobs stay set.
func (q *Quiet) Set(wishes []knob.Wish) error {
	return cmp.Or(q.meetAll(wishes), q.unmet(wishes))
}

// States returns the state of every knob, in the order of knob.All: found, wanted (with aliases resolved for this
// machine), and outcome.
func (q *Quiet) States() []results.KnobState {
	q.mu.Lock()
	defer q.mu.Unlock()
	return knob.Recorded(q.states)
}

// Subject returns the attributes that a subject has to be started with.
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

// Restore restores all settings, and removes the journal unless one could not be restored. It may be called again,
// and while Set runs.
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

// unmet returns a *RequireError for unmet required wishes, or nil.
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
