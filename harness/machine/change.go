package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"moobench/results"
)

// resolve is what a knob says once value is set; with an error, the value.
func resolve(k Knob, root fs.FS, on Placement, value string) (string, error) {
	r, ok := k.(Resolver)
	if !ok {
		return value, nil
	}
	said, err := r.Resolve(root, on, value)
	if err != nil {
		return value, err
	}
	return said, nil
}

// set sets one knob: wholly, or not at all, but for optional changes. The error says
// that the journal can't be kept; that the knob can't be set stands in s.
func (q *Quiet) set(k Setter, value string, s *results.KnobState) error {
	changes, attempt, err := plan(q.tree, q.Placement, k, value)
	if err != nil {
		s.Got, s.Reason = q.seen(k), err.Error()
		return nil
	}
	if len(changes) > 0 {
		attempt = append(q.journal.bystanders(q.tree, attempt), attempt...)
	}
	before := slices.Clone(q.journal.Entries)
	for _, e := range attempt {
		if !within(before, e.Path) {
			q.journal.add(e)
		}
	}
	if len(attempt) > 0 {
		if err := q.journal.save(); err != nil {
			q.journal.Entries = before
			return err
		}
	}
	partly, err := makeAll(q.tree, changes)
	if err == nil {
		if err = q.readBack(k, s); err != nil && partly {
			s.Reason, err = err.Error(), nil // what could be had is better than nothing
		}
	}
	if err != nil {
		return q.undo(k, s, before, attempt, err)
	}
	q.journal.learn(q.tree, attempt)
	if len(attempt) == 0 {
		return nil
	}
	return q.journal.save()
}

// readBack compares what a knob says with what is wanted.
func (q *Quiet) readBack(k Knob, s *results.KnobState) error {
	state, err := k.Observe(q.tree, q.Placement)
	if err != nil {
		return err
	}
	if s.Got = state.Value; s.Unmet() {
		return fmt.Errorf("the kernel kept %s", shown(s.Got))
	}
	return nil
}

// seen is what a knob says, "" where it does not.
func (q *Quiet) seen(k Knob) string {
	state, err := k.Observe(q.tree, q.Placement)
	if err != nil {
		return ""
	}
	return state.Value
}

// hold sets a knob for as long as moobench holds it.
func (q *Quiet) hold(k Holder, value string, s *results.KnobState) error {
	release, err := k.Hold(q.tree, value)
	if err == nil {
		q.held[k.Name()] = release
		err = q.readBack(k, s)
	}
	if err != nil {
		s.Reason = err.Error()
		err = q.release(k.Name())
		s.Got = q.seen(k)
	}
	return err
}

func (q *Quiet) release(name string) error {
	release := q.held[name]
	delete(q.held, name)
	if release == nil {
		return nil
	}
	if err := release(); err != nil {
		return fmt.Errorf("letting go of %s: %w", name, err)
	}
	return nil
}

// plan is what has to be done to set a knob, and what is there now.
func plan(tree Tree, on Placement, k Setter, value string) ([]Change, []entry, error) {
	changes, err := k.Changes(tree, on, value)
	if err != nil {
		return nil, nil, err
	}
	return prepare(tree, k.Name(), changes)
}

// undo takes back an attempt that did not succeed; what can't be taken back
// stays in the journal.
func (q *Quiet) undo(k Setter, s *results.KnobState, before, attempt []entry, why error) error {
	rest, said := putBack(q.tree, attempt, func([]entry) {})
	q.journal.Entries = before
	for _, e := range rest {
		q.journal.add(e)
	}
	q.journal.learn(q.tree, rest)
	s.Reason = why.Error()
	for _, p := range said.Problems {
		s.Reason += "; " + p
	}
	s.Got = q.seen(k)
	if len(attempt) == 0 {
		return nil
	}
	return q.journal.save()
}

// prepare makes sure that the changes may be made, and reads what is there now.
// A folder that is there already is not ours, and what is in one that is yet to
// be made goes with it. Optional changes that may not be made are left out.
func prepare(tree Tree, knob string, changes []Change) (todo []Change, found []entry, err error) {
	for _, c := range changes {
		if within(found, c.Path) {
			todo = append(todo, c)
			continue
		}
		e := entry{Knob: knob, Path: c.Path, Kind: c.Kind, Undo: c.Undo, Wrote: c.Value}
		e.Found, err = allowed(tree, e)
		switch {
		case c.Kind == ChangeMake && errors.Is(err, fs.ErrExist):
			continue
		case err != nil && c.Optional:
			continue
		case err != nil:
			return nil, nil, refusal(err, c, changes)
		}
		todo, found = append(todo, c), append(found, e)
	}
	return todo, found, nil
}

// allowed returns what an entry's file holds, if it may be changed. A guarded
// one that nobody may write comes back with what it follows.
func allowed(tree Tree, e entry) (string, error) {
	now, err := content(tree, e)
	switch {
	case e.Kind == ChangeMake && err == nil:
		return "", fs.ErrExist
	case e.Kind == ChangeMake && errors.Is(err, fs.ErrNotExist):
		return "", tree.Writable(path.Dir(e.Path))
	case e.Kind == ChangeWrite && err == nil:
		return now, tree.Writable(e.Path)
	}
	return now, err
}

// refusal is because, with what to do where it needs root.
func refusal(err error, c Change, changes []Change) error {
	if err = because(err, c); !errors.Is(err, errNeedsRoot) {
		return err
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c Change) bool { return c.Kind == ChangeGuard })
	return fmt.Errorf("%w: run moobench with sudo, or set it once by: %s", err, Commands(changes))
}

// makeAll stops at the first change that fails, unless it is optional: then the
// knob is set partly.
func makeAll(tree Tree, changes []Change) (partly bool, err error) {
	for _, c := range changes {
		err = nil
		switch c.Kind {
		case ChangeWrite:
			err = write(tree, c)
		case ChangeMake:
			err = tree.Mkdir(c.Path)
		}
		switch {
		case err != nil && c.Optional:
			partly = true
		case err != nil:
			return partly, refusal(err, c, changes)
		}
	}
	return partly, nil
}

// write ends the value with a newline, as echo does: an empty write would never
// reach the kernel.
func write(tree Tree, c Change) error { return tree.WriteFile(c.Path, []byte(c.Value+"\n")) }
