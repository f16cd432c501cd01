// Package session carries out a benchmarks.toml: it reads and plans it, shows the plan or quietens
// the machine, measures, puts the machine back, and answers. It is the only package in which a
// running campaign uses the analysis.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"moobench/analysis/infer"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/demand"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/standard"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

// Lab holds the settings that sessions share.
type Lab struct {
	console.Console
	Scenarios []run.Scenario // scenarios that can be measured
	Tree      machine.Tree   // the machine's files
	Moobench  string         // the build that measures
	Seed      func() uint64  // draws the seed of a campaign without one; nil: 1
}

// Options are the user's choices for a session. Empty fields have defaults.
type Options struct {
	Dir    string        // folder of the campaign
	Only   string        // pattern of the variants to measure
	Resume string        // folder of the campaign to resume, with its own Dir, Only and Seed
	Seed   uint64        // of the order
	Seeded bool          // Seed was given
	Quiet  bool          // no progress, only warnings
	Dry    bool          // print the plan, start nothing
	Going  bool          // go on with variants that record nothing
	Wait   time.Duration // longest wait for another campaign on this machine
	// Standard is the CPU's standard speed, at which costs are reported, or a file of such speeds;
	// "": the one of benchmarks.toml, or the user's own file.
	Standard string
	Shard    results.Shard // shard of a plan to measure; Count 0: the whole plan
	Lanes    int           // number of lanes on this machine; 0: one block at a time
	InLane   bool          // Shard is measured in a lane
	Pairs    int           // pairs of JVMs that take turns, per variant
	Kept     string        // folder to keep artifacts in; "": the default if there is a gate, or else none
}

// Session is one run of moobench, from plan to answers.
type Session struct {
	Options
	File *config.File
	Plan *plan.Plan
	lab  *Lab
	made []standard.Made // standard speeds set by the campaign
	// unkept is the error of storing them for later campaigns.
	unkept error
	// Adapt makes a new benchmarks.toml from a trial of the server without an agent; if Adapt or
	// its text is nil, the file stays as it is.
	Adapt func(run.Rehearsed) (text []byte, err error)
	// untold is the error of storing this campaign's influences for later ones.
	untold error
	// frozen holds earlier pilots' decisions; nil: this campaign has its own pilots.
	frozen *results.Frozen
	// bundle holds all files of the plan, in bundleFolder; nil: they are found or fetched.
	bundle       *fleet.Bundle
	bundleFolder string
}

// Known returns what a benchmarks.toml can refer to.
func (l *Lab) Known() config.Known {
	k := config.Known{Environment: plan.Environment(), CPUs: cpu.Check}
	k.Framework, k.Build, k.Jar = framework.Tables()
	k.Scenarios = results.Each(l.Scenarios, run.Scenario.Schema)
	k.Tests = results.Each(infer.Askable(), func(k infer.Kind) config.Test {
		return config.Test{Name: k.Name, TwoSided: k.TwoSided, Margin: k.Margin}
	})
	k.Knobs = results.Each(knob.All(), func(k knob.Knob) config.Knob {
		return config.Knob{Name: k.Name, About: k.Does, Values: k.Values, Fixed: k.Fixed, Check: k.Check}
	})
	return k
}

// defaultFile is the file to measure if none is named.
const defaultFile = "benchmarks.toml"

// Open reads a benchmarks.toml and plans it: the named one, or else the one of a resumed campaign,
// or ./benchmarks.toml. It reports all mistakes in the file before anything is built or started.
func (l *Lab) Open(o Options, named ...string) (*Session, error) {
	if len(named) > 0 && o.Resume == "" {
		switch {
		case fleet.IsBundle(named[0]):
			return l.openBundle(o, named[0])
		case results.IsPlan(named[0]):
			s := &Session{Options: o, lab: l}
			return s, s.openPlan(named[0], named[0])
		}
	}
	if o.Shard.Count > 0 || o.Lanes > 0 {
		err := errors.New("shards and lanes are those of a plan, which is the same for all of them")
		return nil, outcome.Usage(refusal.New(err, "write it with: moobench plan benchmarks.toml -o plan.json"))
	}
	s := &Session{Options: o, lab: l}
	var old *results.Campaign
	var text []byte
	var err error
	if o.Resume != "" {
		if old, text, err = Resumable(o.Resume); err != nil {
			return nil, err
		}
	}
	switch {
	case len(named) > 0:
		s.File, err = config.Load(named[0], l.Known())
	case old != nil:
		s.File, err = config.Parse(old.Origin, text, l.Known())
	default:
		if _, err := os.Stat(defaultFile); err != nil {
			return nil, outcome.Usage(refusal.New(errors.New("there is no benchmarks.toml here"),
				"name one, or write one with: moobench init"))
		}
		s.File, err = config.Load(defaultFile, l.Known())
	}
	if s.File == nil {
		return nil, err
	}
	return s, s.plan(old)
}

// Parse reads and plans the text of a benchmarks.toml; messages use path.
func (l *Lab) Parse(o Options, path string, text []byte) (*Session, error) {
	file, err := config.Parse(path, text, l.Known())
	if err != nil {
		return nil, err
	}
	return l.Plan(o, file)
}

// Plan plans a benchmarks.toml that was read already.
func (l *Lab) Plan(o Options, file *config.File) (*Session, error) {
	s := &Session{Options: o, File: file, lab: l}
	return s, s.plan(nil)
}

// plan plans the file, or continues an old campaign. It refuses to continue if the plan has
// changed, because invocations of different plans can't be paired.
func (s *Session) plan(old *results.Campaign) error {
	set, err := frameworks(s.File, s.brought())
	if err != nil {
		return err
	}
	var jdks []plan.JDK // JDKs in the folders of [jvm] homes
	mistakes := s.File.Fresh()
	for i, home := range s.File.JVM.Homes {
		java, err := findJava(s.File, home)
		if err != nil {
			mistakes.Fail([]any{"jvm", "homes", i}, "name the folder of a JDK, the one that holds bin/java", "%v", err)
			continue
		}
		jdks = append(jdks, plan.JDK{Home: java.Home, Version: java.Version, Major: java.Major})
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	if s.Plan, err = plan.New(s.File, set, s.lab.Scenarios, jdks, s.seed(old)); err != nil {
		return err
	}
	if c := s.Plan.Campaign.Control; c != nil { // the wishes include the profile's
		c.Wishes = results.Each(demand.Wishes(s.File.Machine), func(w knob.Wish) results.KnobState {
			return results.KnobState{Name: w.Knob, Wanted: w.Value, Policy: w.Policy}
		})
	}
	if s.Only != "" {
		if err := s.Plan.Only(s.Only); err != nil {
			return outcome.Usage(err)
		}
	}
	if old != nil {
		s.frozen = old.Frozen
	}
	if s.frozen != nil {
		if err := s.Plan.Freeze(s.frozen.Scenarios); err != nil {
			return err
		}
	}
	s.warnAlone()
	if old == nil {
		return nil
	}
	if err := s.Plan.Resume(old); err != nil {
		return refusal.New(fmt.Errorf("resuming %s: %w", s.Resume, err),
			"undo the change, or start a new campaign without --resume")
	}
	return nil
}

// warnAlone warns if a scenario's only variant is its own baseline. A scenario that measures the
// one-time cost of a change needs no other variant.
func (s *Session) warnAlone() {
	for _, sc := range s.Plan.Campaign.Scenarios {
		i := slices.IndexFunc(s.Plan.Cells, func(c plan.Cell) bool {
			return c.Scenario == sc.Label && c.Role == results.RoleBaseline
		})
		once := slices.ContainsFunc(sc.Metrics, func(m results.Metric) bool { return m.Primary && m.Once })
		if c := s.Plan.Cells[i]; c.Variant != framework.None && len(sc.Questions) == 0 && !once {
			const text = "%s: %s is the only variant, and so the baseline: nothing shows what it costs"
			const hint = "to see what it costs, name first what to compare it with: variants = [%q, %q]"
			s.lab.Warn(fmt.Sprintf(text, sc.Label, c.Variant), fmt.Sprintf(hint, framework.None, c.Variant))
		}
	}
}

// seed returns the seed of the resumed campaign, the flag or the file, or draws one.
func (s *Session) seed(old *results.Campaign) uint64 {
	switch {
	case old != nil:
		return old.Seed
	case s.Seeded:
		return s.Seed
	case s.File.Seed != nil:
		return *s.File.Seed
	case s.lab.Seed != nil:
		return s.lab.Seed()
	}
	return 1
}

// Frameworks returns the frameworks of the catalogue and of a file. The error lists all mistakes in
// the file so far. Names of variants are only checked here if there are mistakes; otherwise the
// plan checks them with more detailed messages.
func Frameworks(f *config.File) (*framework.Set, error) { return frameworks(f, nil) }

// frameworks is Frameworks with files that a bundle may have brought.
func frameworks(f *config.File, brought func(path string) string) (*framework.Set, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return nil, err
	}
	set = set.Bringing(brought)
	dir := filepath.Dir(f.Path)
	set = set.With(f.Frameworks, dir).WithBuilds(f.Builds, dir).WithDigests(f.Digests)
	if f.Err() != nil {
		for i, s := range f.Scenarios {
			set.CheckNames(s.Variants, f.Document, []any{"scenario", i, "variants"})
		}
	}
	return set, f.Err()
}

// findJava finds the JDK in a folder that a file names; "": this machine's JDK. Relative folders,
// like paths of agents, start at the file's folder, because subjects are started elsewhere.
func findJava(f *config.File, home string) (jvm.Java, error) {
	if home != "" && !filepath.IsAbs(home) {
		path, err := filepath.Abs(filepath.Join(filepath.Dir(f.Path), home))
		if err != nil {
			return jvm.Java{}, fmt.Errorf("looking for Java in %s: %w", home, err)
		}
		home = path
	}
	return jvm.Find(home)
}

// RunsFolder is the default folder for campaigns.
const RunsFolder = "results/runs"

// Campaigns returns the folders of all campaigns in RunsFolder, newest last: their names begin with
// the start time.
func Campaigns() []string {
	files, _ := filepath.Glob(RunsFolder + "/*/campaign.json") // the pattern is valid, so there is no error
	return results.Each(files, filepath.Dir)
}

// FreeFolder returns an unused path in runs for a campaign that begins at this time. If several
// begin in the same second, it appends a number. If it can't check the path, creating the folder
// will report why.
func FreeFolder(runs string, start time.Time, campaign string) string {
	base := filepath.Join(runs, start.UTC().Format("2006-01-02T150405Z")+"-"+campaign)
	dir := base
	for n := 2; n <= 1000; n++ {
		if _, err := os.Lstat(dir); err != nil {
			break
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
	return dir
}

// Folder returns the chosen folder of the campaign, or an unused one.
func (s *Session) Folder() string {
	return cmp.Or(s.Resume, s.Dir, FreeFolder(RunsFolder, time.Now(), s.File.Name))
}

// Resumable returns a campaign that an earlier session began, and its benchmarks.toml.
func Resumable(dir string) (*results.Campaign, []byte, error) {
	store, err := results.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	c := store.Campaign()
	if c.Source != "moobench" {
		return nil, nil, fmt.Errorf("resuming %s: it was imported from %s; there is nothing to go on with",
			dir, c.Source)
	}
	text, err := store.TOML()
	if err != nil {
		return nil, nil, fmt.Errorf("resuming %s: %w", dir, err)
	}
	return c, text, nil
}
