package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/standard"
	"moobench/harness/jvm"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
)

// TestStoreOfAResumedCampaign: a campaign goes on with the JDK and the fixtures that it was begun with, on its machine;
// a shard may move, and older campaigns don't say which build of the fixtures they have.
func TestStoreOfAResumedCampaign(t *testing.T) {
	begun := func() map[string]string {
		return map[string]string{"moobench": "1", "jdk": "17", "fixtures": "f", fixtureJars: "j", "machine": "m1"}
	}
	set := func(key, value string) func(old, now map[string]string) {
		return func(_, now map[string]string) { now[key] = value }
	}
	lacks := func(key string) func(old, now map[string]string) {
		return func(old, _ map[string]string) { delete(old, key) }
	}
	for name, c := range map[string]struct {
		change func(old, now map[string]string)
		shard  bool
		want   string // what differs
	}{
		"nothing":                  {set("jdk", "17"), false, ""},
		"another moobench":         {set("moobench", "2"), false, ""},
		"another JDK":              {set("jdk", "21"), false, `jdk "17", now it is "21"`},
		"other fixtures":           {set("fixtures", "g"), false, `fixtures "f", now it is "g"`},
		"another build of them":    {set(fixtureJars, "k"), false, `"j", now it is "k"`},
		"a build that is not told": {lacks(fixtureJars), false, ""},
		"a JDK that is not told":   {lacks("jdk"), false, `jdk "", now it is "17"`},
		"another machine":          {set("machine", "m2"), false, `machine "m1", now it is "m2"`},
		"a shard elsewhere":        {set("machine", "m2"), true, ""},
		"a shard's other JDK":      {set("jdk", "21"), true, `jdk "17", now it is "21"`},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := planned(t, previewed["watched"], Options{Resume: "runs/a"})
			old, now := begun(), begun()
			c.change(old, now)
			began := *s.Plan.Campaign
			if began.Versions = old; c.shard {
				began.Shard = &results.Shard{Index: 1, Count: 2}
			}
			if _, err := results.Create(s.Resume, &began, nil); err != nil {
				t.Fatal(err)
			}
			store, err := s.store(s.Resume, now)
			if c.want != "" {
				if err == nil || !strings.HasSuffix(err.Error(), c.want) {
					t.Fatalf("%v, want %s", err, c.want)
				}
				if hint := refusal.Do(err); hint != "start a new campaign without --resume" {
					t.Error(hint)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Plan.Campaign; got != store.Campaign() || got.Versions["moobench"] != "1" {
				t.Errorf("it goes on with %v", got.Versions)
			}
		})
	}
}

// TestStoreOfANewCampaign: it says when it was begun, with what, and of which file; a folder that can't be made is said
// with what to do.
func TestStoreOfANewCampaign(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	store, err := s.store("runs/a", map[string]string{"jdk": "17"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := results.Open(store.Dir())
	if err != nil {
		t.Fatal(err)
	}
	c := again.Campaign()
	if c.Created.IsZero() || c.Versions["jdk"] != "17" || c.Origin != s.File.Path {
		t.Errorf("%+v", c)
	}
	if text, err := again.TOML(); err != nil || string(text) != previewed["watched"] {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.store("file/a", nil); err == nil || refusal.Do(err) != "choose another folder with -o" {
		t.Errorf("in a file: %v", err)
	}
}

// TestRateThatAServerBears: a rate above what a server bears is warned of, with one that it does, unless its clients
// wait for their answers; and a new file makes a new plan with the seed that was drawn.
func TestRateThatAServerBears(t *testing.T) {
	const text = "name = \"a\"\n[server]\nrun = [\"./shop\", \"{agent}\"]\nready = \"http://127.0.0.1:{port}/\"\n" +
		"[[server.request]]\nurl = \"http://127.0.0.1:{port}/\"\n" +
		"[[scenario]]\nuse = \"server\"\nvariants = [\"none\", \"opentelemetry/auto/otlp\"]\nblocks = 1\n"
	const open, closed = "arrival = \"constant\"\nrate = 100\n", "arrival = \"closed\"\n"
	for _, c := range []struct {
		load  string
		bears float64
		hint  string // "" is no warning
	}{
		{open, 0, ""}, {open, 100, ""}, {open, 99, "to 50"}, {open, 1, "to 1 "}, {open, 40, "to 20"}, {closed, 1, ""},
	} {
		s, _, said := planned(t, text+c.load, Options{})
		changed, err := s.adapt(run.Rehearsed{Capacity: c.bears}, s.Plan.Cells[0])
		if changed || err != nil || (said.Len() > 0) != (c.hint != "") || !strings.Contains(said.String(), c.hint) {
			t.Errorf("%q, of which %v are borne: %t, %v, %s", c.load, c.bears, changed, err, said)
		}
	}
	s, _, said := planned(t, text+open, Options{})
	s.Adapt = func(tried run.Rehearsed) ([]byte, error) {
		return []byte(text + strings.Replace(open, "100", "7", 1)), nil
	}
	s.lab.Seed = func() uint64 { return 99 }
	changed, err := s.adapt(run.Rehearsed{Capacity: 1}, s.Plan.Cells[0])
	if !changed || err != nil || said.Len() > 0 {
		t.Errorf("%t, %v, %s", changed, err, said)
	}
	if seed, rate := s.Plan.Campaign.Seed, s.Plan.Cells[0].Parameter("rate"); seed != 5 || rate != "7" {
		t.Errorf("seed %d, rate %s", seed, rate)
	}
	failure := errors.New("it failed")
	s.Adapt = func(run.Rehearsed) ([]byte, error) { return nil, failure }
	if changed, err := s.adapt(run.Rehearsed{}, s.Plan.Cells[0]); changed || !errors.Is(err, failure) {
		t.Errorf("%t, %v", changed, err)
	}
}

// TestStandardsAreTold: a standard speed that later campaigns go by is said, with where it is kept.
func TestStandardsAreTold(t *testing.T) {
	made := []standard.Made{
		{Standard: results.Standard{CPU: "EPYC", Runtime: "17", NS: 2000, N: 12}, Path: "a.json"},
		{Standard: results.Standard{CPU: "Xeon", Runtime: "21", NS: 1500, N: 1}},
	}
	const first = "standard speed of EPYC with JDK 17, from now on: " +
		"the reference takes 2.000 µs, the median of these 12 JVMs; "
	const second = "standard speed of Xeon with JDK 21, from now on: " +
		"the reference takes 1.500 µs, the median of these 1 JVM; kept in this campaign alone\n"
	failure := errors.New("the disk is full")
	const warnsUnkept = "moobench: warning: the disk is full: later campaigns make another one, and are reported at its speed\n" +
		"moobench: hint: name a file for it: --standard standards.json\n"
	const warnsUntold = "moobench: warning: the disk is full: verdicts of later campaigns allow for more of it\n" +
		"moobench: hint: make room for that file, and let moobench write it\n"
	for name, c := range map[string]struct {
		s    Session
		want string
	}{
		"kept": {Session{made: made}, first + "kept in a.json\n" + second},
		"not kept": {
			Session{made: made, unkept: failure}, warnsUnkept + first + "kept in this campaign alone\n" + second,
		},
		"quietly":     {Session{made: made, Options: Options{Quiet: true}}, ""},
		"not told":    {Session{untold: failure}, warnsUntold},
		"nothing new": {Session{}, ""},
	} {
		var said bytes.Buffer
		c.s.lab = &Lab{Console: console.Console{Err: &said}}
		if c.s.tellStandards(); said.String() != c.want {
			t.Errorf("%s: %s\nwant %s", name, said.String(), c.want)
		}
	}
}

// TestMergedIsTold: who merges learns which shards are in the campaign, which were measured twice, and which lack.
func TestMergedIsTold(t *testing.T) {
	var said bytes.Buffer
	l := &Lab{Console: console.Console{Err: &said}}
	l.tellMerged(&results.Merged{
		Count: 3, Shards: make([]results.Part, 2), Doubles: []results.Part{{Index: 2}},
		Missing: []results.MissingShard{{Index: 3, Blocks: 4}},
	}, "runs/a")
	want := "2 of 3 shards in runs/a\n" +
		"moobench: warning: shard 2/3 was measured twice: the one that was sealed first counts, " +
		"and the other one is kept in runs/a/doubles\n" +
		"moobench: warning: shard 3/3 is missing: 4 blocks\n" +
		"moobench: hint: measure it: moobench run --shard 3/3 plan.json, and merge again\n"
	if said.String() != want {
		t.Errorf("%s\nwant %s", said.String(), want)
	}
}

// TestMergedIsThere: lanes that were merged are not measured again, and no other campaign is taken for theirs.
func TestMergedIsThere(t *testing.T) {
	for name, c := range map[string]struct {
		change func(c *results.Campaign)
		there  bool
	}{
		"theirs":       {func(c *results.Campaign) { c.Merged = &results.Merged{} }, true},
		"not merged":   {func(*results.Campaign) {}, false},
		"another plan": {func(c *results.Campaign) { c.Merged, c.PlanHash = &results.Merged{}, "0" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s, out, _ := planned(t, previewed["watched"], Options{})
			if there, err := s.isMerged("a"); there || err != nil {
				t.Fatalf("nothing was measured: %t, %v", there, err)
			}
			old := *s.Plan.Campaign
			c.change(&old)
			if _, err := results.Create("a", &old, nil); err != nil {
				t.Fatal(err)
			}
			there, err := s.isMerged("a")
			_, usage := errors.AsType[outcome.UsageError](err)
			if there != c.there || usage == c.there || (out.String() == "it is there already: a\n") != c.there {
				t.Errorf("%t, %v, %s", there, err, out)
			}
		})
	}
}

// TestPortable: a bundle names files of the folder of benchmarks.toml by the way from there, since that folder is
// elsewhere on other hosts.
func TestPortable(t *testing.T) {
	s, _, _ := planned(t, previewed["watched"], Options{})
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"org.example:tool:1.0":                     "org.example:tool:1.0",
		"lib/a.jar":                                "lib/a.jar",
		filepath.Join(here, "lib", "a.jar"):        "lib/a.jar",
		filepath.Join(filepath.Dir(here), "a.jar"): "../a.jar",
	} {
		if got := s.portable(key); got != want {
			t.Errorf("%s becomes %s, want %s", key, got, want)
		}
	}
}

// TestJavaVersions: all JDKs of a campaign are named, in order; without several, its own.
func TestJavaVersions(t *testing.T) {
	r := &run.Runner{Java: jvm.Java{Version: "17.0.1"}}
	if got := javaVersions(r); got != "17.0.1" {
		t.Error(got)
	}
	r.Javas = map[string]jvm.Java{"a": {Version: "21"}, "b": {Version: "11"}}
	if got := javaVersions(r); got != "11, 21" {
		t.Error(got)
	}
}

// TestLaneCores: lanes have their own cores, and a plan that can't give them any is refused.
func TestLaneCores(t *testing.T) {
	for name, c := range map[string]struct {
		knobs  string
		frozen bool
		lanes  int
		want   string // how the error begins
	}{
		"not frozen":          {"", false, 2, "the plan is not frozen"},
		"one lane":            {"", true, 1, "1 lanes take"},
		"too many lanes":      {"", true, 9, "9 lanes take"},
		"a pin":               {"pin = { cpus = \"0\" }\n", true, 2, "[machine] says which CPUs are measured"},
		"a partition of CPUs": {"cpuset = \"isolated\"\n", true, 2, "[machine] says which CPUs are measured"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(previewed["watched"], "thp = { policy = \"observe\" }\n", c.knobs, 1)
			s, _, _ := planned(t, strings.Replace(text, "= 3", "= 8", 1), Options{Lanes: c.lanes})
			if c.frozen {
				s.frozen = &results.Frozen{}
			}
			cores, err := s.laneCores()
			if _, usage := errors.AsType[outcome.UsageError](err); !usage || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%v, %v, want %s", cores, err, c.want)
			}
		})
	}
}
