package run

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"

	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/results"
)

// Host is the machine that a plan is carried out on, and what was set on it.
type Host struct {
	Tree      fs.FS  // its files; nil: its settings are not read
	ID        string // machines/<id>.json
	Placement cpu.Placement
	Wishes    []knob.Wish    // what is wanted throughout the campaign
	Quiet     *machine.Quiet // what was set; nil: nothing may be changed
}

// surroundings is what the runner knows of the machine from one invocation to
// the next.
type surroundings struct {
	known map[string]string // settings as the last invocation left them; nil: not read yet
	wants []knob.Wish       // what was last set for a cell
	calm  *watch.Calm       // as the sitting began; nil: nobody waits
	loud  bool              // the last wait was in vain
}

// settled is what an invocation finds when it starts.
type settled struct {
	settings       map[string]string
	changed, words []string // knobs that somebody changed since the last invocation
}

// settle reads the settings, and sets what the cell wants. What somebody else
// changed since the last invocation is told, and what the campaign wants of it
// is set again.
func (r *Runner) settle(inv plan.Invocation) (settled, error) {
	var s settled
	if r.Host.Tree == nil {
		return s, nil
	}
	s.settings = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	if r.around.known != nil {
		s.changed, s.words = knob.SettingsChanged(r.around.known, s.settings, r.Host.Wishes)
	}
	wants := r.wantsOf(inv.Cell)
	again := r.spoiled(s.changed)
	if slices.Equal(wants, r.around.wants) && len(again) == 0 {
		return s, nil
	}
	if r.Host.Quiet == nil {
		return s, errors.New("its frequency is to be set, but nothing may be changed on this machine")
	}
	if len(again) > 0 {
		r.Progress.Note("before %s somebody else changed what the campaign had set (%s): it is set again, and at the end put back as moobench found it", inv.Identity, join(s.words))
	}
	err := r.Host.Quiet.Set(append(again, wants...))
	r.around.wants = wants
	s.settings = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	return s, err
}

// wantsOf are the wishes of a cell that has a frequency; a cell without one gets
// back what earlier cells moved.
func (r *Runner) wantsOf(c plan.Cell) []knob.Wish {
	if f := c.Parameter(plan.FactorFrequency); f != "" {
		return knob.Frequency(f)
	}
	var back []knob.Wish
	for _, w := range r.around.wants {
		w.Value, w.Policy = r.usual(w.Knob), results.PolicyTry
		if w.Value != "" {
			back = append(back, w)
		}
	}
	return back
}

// usual is how a knob stands where no cell wants anything of it.
func (r *Runner) usual(knob string) string {
	for _, w := range r.Host.Wishes {
		if w.Knob == knob && w.Value != "" {
			return w.Value
		}
	}
	for _, s := range r.Host.Quiet.States() {
		if s.Name == knob {
			return s.Found
		}
	}
	return ""
}

// spoiled are the campaign's wishes about knobs that were changed.
func (r *Runner) spoiled(changed []string) []knob.Wish {
	var again []knob.Wish
	for _, w := range r.Host.Wishes {
		if w.Value != "" && r.Host.Quiet != nil && slices.Contains(changed, w.Knob) {
			again = append(again, w)
		}
	}
	return again
}

// leave reads the settings once an invocation is over, and says which knobs
// were changed since it was settled, or before.
func (r *Runner) leave(s settled) *results.Disturbance {
	if r.Host.Tree == nil {
		return nil
	}
	r.around.known = knob.ReadSettings(r.Host.Tree, r.Host.Placement)
	names, words := knob.SettingsChanged(s.settings, r.around.known, slices.Concat(r.Host.Wishes, r.around.wants))
	for i, name := range s.changed {
		if !slices.Contains(names, name) {
			names, words = append(names, name), append(words, s.words[i]+" since the last invocation")
		}
	}
	if len(names) == 0 {
		return nil
	}
	return &results.Disturbance{Because: join(words), Knobs: names}
}

// disturbance puts together what two looks at an invocation found.
func disturbance(others, knobs *results.Disturbance) *results.Disturbance {
	if others == nil || knobs == nil {
		if others == nil {
			return knobs
		}
		return others
	}
	both := *others
	both.Knobs, both.Because = knobs.Knobs, others.Because+"; "+knobs.Because
	return &both
}

// placement is where a cell's subject runs.
func (r *Runner) placement(c plan.Cell) (cpu.Placement, error) {
	if n := c.Int(plan.FactorCPUs); n > 0 {
		return r.Host.Placement.Take(int(n))
	}
	return r.Host.Placement, nil
}

// calmSpan is how long the machine is looked at when a sitting begins.
const calmSpan = time.Second

// listen takes down how quiet the machine is before anything is started.
func (r *Runner) listen(ctx context.Context) error {
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
		r.Progress.Note("the machine is not quiet as this begins: %s; moobench will wait for no more quiet than that: end it, or begin later", busy)
	}
	return nil
}

// waitForQuiet waits until the machine is as quiet as when the sitting began.
// Where that was in vain, the next wait is shorter: a machine that stays loud
// must not cost hours.
func (r *Runner) waitForQuiet(ctx context.Context) error {
	if r.around.calm == nil {
		return nil
	}
	limit := time.Duration(r.campaign().Control.QuietNS)
	if r.around.loud {
		limit /= 10
	}
	w, err := r.around.calm.Wait(ctx, r.Host.Tree, r.Host.Placement.Fixture, limit)
	if err != nil {
		return err
	}
	took := w.Took.Round(100 * time.Millisecond)
	switch {
	case !w.Quiet:
		r.Progress.Note("waited %s for the machine to become quiet, in vain: %s; going on: what is disturbed is marked", took, w.Because)
	case w.Took > 2*calmSpan:
		r.Progress.Note("waited %s until the machine was quiet again: %s", took, w.Because)
	}
	r.around.loud = !w.Quiet
	return nil
}
