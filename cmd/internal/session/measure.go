package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/chapter/settling"
	"moobench/analysis/chapter/sizing"
	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/demand"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/progress"
	"moobench/cmd/internal/standard"
	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/lane"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
)

// Run measures the plan, prints the answers, and writes the page into the campaign's folder. If it
// is interrupted, it prints the command to resume.
func (s *Session) Run(ctx context.Context) error {
	dir := s.Folder()
	return s.Measure(ctx, dir, "moobench run --resume "+dir, func(_ *results.Store, answers *analysis.Answers) error {
		// An output error is returned later: the reader may have gone, but the page is still wanted.
		unheard := report.Text(s.lab.Out, answers, s.lab.Options())
		page, err := s.lab.Page(answers, dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.lab.Out, "\nreport: %s\n", page)
		return cmp.Or(unheard, outcome.ForAnswers(answers))
	})
}

// Measure carries out the plan in a folder, and passes the answers to tell while the machine is
// still locked. resume is the command to print if it ends early.
func (s *Session) Measure(
	ctx context.Context, dir, resume string, tell func(*results.Store, *analysis.Answers) error,
) error {
	m := &measuring{Session: s, dir: dir, hint: "nothing sealed is lost; go on with: " + resume, tell: tell}
	return m.carry(ctx, phases())
}

// suit refuses variants that can't run on the JDK.
func (m *measuring) suit(context.Context) (undo func() error, err error) {
	_, err = m.suited()
	return nil, err
}

// lock makes sure that nobody else measures here.
func (m *measuring) lock(ctx context.Context) (undo func() error, err error) {
	return m.lab.lock(ctx, m.dir, m.Wait)
}

// orphans ends programs that a killed moobench left running, because they would disturb the
// measurement.
func (m *measuring) orphans(context.Context) (undo func() error, err error) {
	if names := jvm.EndOrphans(); len(names) > 0 {
		m.lab.Warn("a moobench that was killed had left behind "+strings.Join(names, ", ")+
			": ended, because it would disturb what is measured now", "")
	}
	return nil, nil
}

// foresee refuses requirements that can't be met here.
func (m *measuring) foresee(context.Context) (undo func() error, err error) {
	return nil, demand.Foreseen(m.File.Machine, m.lab.Tree)
}

// begin opens the campaign's folder for the machine in its current state.
func (m *measuring) begin(context.Context) (undo func() error, err error) {
	release, err := m.own(m.runner, m.dir, m.host)
	if err != nil {
		return nil, err
	}
	m.store = m.runner.Store
	return func() error {
		release()
		return nil
	}, nil
}

// run starts the blocks.
func (m *measuring) run(ctx context.Context) (undo func() error, err error) {
	if !m.Quiet {
		m.announce(m.runner, m.host)
	}
	shown, stop := progress.New(m.lab.Console, m.Quiet, analysis.Follow(m.store))
	defer stop()
	m.runner.Progress = shown
	if m.InLane {
		if m.runner.Turn, err = lane.Turns(); err != nil {
			return nil, outcome.Usage(err)
		}
	}
	err = m.runner.Run(ctx)
	if err == nil || errors.Is(err, run.ErrGivenUp) {
		return nil, nil
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted: the invocation under way was discarded")
	}
	return nil, refusal.New(err, m.hint)
}

// putBack restores the machine before the answers are computed, because that may take minutes.
func (m *measuring) putBack(context.Context) (undo func() error, err error) {
	return nil, m.undo("quieten")
}

// answer passes on the answers or, after an interruption, prints those so far.
func (m *measuring) answer(ctx context.Context) (undo func() error, err error) {
	if m.err != nil {
		if ctx.Err() != nil {
			m.soFar(m.store)
		}
		return nil, nil
	}
	m.tellStandards()
	answers, err := analysis.Analyse(m.store)
	if err != nil {
		return nil, err
	}
	return nil, m.tell(m.store, answers)
}

// soFar prints the answers of an interrupted campaign, if there are any; they are marked as
// unfinished.
func (s *Session) soFar(store *results.Store) {
	if store == nil {
		return
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return // the reason for the interruption is printed anyway
	}
	differs := func(m analysis.MetricAnswer) bool { return m.Difference != nil }
	known := func(c analysis.Cell) bool {
		return c.Role == results.RoleVariant && slices.ContainsFunc(c.Metrics, differs)
	}
	for _, sc := range answers.Scenarios {
		if slices.ContainsFunc(sc.Cells, known) {
			_ = report.Text(s.lab.Out, answers, s.lab.Options()) // the reader may have gone
			return
		}
	}
}

// quieten sets the machine as the campaign wants.
func (m *measuring) quieten(context.Context) (undo func() error, err error) {
	if m.quiet, m.host, err = m.Session.quieten(m.dir); err != nil {
		return nil, err
	}
	return func() error {
		done, left := m.quiet.Restore()
		m.lab.tellRestored(done)
		if n := len(done.Done); n > 0 && !m.Quiet {
			fmt.Fprintf(m.lab.Err, "the machine is as it was found: %s put back\n",
				figure.Plural(n, "setting", "settings"))
		}
		return left
	}, nil
}

// vary checks that the machine can give each cell its CPUs and frequency.
func (m *measuring) vary(context.Context) (undo func() error, err error) {
	if err := m.canVary(m.quiet); err != nil {
		return nil, err
	}
	m.runner.Host = m.hostOf(m.quiet, m.host)
	return nil, nil
}

// hostOf returns the machine's current state for a runner.
func (s *Session) hostOf(quiet *machine.Quiet, host results.Machine) run.Host {
	// Only settings made by moobench are checked for changes by others.
	states := quiet.States()
	met := slices.DeleteFunc(demand.Wishes(s.File.Machine), func(w knob.Wish) bool {
		return !slices.ContainsFunc(states, func(k results.KnobState) bool {
			return k.Name == w.Knob && k.Wanted != "" && !k.Unmet()
		})
	})
	return run.Host{
		Tree: s.lab.Tree, ID: host.ID, Boot: machine.Boot(), Placement: quiet.Placement, Wishes: met, Quiet: quiet,
	}
}

// standards gives a new campaign the standard speeds of its CPU, and reads the file that stores
// them for later campaigns.
func (s *Session) standards(host results.Machine) (*standard.File, error) {
	wish, err := standard.Wished(s.Standard)
	if err != nil {
		return nil, outcome.Usage(fmt.Errorf("--standard: %w", err))
	}
	kept, err := standard.Read(wish.Path)
	switch {
	case err != nil && wish.Path != "":
		return nil, err
	case err != nil:
		s.lab.Warn(err.Error()+": this campaign makes a standard speed of its own", refusal.Do(err))
		kept = &standard.File{}
	}
	if s.Plan.Campaign.Shard != nil {
		kept = &standard.File{} // the plan's own: a CPU model's standard is computed from all shards
	}
	if s.Resume == "" {
		s.Plan.Campaign.Standards = standard.For(wish, s.File, host, kept)
	}
	return kept, nil
}

// tellStandards prints which standard speeds the campaign has set for later ones, and warns if they
// could not be stored.
func (s *Session) tellStandards() {
	if s.untold != nil {
		s.lab.Warn(s.untold.Error()+": verdicts of later campaigns allow for more of it",
			"make room for that file, and let moobench write it")
	}
	if s.unkept != nil {
		s.lab.Warn(s.unkept.Error()+": later campaigns make another one, and are reported at its speed",
			"name a file for it: --standard standards.json")
	}
	for _, m := range s.made {
		if s.Quiet {
			continue
		}
		where := "kept in " + m.Path
		if m.Path == "" || s.unkept != nil {
			where = "kept in this campaign alone"
		}
		const text = "standard speed of %s with JDK %s, from now on: the reference takes %s, " +
			"the median of these %s; %s\n"
		fmt.Fprintf(s.lab.Err, text, console.Visible(m.CPU), console.Visible(m.Runtime),
			figure.Quantity(m.NS, "ns"), figure.Plural(m.N, "JVM", "JVMs"), console.Visible(where))
	}
}

// rehearses reports whether to try the user's own program, without an agent, before the campaign.
func (s *Session) rehearses() bool { return s.Resume == "" && run.Rehearses(s.Plan) != nil }

// rehearse tries the user's program, and changes the plan if the result requires that.
func (m *measuring) rehearse(ctx context.Context) (undo func() error, err error) {
	c := run.Rehearses(m.Plan)
	trying := "running the program once without an agent: its time limit with one follows from that …"
	if c.Program.IsServer() {
		trying = "asking the server each request once, before anything is measured …"
	}
	if !m.Quiet {
		fmt.Fprintln(m.lab.Err, trying)
	}
	err = m.runner.Rehearse(ctx, *c)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted before anything was measured")
	}
	if err != nil {
		return nil, err
	}
	tried := m.runner.Tried
	changed, err := m.adapt(tried, *c)
	if changed && err == nil {
		m.do(ctx, fetching()) // for the new plan
		m.runner.Tried = tried
	}
	return nil, err
}

// adapt makes a new plan from the trial's results, if the session adapts its file. Otherwise it
// warns if the server can't bear the planned rate.
func (s *Session) adapt(tried run.Rehearsed, c plan.Cell) (changed bool, err error) {
	var text []byte
	if s.Adapt != nil {
		if text, err = s.Adapt(tried); err != nil {
			return false, err
		}
	}
	if text == nil {
		bears, rate := tried.Capacity, float64(c.Int("rate"))
		if bears > 0 && rate > bears && c.Parameter("arrival") != "closed" {
			const text = "the server answered %.3g requests a second without an agent when it was tried, " +
				"and %.0f will be sent: latencies would be those of a growing queue"
			const hint = "lower rate in its [[scenario]], to %.0f (moobench cost: --rate)"
			s.lab.Warn(fmt.Sprintf(text, bears, rate), fmt.Sprintf(hint, max(1, bears/2)))
		}
		return false, nil
	}
	file, err := config.Parse(s.File.Path, text, s.lab.Known())
	if err != nil {
		return false, err
	}
	s.File, s.Seed, s.Seeded = file, s.Plan.Campaign.Seed, true
	return true, s.plan(nil)
}

// fixtureJars is the version key of a campaign for the build of its fixtures, not just their
// sources. Campaigns of older versions of moobench lack it.
const fixtureJars = "fixture_jars"

// store creates the campaign's folder, or reopens a resumed one now that it is locked. It refuses
// to resume with another JDK or build of the fixtures, or on another machine: a block belongs to
// one host, a campaign to one setting.
func (s *Session) store(dir string, versions map[string]string) (*results.Store, error) {
	if s.Resume != "" {
		store, err := results.Open(dir)
		if err != nil {
			return nil, err
		}
		s.Plan.Campaign = store.Campaign()
		old := s.Plan.Campaign.Versions
		for _, key := range []string{"jdk", "fixtures", fixtureJars, "machine"} {
			if key == "machine" && s.Plan.Campaign.Shard != nil {
				continue // a shard may move to another host: an incomplete block starts again
			}
			if _, known := old[key]; old[key] != versions[key] && (known || key != fixtureJars) {
				err = fmt.Errorf("resuming %s: the campaign was started with %s %q, now it is %q",
					dir, key, old[key], versions[key])
				return nil, refusal.New(err, "start a new campaign without --resume")
			}
		}
		return store, nil
	}
	c := s.Plan.Campaign
	c.Created, c.Versions, c.Origin = time.Now().UTC(), versions, s.File.Path
	parent, e := filepath.Dir(dir), run.EstimateOf(s.Plan)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, refusal.New(fmt.Errorf("making the results folder: %w", err), "choose another folder with -o")
	}
	if err := run.Room(parent, e.StayBytes+e.PeakBytes, "planning the campaign"); err != nil {
		return nil, err
	}
	return results.Create(dir, c, s.File.Text)
}

// own opens the campaign's folder for the machine in its current state. Nobody else writes to it
// until release is called.
func (s *Session) own(r *run.Runner, dir string, host results.Machine) (release func(), err error) {
	versions := map[string]string{
		"moobench":  s.lab.Moobench,
		"jdk":       javaVersions(r),
		"fixtures":  r.Fixtures.Hash,
		fixtureJars: r.Fixtures.Jars,
		"machine":   host.ID,
	}
	if r.Fixtures.Hash != "" {
		versions[results.VersionReference] = jvmfixtures.ReferenceVersion
	}
	kept, err := s.standards(host)
	if err != nil {
		return nil, err
	}
	known, err := s.influences(r, host)
	if err != nil {
		return nil, err
	}
	store, err := s.store(dir, versions)
	if err != nil {
		return nil, err
	}
	disown, err := store.Own()
	if err != nil {
		return nil, err
	}
	if err := store.AddMachine(host); err != nil {
		disown()
		return nil, err
	}
	giveBack, err := r.Host.Placement.TakeOurs()
	if err != nil {
		disown()
		return nil, err
	}
	r.Store = store
	r.More = func(_ *results.Campaign, scenario string) (*results.Decision, error) {
		return sizing.Size(store, scenario)
	}
	r.Finish = func() (err error) {
		speeds, shifts := analysis.Speeds(store)
		if s.Plan.Campaign.Shard == nil {
			if s.made, err = standard.Finish(store, speeds, kept, time.Now().UTC().Truncate(time.Second)); err != nil {
				return err
			}
			s.unkept = kept.Save() // the campaign itself does not need the file
		}
		s.tellInfluences(known, store.Campaign().Created, shifts)
		return nil
	}
	r.Settle = func(_ *results.Campaign, scenario string) (next run.Pilot, err error) {
		next.Cell, next.Calls, next.Decision, err = settling.Settle(store, scenario)
		return next, err
	}
	return func() {
		giveBack()
		disown()
	}, nil
}

// javaVersions returns the exact versions of all JDKs to measure.
func javaVersions(r *run.Runner) string {
	versions := results.Each(slices.Collect(maps.Values(r.Javas)), func(j jvm.Java) string { return j.Version })
	slices.Sort(versions)
	return cmp.Or(strings.Join(versions, ", "), r.Java.Version)
}

// announce prints on standard error what is about to happen, and where: a line for the settings
// made, and a line for each that could not be made. The variants and the seed are in the answers
// and the campaign's folder.
func (s *Session) announce(r *run.Runner, host results.Machine) {
	c, e, w := r.Store.Campaign(), run.EstimateOf(s.Plan), s.lab.Err
	fmt.Fprintf(w, "%d invocations%s · %s · results in %s\n", e.Invocations, pilotOnly(c), wallText(e), r.Store.Dir())
	writeSizing(w, c)
	if version := javaVersions(r); version != "" { // the user's own program may bring its own Java, or need none
		fmt.Fprintf(w, "JDK %s · ", version)
	}
	fmt.Fprintln(w, r.Host.Placement)
	var set []string
	var unmet []results.KnobState
	for _, k := range host.Knobs {
		switch {
		case k.Unmet():
			unmet = append(unmet, k)
		case k.Wanted != "" && k.Found != k.Wanted:
			set = append(set, k.Name+" "+k.Wanted)
		}
	}
	if len(set) > 0 {
		fmt.Fprintf(w, "  quiet   %s · what was found is put back at the end\n",
			console.Visible(strings.Join(set, " · ")))
	}
	asWanted := func(k results.KnobState) string { return k.Name + " is not " + k.Wanted }
	for _, line := range machine.ByReason(unmet, asWanted) {
		fmt.Fprintf(w, "  !       %s\n", console.Visible(line))
	}
	if r.Host.Placement.Remark != "" {
		fmt.Fprintf(w, "  !       %s\n", r.Host.Placement.Remark)
	}
	if lack := s.unproven(); lack != "" {
		fmt.Fprintf(w, "  !       %s\n", lack)
	}
}
