package run

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/results"
)

// Host is the machine that runs a plan, with its settings.
type Host struct {
	Tree      fs.FS  // its files; nil: settings are not read
	ID        string // machines/<id>.json
	Boot      string // identifies the current boot
	Placement cpu.Placement
	Wishes    []knob.Wish    // wanted throughout the campaign
	Quiet     *machine.Quiet // the changed settings; nil: nothing may be changed
}

// machineState is the runner's knowledge of the machine between invocations.
type machineState struct {
	known        map[string]string // settings after the last invocation; nil: not read yet
	wishes       []knob.Wish       // last set for a cell
	calm         *watch.Calm       // at the start of the session; nil: nobody waits
	waitedInVain bool              // the last wait for quiet was in vain
}

// settings are the machine's settings at the start of an invocation.
type settings struct {
	all            map[string]string
	changed, words []string // knobs changed by others since the last invocation
}

// prepare reads the settings, and sets those that the cell wants. Changes by others since the last invocation are
// reported, and undone if the campaign wants another value.
func (r *Runner) prepare(inv plan.Invocation) (settings, error) {
	var s settings
	if r.Host.Tree == nil {
		return s, nil
	}
	s.all = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	if r.around.known != nil {
		s.changed, s.words = knob.SettingsChanged(r.around.known, s.all, r.Host.Wishes)
	}
	var again []knob.Wish // of the campaign, for changed knobs
	for _, w := range r.Host.Wishes {
		if w.Value != "" && r.Host.Quiet != nil && slices.Contains(s.changed, w.Knob) {
			again = append(again, w)
		}
	}
	wishes := r.wishesOf(inv.Cell)
	if slices.Equal(wishes, r.around.wishes) && len(again) == 0 {
		return s, nil
	}
	if r.Host.Quiet == nil {
		return s, errors.New("its frequency is to be set, but nothing may be changed on this machine")
	}
	if len(again) > 0 {
		r.Progress.Note("before %s somebody else changed what the campaign had set (%s): it is set again, "+
			"and at the end put back as moobench found it", inv.Identity, strings.Join(s.words, "; "))
	}
	err := r.Host.Quiet.Set(append(again, wishes...))
	r.around.wishes = wishes
	s.all = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	return s, err
}

// wishesOf returns the wishes of a cell with a frequency. For a cell without one, it resets the knobs that earlier
// cells changed: to the campaign's value, or else to the original one.
func (r *Runner) wishesOf(c plan.Cell) []knob.Wish {
	if f := c.Parameter(results.FactorFrequency); f != "" {
		return knob.Frequency(f)
	}
	if len(r.around.wishes) == 0 {
		return nil
	}
	usual := map[string]string{}
	for _, s := range r.Host.Quiet.States() {
		usual[s.Name] = s.Found
	}
	for _, w := range r.Host.Wishes {
		if w.Value != "" {
			usual[w.Knob] = w.Value
		}
	}
	var back []knob.Wish
	for _, w := range r.around.wishes {
		if value := usual[w.Knob]; value != "" {
			back = append(back, knob.Wish{Knob: w.Knob, Value: value, Policy: results.PolicyTry})
		}
	}
	return back
}

// changed reads the settings after an invocation, and returns the knobs that were changed during or before it.
func (r *Runner) changed(before settings) *results.Disturbance {
	if r.Host.Tree == nil {
		return nil
	}
	r.around.known = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	names, words := knob.SettingsChanged(before.all, r.around.known, slices.Concat(r.Host.Wishes, r.around.wishes))
	for i, name := range before.changed {
		if !slices.Contains(names, name) {
			names, words = append(names, name), append(words, before.words[i]+" since the last invocation")
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &results.Disturbance{Reason: strings.Join(words, "; "), Knobs: names}
}

// disturbance merges two findings about an invocation.
func disturbance(others, knobs *results.Disturbance) *results.Disturbance {
	switch {
	case knobs == nil:
		return others
	case others == nil:
		return knobs
	}
	both := *others
	both.Knobs, both.Reason = knobs.Knobs, others.Reason+"; "+knobs.Reason
	return &both
}

// calmSpan is the time for which the machine is observed at the start of a session.
const calmSpan = time.Second

// measureCalm measures how quiet the machine is before anything is started.
func (r *Runner) measureCalm(ctx context.Context) error {
	c := r.campaign().Control
	if c == nil || c.QuietNS <= 0 || r.Host.Tree == nil {
		return nil
	}
	calm, err := watch.MeasureCalm(ctx, r.Host.Tree, r.Host.Placement.Fixture, calmSpan)
	if err != nil {
		return err
	}
	r.around.calm = &calm
	if busy := calm.Busy(); busy != "" {
		r.Progress.Note("the machine is not quiet as this begins: %s; "+
			"moobench takes this for quiet from now on: end it, or begin later", busy)
	}
	return nil
}

// waitForQuiet waits until the machine is as quiet as at the start of the session. After a wait in vain the next
// one is shorter: a machine that is never quiet must not cost hours.
func (r *Runner) waitForQuiet(ctx context.Context) error {
	if r.around.calm == nil {
		return nil
	}
	limit := time.Duration(r.campaign().Control.QuietNS)
	if r.around.waitedInVain {
		limit /= 10
	}
	w, err := r.around.calm.Wait(ctx, r.Host.Tree, r.Host.Placement.Fixture, limit)
	if err != nil {
		return err
	}
	took := w.Took.Round(100 * time.Millisecond)
	switch {
	case !w.Quiet:
		r.Progress.Note("waited %s for the machine to become quiet, in vain: %s; going on: what is disturbed is marked",
			took, w.Reason)
	case w.Took > 2*calmSpan:
		r.Progress.Note("waited %s until the machine was quiet again: %s", took, w.Reason)
	}
	r.around.waitedInVain = !w.Quiet
	return nil
}
