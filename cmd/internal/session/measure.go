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

// Run measures the plan, prints the answers and writes the page beside the samples, and
// says how to go on when it was interrupted.
func (s *Session) Run(ctx context.Context) error {
	dir := s.Folder()
	return s.Measure(ctx, dir, "moobench run --resume "+dir, func(_ *results.Store, answers *analysis.Answers) error {
		unheard := report.Text(s.lab.Out, answers, s.lab.Options()) // whoever reads may have gone: there is a page all the same
		page, err := s.lab.Page(answers, dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.lab.Out, "\nreport: %s\n", page)
		return cmp.Or(unheard, outcome.ForAnswers(answers))
	})
}

// Measure carries the plan out in a folder, and has its answers told before anybody else may
// measure here; resume is the command that goes on when it ends early.
func (s *Session) Measure(ctx context.Context, dir, resume string, tell func(*results.Store, *analysis.Answers) error) error {
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

// orphans ends what a killed moobench left running: it would take its share of everything that
// is measured now.
func (m *measuring) orphans(context.Context) (undo func() error, err error) {
	if names := jvm.EndOrphans(); len(names) > 0 {
		m.lab.Warn("a moobench that was killed had left behind "+strings.Join(names, ", ")+": ended, because it would disturb what is measured now", "")
	}
	return nil, nil
}

// foresee refuses what can't be had here.
func (m *measuring) foresee(context.Context) (undo func() error, err error) {
	return nil, demand.Foreseen(m.File.Machine, m.lab.Tree)
}

// begin opens the campaign's folder for the machine as it is now.
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

// putBack leaves the machine as it was found, before the answers, which may take minutes.
func (m *measuring) putBack(context.Context) (undo func() error, err error) {
	return nil, m.undo("quieten")
}

// answer tells the answers, or what is known of them where the campaign was interrupted.
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

// soFar prints what is known of a campaign that was interrupted, if anything is: it is not
// finished, and says so.
func (s *Session) soFar(store *results.Store) {
	if store == nil {
		return
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return // why it ended is what is said
	}
	known := func(c analysis.Cell) bool {
		return c.Role == results.RoleVariant && slices.ContainsFunc(c.Metrics, func(m analysis.MetricAnswer) bool { return m.Difference != nil })
	}
	for _, sc := range answers.Scenarios {
		if slices.ContainsFunc(sc.Cells, known) {
			_ = report.Text(s.lab.Out, answers, s.lab.Options()) // whoever reads may have gone
			return
		}
	}
}

// quieten sets what the campaign wants of the machine.
func (m *measuring) quieten(context.Context) (undo func() error, err error) {
	if m.quiet, m.host, err = m.Session.quieten(m.dir); err != nil {
		return nil, err
	}
	return func() error {
		done, left := m.quiet.Restore()
		m.lab.tellRestored(done)
		if n := len(done.Done); n > 0 && !m.Quiet {
			fmt.Fprintf(m.lab.Err, "the machine is as it was found: %s put back\n", figure.Plural(n, "setting", "settings"))
		}
		return left
	}, nil
}

// vary makes sure that the machine can be what each cell wants of it.
func (m *measuring) vary(context.Context) (undo func() error, err error) {
	if err := m.canVary(m.quiet); err != nil {
		return nil, err
	}
	m.runner.Host = m.hostOf(m.quiet, m.host)
	return nil, nil
}

// hostOf is the machine as it is now, for a runner.
func (s *Session) hostOf(quiet *machine.Quiet, host results.Machine) run.Host {
	// Only what moobench has set can be changed by somebody else.
	states := quiet.States()
	met := slices.DeleteFunc(demand.Wishes(s.File.Machine), func(w knob.Wish) bool {
		return !slices.ContainsFunc(states, func(k results.KnobState) bool { return k.Name == w.Knob && k.Wanted != "" && !k.Unmet() })
	})
	return run.Host{Tree: s.lab.Tree, ID: host.ID, Boot: machine.Boot(), Placement: quiet.Placement, Wishes: met, Quiet: quiet}
}

// standards gives a new campaign the speeds of the CPU that its costs are told at, and reads
// the file that keeps those of later ones.
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
		kept = &standard.File{} // of the plan alone: that of its model follows from all shards
	}
	if s.Resume == "" {
		s.Plan.Campaign.Standards = standard.For(wish, s.File, host, kept)
	}
	return kept, nil
}

// tellStandards says which standards the campaign has made: later ones are told at them. Of what
// could not be kept for later ones it warns.
func (s *Session) tellStandards() {
	if s.untold != nil {
		s.lab.Warn(s.untold.Error()+": verdicts of later campaigns leave more room for it", "make room for that file, and let moobench write it")
	}
	if s.unkept != nil {
		s.lab.Warn(s.unkept.Error()+": later campaigns make another one, and are told at that", "name a file for it: --standard standards.json")
	}
	for _, m := range s.made {
		if s.Quiet {
			continue
		}
		where := "kept in " + m.Path
		if m.Path == "" || s.unkept != nil {
			where = "kept in this campaign alone"
		}
		fmt.Fprintf(s.lab.Err, "standard speed of %s with JDK %s, from now on: the reference takes %s, the median of these %s; %s\n",
			console.Visible(m.CPU), console.Visible(m.Runtime), figure.Quantity(m.NS, "ns"), figure.Plural(m.N, "JVM", "JVMs"), console.Visible(where))
	}
}

// rehearses says whether a program of the user's own is tried without an agent before anything of a
// campaign is measured.
func (s *Session) rehearses() bool { return s.Resume == "" && run.Rehearses(s.Plan) != nil }

// rehearse tries the user's program, and has another plan carried out where that follows from what
// was found.
func (m *measuring) rehearse(ctx context.Context) (undo func() error, err error) {
	c := run.Rehearses(m.Plan)
	trying := "running the program once without an agent, since how long it may take with one follows from that …"
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

// adapt makes the plan that follows from what was found, where there is another one. Where there
// is none, what the server does not bear is said.
func (s *Session) adapt(tried run.Rehearsed, c plan.Cell) (changed bool, err error) {
	var text []byte
	if s.Adapt != nil {
		if text, err = s.Adapt(tried); err != nil {
			return false, err
		}
	}
	if text == nil {
		if bears, rate := tried.Capacity, float64(c.Int("rate")); bears > 0 && rate > bears && c.Parameter("arrival") != "closed" {
			s.lab.Warn(fmt.Sprintf("the server answered %.3g requests a second without an agent when it was tried, and %.0f will be sent: "+
				"latencies would be those of a growing queue", bears, rate), fmt.Sprintf("lower rate in its [[scenario]], to %.0f (moobench cost: --rate)", max(1, bears/2)))
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

// fixtureJars is the version of a campaign that says which build of the fixtures it
// measures, and not only of which sources. Campaigns of an older moobench have none.
const fixtureJars = "fixture_jars"

// store makes the campaign's folder, or opens the one that is resumed: again, now that
// nobody else can be writing to it. It does not go on with another JDK, another build of
// the fixtures, or on another machine: a block belongs to one host, and a campaign to one
// setting.
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
				continue // a shard may be moved: what is half done of a block starts again
			}
			if _, known := old[key]; old[key] != versions[key] && (known || key != fixtureJars) {
				return nil, refusal.New(fmt.Errorf("resuming %s: the campaign was started with %s %q, now it is %q", dir, key, old[key], versions[key]),
					"start a new campaign without --resume")
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

// own opens the campaign's folder for the machine as it is now. Nobody else writes to
// it until release is called.
func (s *Session) own(r *run.Runner, dir string, host results.Machine) (release func(), err error) {
	versions := map[string]string{
		"moobench": s.lab.Moobench, "jdk": javaVersions(r), "fixtures": r.Fixtures.Hash, fixtureJars: r.Fixtures.Jars, "machine": host.ID,
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
		return analysis.Size(store, scenario)
	}
	r.Finish = func() (err error) {
		speeds, shifts := analysis.Speeds(store)
		if s.Plan.Campaign.Shard == nil {
			if s.made, err = standard.Finish(store, speeds, kept, time.Now().UTC().Truncate(time.Second)); err != nil {
				return err
			}
			s.unkept = kept.Save() // which the campaign does not need
		}
		s.tellInfluences(known, store.Campaign().Created, shifts)
		return nil
	}
	r.Settle = func(_ *results.Campaign, scenario string) (next run.Pilot, err error) {
		next.Cell, next.Calls, next.Decision, err = analysis.Settle(store, scenario)
		return next, err
	}
	return func() {
		giveBack()
		disown()
	}, nil
}

// javaVersions are the exact versions of all JDKs that are measured.
func javaVersions(r *run.Runner) string {
	versions := results.Each(slices.Collect(maps.Values(r.Javas)), func(j jvm.Java) string { return j.Version })
	slices.Sort(versions)
	return cmp.Or(strings.Join(versions, ", "), r.Java.Version)
}

// announce says on standard error what is about to happen, and where: also in a line what
// was set of the machine, and in a line each what could not be. What is measured, and with
// which seed, stands in the answer and beside it.
func (s *Session) announce(r *run.Runner, host results.Machine) {
	c, e, w := r.Store.Campaign(), run.EstimateOf(s.Plan), s.lab.Err
	fmt.Fprintf(w, "%d invocations%s · %s · results in %s\n", e.Invocations, pilotOnly(c), wallText(e), r.Store.Dir())
	writeSizing(w, c)
	if version := javaVersions(r); version != "" { // a program of the user's own brings its own, or needs none
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
		fmt.Fprintf(w, "  quiet   %s · what was found is put back at the end\n", console.Visible(strings.Join(set, " · ")))
	}
	for _, line := range machine.ByReason(unmet, func(k results.KnobState) string { return k.Name + " is not " + k.Wanted }) {
		fmt.Fprintf(w, "  !       %s\n", console.Visible(line))
	}
	if r.Host.Placement.Remark != "" {
		fmt.Fprintf(w, "  !       %s\n", r.Host.Placement.Remark)
	}
	if lack := s.unproven(); lack != "" {
		fmt.Fprintf(w, "  !       %s\n", lack)
	}
}
