package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/results"
)

// meetAll tries all wishes. The error means that the journal can't be written.
func (q *Quiet) meetAll(wishes []knob.Wish) error {
	for _, w := range wishes {
		if err := q.meet(w); err != nil {
			return err
		}
	}
	return nil
}

func (q *Quiet) meet(w knob.Wish) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return errors.New("setting the machine: it was put back already")
	}
	s := q.state(w.Knob)
	s.Wanted, s.Got, s.Reason, s.Why, s.Policy = w.Value, "", "", nil, w.Policy
	if w.Value == "" || w.Policy == results.PolicyObserve {
		s.Wanted, s.Policy = "", results.PolicyObserve
		return nil
	}
	held := q.release(w.Knob) // its value is resolved without our own hold
	k, wanted, err := resolved(q.tree, q.Placement, w)
	s.Wanted = wanted
	switch err = cmp.Or(held, err); {
	case err != nil:
		s.Got = s.Found
		s.Refuse(err)
		return nil
	case k.Changes != nil:
		return q.set(k, w.Value, s)
	case k.Hold != nil:
		return q.hold(k, w.Value, s)
	}
	if err := k.Ask(&q.subject, w.Value); err != nil {
		s.Refuse(err)
		return nil
	}
	s.Got = s.Wanted
	return nil
}

func (q *Quiet) state(name string) *knob.State {
	i := slices.IndexFunc(q.states, func(s knob.State) bool { return s.Name == name })
	if i < 0 {
		i = len(q.states)
		q.states = append(q.states, knob.State{KnobState: results.KnobState{Name: name}})
	}
	return &q.states[i]
}

// set sets one knob: completely, or not at all, except for optional changes. The error means that the journal
// can't be written; a failure to set the knob is recorded in s.
func (q *Quiet) set(k knob.Knob, value string, s *knob.State) error {
	changes, attempt, err := plan(q.tree, q.Placement, k, value)
	if err != nil || len(changes) == 0 {
		q.readBack(k, s, err)
		return nil
	}
	attempt = append(q.journal.bystanders(q.tree, attempt), attempt...)
	before := slices.Clone(q.journal.Entries)
	for _, e := range attempt {
		if !within(before, e.Path) {
			q.journal.add(e)
		}
	}
	if err := q.journal.save(); err != nil {
		q.journal.Entries = before
		return err
	}
	partly, err := makeAll(q.tree, changes)
	if err = q.readBack(k, s, err); err != nil && !partly { // a part is better than nothing
		return q.undo(k, s, before, attempt, err)
	}
	q.journal.refresh(q.tree, attempt)
	return q.journal.save()
}

// undo reverts a failed attempt; changes that can't be reverted stay in the journal.
func (q *Quiet) undo(k knob.Knob, s *knob.State, before, attempt []entry, why error) error {
	rest, said := putBack(q.tree, attempt, func([]entry) {})
	q.journal.Entries = before
	for _, e := range rest {
		q.journal.add(e)
	}
	q.journal.refresh(q.tree, rest)
	q.readBack(k, s, why)
	for _, p := range said.Problems {
		s.Reason += "; " + p
	}
	return q.journal.save()
}

// readBack records the state of a knob and, if it is not as wanted, the reason: failed, the error in setting it,
// or else the value that the kernel kept.
func (q *Quiet) readBack(k knob.Knob, s *knob.State, failed error) error {
	var err error
	if s.Got, err = k.Observe(q.tree, q.Placement); err == nil && s.Unmet() {
		err = fmt.Errorf("the kernel kept %s", display(s.Got))
	}
	if err = cmp.Or(failed, err); err != nil {
		s.Refuse(err)
	}
	return err
}

// hold sets a knob for as long as moobench holds it.
func (q *Quiet) hold(k knob.Knob, value string, s *knob.State) error {
	release, err := k.Hold(q.tree, value)
	if err == nil {
		q.held[k.Name] = release
	}
	if err = q.readBack(k, s, err); err != nil {
		err = q.release(k.Name)
		s.Got, _ = k.Observe(q.tree, q.Placement)
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

// plan returns the changes that set a knob, and the present contents, if all of them are permitted. A folder that
// already exists is not ours; files in a folder yet to be made go together with it. Optional changes that are not
// permitted are omitted.
func plan(tree Tree, on cpu.Placement, k knob.Knob, value string) (todo []knob.Change, found []entry, err error) {
	changes, err := k.Changes(tree, on, value)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range changes {
		if within(found, c.Path) {
			todo = append(todo, c)
			continue
		}
		e := entry{Knob: k.Name, Path: c.Path, Kind: c.Kind, Undo: c.Undo, Wrote: c.Value}
		e.Found, err = allowed(tree, e)
		switch {
		case c.Kind == knob.ChangeMake && errors.Is(err, fs.ErrExist):
			continue
		case err != nil && c.Optional:
			continue
		case err != nil:
			return nil, nil, refused(err, c, changes)
		}
		todo, found = append(todo, c), append(found, e)
	}
	return todo, found, nil
}

// allowed returns the content of an entry's file, if it may be changed. A guarded file need not be writable: it
// recovers with the file that it follows.
func allowed(tree Tree, e entry) (string, error) {
	now, err := content(tree, e)
	switch {
	case e.Kind == knob.ChangeMake && err == nil:
		return "", fs.ErrExist
	case e.Kind == knob.ChangeMake && errors.Is(err, fs.ErrNotExist):
		return "", tree.Writable(path.Dir(e.Path))
	case e.Kind == knob.ChangeWrite && err == nil:
		return now, tree.Writable(e.Path)
	}
	return now, err
}

// makeAll stops at the first change that fails, unless that is optional: then the knob is set partly.
func makeAll(tree Tree, changes []knob.Change) (partly bool, err error) {
	for _, c := range changes {
		err = nil
		switch c.Kind {
		case knob.ChangeWrite:
			err = write(tree, c)
		case knob.ChangeMake:
			err = tree.Mkdir(c.Path)
		}
		switch {
		case err != nil && c.Optional:
			partly = true
		case err != nil:
			return false, refused(err, c, changes)
		}
	}
	return partly, nil
}

// write appends a newline to the value, like echo: an empty write would never reach the kernel.
func write(tree Tree, c knob.Change) error { return tree.WriteFile(c.Path, []byte(c.Value+"\n")) }
