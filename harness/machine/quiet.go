package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"moobench/results"
)

// Quiet is a machine that was changed for a campaign, until Restore.
type Quiet struct {
	Placement Placement // who runs where

	tree Tree

	mu      sync.Mutex // Restore may come from a signal
	over    bool
	journal *journal
	states  []results.KnobState
	subject Subject
	held    map[string]func() error // by knob
}

// Quieten sets what is wished for: smt first, then it asks place who runs where
// (which SMT changes), then the other wishes in their order. What is found is
// in the journal, on the disk, before anything is written. campaign is its
// folder, for what a later moobench says should this one die. A wish that is
// not met leaves its knob as it was found; when one is required, the error is a
// *RequireError with all of them. After any error everything is as it was.
func Quieten(tree Tree, journal, campaign string, place func() (Placement, error), wishes []Wish) (_ *Quiet, err error) {
	q := &Quiet{tree: tree, held: map[string]func() error{}}
	if q.journal, err = takeOver(tree, journal, campaign); err != nil {
		return nil, err
	}
	started := false
	defer func() { // a panic leaves nothing changed either
		if !started {
			err = q.abandon(err)
		}
	}()
	q.states = observeKnobs(tree, q.Placement)
	first := slices.DeleteFunc(slices.Clone(wishes), func(w Wish) bool { return w.Knob != (smt{}).Name() })
	if err := q.meetAll(first); err != nil {
		return nil, err
	}
	if q.Placement, err = place(); err != nil {
		return nil, err
	}
	q.observeRest()
	others := slices.DeleteFunc(slices.Clone(wishes), func(w Wish) bool { return w.Knob == (smt{}).Name() })
	if err := q.meetAll(others); err != nil {
		return nil, err
	}
	if err := q.unmet(wishes); err != nil {
		return nil, err
	}
	started = true
	return q, nil
}

// takeOver starts a journal. What a dead moobench could not put back stays in
// it, with what that one found, unless it is one that we may not write.
func takeOver(root fs.FS, path, campaign string) (*journal, error) {
	old, err := readJournal(path)
	if err != nil {
		return nil, err
	}
	j := newJournal(root, path, campaign)
	switch {
	case old == nil || unix.Access(filepath.Dir(path), unix.W_OK) != nil:
		return j, nil
	case old.rebooted(root):
		j.kept = true
		return j, nil
	case old.alive(root) && old.PID != j.PID:
		return nil, fmt.Errorf("another moobench (process %d, campaign %s) has changed the settings of this machine, and puts them back when it ends\nhint: wait until it is done", old.PID, old.Campaign)
	}
	j.kept = true
	j.Entries = slices.DeleteFunc(old.Entries, func(e entry) bool { return !differs(root, e) })
	return j, nil
}

// abandon puts everything back after an error.
func (q *Quiet) abandon(err error) error {
	said, restoring := q.Restore()
	for _, p := range said.Problems {
		restoring = errors.Join(restoring, errors.New(p))
	}
	if restoring == nil {
		return err
	}
	return errors.Join(err, fmt.Errorf("putting the machine back: %w", restoring))
}

// observeRest looks again at what depends on who runs where.
func (q *Quiet) observeRest() {
	for i, s := range observeKnobs(q.tree, q.Placement) {
		if s.Name != (smt{}).Name() {
			q.states[i] = s
		}
	}
}

// Set changes what a cell wants, the factor frequency for one, as Quieten does.
// A required wish that is not met is a *RequireError, and nothing else is put
// back.
func (q *Quiet) Set(wishes []Wish) error {
	if err := q.meetAll(wishes); err != nil {
		return err
	}
	return q.unmet(wishes)
}

// States are all knobs, in the order of Knobs: as found, as wanted (an alias in
// what it stands for here), and what came of it.
func (q *Quiet) States() []results.KnobState {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.states)
}

// Subject is what a subject has to be started with.
func (q *Quiet) Subject() Subject {
	q.mu.Lock()
	defer q.mu.Unlock()
	subject := q.subject
	for _, s := range q.states {
		k, _ := KnobNamed(s.Name)
		if g, ok := k.(Grouper); ok && s.Wanted != "" && !s.Unmet() {
			subject.ControlGroup = g.Group(q.tree)
		}
	}
	return subject
}

// Restore puts everything back and removes the journal, unless something could
// not be put back. It may be called again, and while Set runs.
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

// meetAll tries all wishes. The error says that the journal can't be kept.
func (q *Quiet) meetAll(wishes []Wish) error {
	for _, w := range wishes {
		if err := q.meet(w); err != nil {
			return err
		}
	}
	return nil
}

func (q *Quiet) meet(w Wish) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return errors.New("setting the machine: it was put back already")
	}
	s := q.state(w.Knob)
	s.Wanted, s.Got, s.Reason, s.Policy = w.Value, "", "", w.Policy
	if w.Value == "" || w.Policy == results.PolicyObserve {
		s.Wanted, s.Policy = "", results.PolicyObserve
		return nil
	}
	k, err := changeable(w.Knob)
	if err == nil {
		err = q.release(w.Knob) // what it stands for is told without us
	}
	if err == nil {
		s.Wanted, err = resolve(k, q.tree, q.Placement, w.Value)
	}
	if err != nil {
		s.Got, s.Reason = s.Found, err.Error()
		return nil
	}
	switch k := k.(type) {
	case Setter:
		return q.set(k, w.Value, s)
	case Holder:
		return q.hold(k, w.Value, s)
	case Personal:
		if err := k.Ask(&q.subject, w.Value); err != nil {
			s.Reason = err.Error()
			return nil
		}
		s.Got = s.Wanted
	}
	return nil
}

func (q *Quiet) state(name string) *results.KnobState {
	i := slices.IndexFunc(q.states, func(s results.KnobState) bool { return s.Name == name })
	if i < 0 {
		i = len(q.states)
		q.states = append(q.states, results.KnobState{Name: name})
	}
	return &q.states[i]
}

// unmet is nil, or a *RequireError.
func (q *Quiet) unmet(wishes []Wish) error {
	var unmet []results.KnobState
	for _, s := range q.States() {
		asked := slices.ContainsFunc(wishes, func(w Wish) bool { return w.Knob == s.Name })
		if asked && s.Policy == results.PolicyRequire && s.Unmet() {
			unmet = append(unmet, s)
		}
	}
	if unmet == nil {
		return nil
	}
	return &RequireError{unmet}
}
