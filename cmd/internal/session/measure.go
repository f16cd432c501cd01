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
	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
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
	if _, err := s.suited(); err != nil { // before hours of waiting
		return err
	}
	release, err := s.lab.lock(ctx, dir, s.Wait)
	if err != nil {
		return err
	}
	defer release()
	store, err := s.carryOut(ctx, dir, "nothing sealed is lost; go on with: "+resume)
	if err != nil {
		if ctx.Err() != nil {
			s.soFar(store)
		}
		return err
	}
	s.tellStandards()
	answers, err := analysis.Analyse(store)
	if err != nil {
		return err
	}
	return tell(store, answers)
}

// carryOut carries the plan out on a machine that is locked already; the hint says what to do
// when it ends early. The store is returned with an error, too, as far as there is one.
func (s *Session) carryOut(ctx context.Context, dir, hint string) (store *results.Store, err error) {
	err = s.quietly(ctx, dir, func(r *run.Runner, host results.Machine) error {
		release, err := s.begin(r, dir, host)
		if err != nil {
			return err
		}
		defer release()
		if !s.Quiet {
			s.announce(r, host)
		}
		shown, stop := progress.New(s.lab.Console, s.Quiet, analysis.Follow(r.Store))
		defer stop()
		r.Progress, store = shown, r.Store
		err = r.Run(ctx)
		if err == nil || errors.Is(err, run.ErrGivenUp) {
			return nil
		}
		if ctx.Err() != nil {
			err = errors.New("interrupted: the invocation under way was discarded")
		}
		return refusal.New(err, hint)
	})
	return store, err
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

// quietly has measure run on a machine that is locked already, and is as the file wants it. What
// it changes on the machine is put back however that ends, by a panic as well.
func (s *Session) quietly(ctx context.Context, dir string, measure func(*run.Runner, results.Machine) error) (err error) {
	if names := jvm.EndOrphans(); len(names) > 0 { // of a killed moobench: they would take their share of everything that is measured now
		s.lab.Warn("a moobench that was killed had left behind "+strings.Join(names, ", ")+": ended, because it would disturb what is measured now", "")
	}
	if err := demand.Foreseen(s.File.Machine, s.lab.Tree); err != nil { // before minutes of building
		return err
	}
	r, err := s.ready(ctx)
	if err != nil {
		return err
	}
	if r, err = s.rehearse(ctx, r); err != nil {
		return err
	}
	quiet, host, err := s.quieten(dir)
	if err != nil {
		return err
	}
	defer func() {
		done, left := quiet.Restore()
		s.lab.tellRestored(done)
		if n := len(done.Done); n > 0 && !s.Quiet {
			fmt.Fprintf(s.lab.Err, "the machine is as it was found: %s put back\n", figure.Plural(n, "setting", "settings"))
		}
		err = errors.Join(err, left)
	}()
	if err := s.canVary(quiet); err != nil {
		return err
	}
	r.Host = s.hostOf(quiet, host)
	return measure(r, host)
}

// hostOf is the machine as it is now, for a runner.
func (s *Session) hostOf(quiet *machine.Quiet, host results.Machine) run.Host {
	// Only what moobench has set can be changed by somebody else.
	states := quiet.States()
	met := slices.DeleteFunc(demand.Wishes(s.File.Machine), func(w knob.Wish) bool {
		return !slices.ContainsFunc(states, func(k results.KnobState) bool { return k.Name == w.Knob && k.Wanted != "" && !k.Unmet() })
	})
	return run.Host{Tree: s.lab.Tree, ID: host.ID, Placement: quiet.Placement, Wishes: met, Quiet: quiet}
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

// rehearse tries a program of the user's own without an agent, before anything of a campaign is
// measured, and returns who measures it: another one, where the plan follows from what was found.
func (s *Session) rehearse(ctx context.Context, r *run.Runner) (*run.Runner, error) {
	c := r.Rehearses()
	if s.Resume != "" || c == nil {
		return r, nil
	}
	trying := "running the program once without an agent, since how long it may take with one follows from that …"
	if c.Program.IsServer() {
		trying = "asking the server each request once, before anything is measured …"
	}
	if !s.Quiet {
		fmt.Fprintln(s.lab.Err, trying)
	}
	err := r.Rehearse(ctx, *c)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted before anything was measured")
	}
	if err != nil {
		return nil, err
	}
	return s.adapted(ctx, r, *c)
}

// adapted is a runner of the plan that follows from what was found. Where there is no other one,
// what the server does not bear is said.
func (s *Session) adapted(ctx context.Context, r *run.Runner, c plan.Cell) (*run.Runner, error) {
	var text []byte
	if s.Adapt != nil {
		var err error
		if text, err = s.Adapt(r.Tried); err != nil {
			return nil, err
		}
	}
	if text == nil {
		if bears, rate := r.Tried.Capacity, float64(c.Int("rate")); bears > 0 && rate > bears && c.Parameter("arrival") != "closed" {
			s.lab.Warn(fmt.Sprintf("the server answered %.3g requests a second without an agent when it was tried, and %.0f will be sent: "+
				"latencies would be those of a growing queue", bears, rate), fmt.Sprintf("lower rate in its [[scenario]], to %.0f (moobench cost: --rate)", max(1, bears/2)))
		}
		return r, nil
	}
	file, err := config.Parse(s.File.Path, text, s.lab.Known())
	if err != nil {
		return nil, err
	}
	s.File, s.Seed, s.Seeded = file, s.Plan.Campaign.Seed, true
	if err := s.plan(nil); err != nil {
		return nil, err
	}
	tried := r.Tried
	if r, err = s.ready(ctx); err == nil {
		r.Tried = tried
	}
	return r, err
}

// ready gets what can be had without touching the machine or the disk: JDKs, fixtures,
// frameworks. What can fail here fails before anything is changed.
func (s *Session) ready(ctx context.Context) (*run.Runner, error) {
	r := &run.Runner{
		Plan: s.Plan, Scenarios: s.lab.Scenarios, Args: s.File.JVM.Args, Javas: map[string]jvm.Java{},
		Session: machine.SessionID(), KeepGoing: s.Going,
	}
	resolver := &framework.Resolver{Log: s.lab.Err}
	var err error
	if r.Java, err = s.suited(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.NeedsFixtures() }) {
		b, err := s.lab.Fixtures(r.Java.Home)
		if err != nil {
			return nil, err
		}
		b.Digests = &resolver.Digests
		if r.Fixtures, err = b.Build(ctx); err != nil {
			return nil, err
		}
	}
	for _, c := range s.Plan.Cells {
		if home := c.JDK.Home; home != "" && r.Javas[home] == (jvm.Java{}) {
			if r.Javas[home], err = jvm.Find(home); err != nil {
				return nil, err
			}
		}
	}
	r.Artifacts, err = run.ResolveArtifacts(ctx, resolver, s.Plan)
	if err = missingFiles(s.File, err); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, r, resolver); err != nil {
		return nil, err
	}
	return r, s.keep(r)
}

// prepare has tools work on the classes of the variants that want it.
func (s *Session) prepare(ctx context.Context, r *run.Runner, resolver *framework.Resolver) error {
	if !slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.Recipe.Prepare.Of != "" }) {
		return nil
	}
	cache, err := safefile.CacheFolder()
	if err != nil {
		return err
	}
	p := &run.Preparer{Cache: filepath.Join(cache, "prepared"), Fixtures: r.Fixtures, Resolver: resolver, Log: s.lab.Err}
	return r.Artifacts.Prepare(ctx, s.Plan, p, r.JavaOf)
}

// needsJava says whether anything is started with the campaign's JDK, or built with it.
func (s *Session) needsJava() bool {
	return slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.NeedsFixtures() || c.NeedsJava() })
}

// chooseJava finds the campaign's JDK, the first one of several.
func (s *Session) chooseJava() (jvm.Java, error) {
	home := s.File.JVM.Home
	if homes := s.File.JVM.Homes; len(homes) > 0 {
		home = homes[0]
	}
	return findJava(s.File, home)
}

// suited is the campaign's JDK, none where it needs none. The error says which variants can't run on it.
func (s *Session) suited() (java jvm.Java, err error) {
	if !s.needsJava() {
		return java, nil
	}
	if java, err = s.chooseJava(); err != nil {
		return java, err
	}
	return java, errors.Join(s.unsuited(java)...)
}

// unsuited says of each variant that can't run on this JDK why. Where there are several JDKs, the
// plan has made sure that all of them suit.
func (s *Session) unsuited(java jvm.Java) (errs []error) {
	seen := map[string]bool{}
	for _, c := range s.Plan.Cells {
		v := c.Recipe
		if err := v.Suits(java.Home, java.Major); err != nil && !seen[v.Name] && len(s.File.JVM.Homes) == 0 {
			errs = append(errs, refusal.New(err, "name another JDK: home in [jvm] (moobench cost: --jdk)"))
		}
		seen[v.Name] = true
	}
	return errs
}

// Fixtures builds the fixtures into the user's cache.
func (l *Lab) Fixtures(javaHome string) (*fixture.Builder, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	return &fixture.Builder{Sources: jvmfixtures.Sources, Cache: filepath.Join(cache, "fixtures"), JavaHome: javaHome, Log: l.Err}, nil
}

// missingFiles turns an error about files of the user's own that are not there into mistakes
// at the places that name them. An error that says anything else too stays as it is, or that
// would get lost.
func missingFiles(file *config.File, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	all := file.Fresh() // each cell needs the file, and it is named once
	for _, e := range joined.Unwrap() {
		var missing *framework.MissingError
		if !errors.As(e, &missing) {
			return err
		}
		all.Fail(missing.Artifact.Key, missing.Hint(), "%s", missing.Reason())
	}
	return all.Err()
}

// KeptFolder is where the jars of past nights are kept, unless a flag says.
const KeptFolder = "results/artifacts"

// keep keeps the jars that may be others tomorrow, so that moobench confirm can measure
// today's again. It does so before anything is measured: what is rebuilt meanwhile is not
// what ran. Campaigns without a gate keep nothing, unless told where to.
func (s *Session) keep(r *run.Runner) error {
	if s.Plan.Campaign.Gate == nil && s.Kept == "" {
		return nil
	}
	kept := results.OpenKept(cmp.Or(s.Kept, KeptFolder))
	for _, c := range s.Plan.Cells {
		for _, a := range c.Recipe.Artifacts {
			path := r.Artifacts.Path(c.Variant, a.Name)
			if path == "" || !a.Moves() {
				continue
			}
			got, err := kept.Keep(path)
			if err != nil {
				return refusal.New(fmt.Errorf("keeping %s of %s: %w", a, c.Variant, err), "choose another folder with --artifacts")
			}
			if got.SHA256 != a.SHA256 {
				return refusal.New(fmt.Errorf("keeping %s of %s: %s was rebuilt just now", a, c.Variant, path), "start again when the build is done")
			}
		}
	}
	digests := map[string]string{} // of the modules that are kept already
	err := run.NoteFixtures(s.Plan, func(module string) (string, error) {
		if sum, done := digests[module]; done {
			return sum, nil
		}
		a, err := kept.Keep(r.Fixtures.Jar(module))
		digests[module] = a.SHA256
		return a.SHA256, err
	})
	if err != nil {
		return fmt.Errorf("keeping the fixtures: %w", err)
	}
	return nil
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

// begin opens the campaign's folder for the machine as it is now. Nobody else writes to
// it until release is called.
func (s *Session) begin(r *run.Runner, dir string, host results.Machine) (release func(), err error) {
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
		if s.made, err = standard.Finish(store, speeds, kept); err != nil {
			return err
		}
		s.unkept = kept.Save() // which the campaign does not need
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
