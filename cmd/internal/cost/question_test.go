package cost

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/session"
	"moobench/harness/config"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/scenarios"
)

// here is a folder with agents, which the test works in.
func here(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"agent.jar", "old/agent.jar", "native.so", "1.2.jar", "kieker.jar", "a b+c.jar"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte("no jar"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

var dry = session.Options{Dry: true, Quiet: true, Seeded: true, Seed: 1}

func lab(w io.Writer) *session.Lab {
	return &session.Lab{Scenarios: scenarios.All(), Console: console.Console{Out: io.Discard, Err: w}}
}

// asked is a question with what the flags have where nobody gives them.
func asked(agent string, change func(q *Question)) *Question {
	q := &Question{Agent: agent, Memory: -1}
	change(q)
	return q
}

// told is what a file asks for, a line for each part of it that differs from question to question.
func told(f *config.File) string {
	var b strings.Builder
	s := f.Scenarios[0]
	fmt.Fprintf(&b, "%s: %s of %s, ", f.Name, s.Use, strings.Join(s.Variants, " | "))
	if s.Sizing.Precision > 0 {
		fmt.Fprintf(&b, "to ± %v", s.Sizing.Precision)
	} else {
		fmt.Fprintf(&b, "%d blocks in %v", s.Blocks, time.Duration(s.Sizing.MaxTimeNS))
	}
	fmt.Fprintf(&b, ", %d for memory, each in %v\n", s.Resources, s.Timeout)
	for _, name := range []string{"pattern", "arrival", "rate", "ramp", "hold"} {
		if v := s.Parameters[name]; s.Use == "server" && name != "pattern" || name == "pattern" && len(v) == 1 && strings.HasPrefix(v[0], "*") {
			fmt.Fprintf(&b, "%s %s\n", name, strings.Join(v, " "))
		}
	}
	for _, p := range []*config.Program{f.Command, f.Server} {
		if p == nil {
			continue
		}
		fmt.Fprintf(&b, "runs %q with %q\n", p.Run, p.Env)
		if p.Output != nil {
			fmt.Fprintf(&b, "prints %s\n", p.Output)
		}
		if p == f.Server {
			fmt.Fprintf(&b, "is up at %s within %v\n", p.Ready, p.Within)
		}
		for _, r := range p.Requests {
			fmt.Fprintf(&b, "is asked for %s, answers %v\n", r.URL, r.Pattern)
		}
	}
	if g := f.Gate; g != nil {
		fmt.Fprintf(&b, "at most %v worse than %q", g.WorseBy, g.Reference)
		for _, l := range g.Also {
			fmt.Fprintf(&b, ", %s %v%s", l.Metric, l.WorseBy, map[bool]string{true: " (alarm)"}[l.Alarm])
		}
		b.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(f.Frameworks)) {
		fmt.Fprintf(&b, "framework %s: %v\n", name, f.Frameworks[name].Raw)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Builds)) {
		fmt.Fprintf(&b, "build %s: %v\n", name, f.Builds[name].Raw)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestOpen: what a question on the command line asks for.
func TestOpen(t *testing.T) {
	dir := here(t)
	const collect = "kieker/bci/collect"
	server := func(q *Question) {
		q.Server, q.Get = "./shop {port}", []string{"/cart", "http://127.0.0.1:{port}/list"}
	}
	for name, c := range map[string]struct {
		q    *Question
		want string
	}{
		"a variant": {asked(collect, func(*Question) {}), "cost-kieker: overhead of none | kieker/bci/collect, 20 blocks in 1m30s, 3 for memory, each in 0s"},
		"quick": {
			asked(collect, func(q *Question) { q.Quick = true }), "cost-kieker: overhead of none | kieker/bci/collect, 10 blocks in 40s, 3 for memory, each in 0s",
		},
		"so many blocks": {
			asked(collect, func(q *Question) { q.Blocks = 5 }), "cost-kieker: overhead of none | kieker/bci/collect, 5 blocks in 0s, 3 for memory, each in 0s",
		},
		"fewer blocks than runs for memory": {
			asked(collect, func(q *Question) { q.Blocks = 2 }), "cost-kieker: overhead of none | kieker/bci/collect, 2 blocks in 0s, 2 for memory, each in 0s",
		},
		"as many blocks": {
			asked(collect, func(q *Question) { q.Blocks = 3 }), "cost-kieker: overhead of none | kieker/bci/collect, 3 blocks in 0s, 3 for memory, each in 0s",
		},
		"no run for memory": {
			asked(collect, func(q *Question) { q.Blocks, q.Memory = 2, 0 }), "cost-kieker: overhead of none | kieker/bci/collect, 2 blocks in 0s, 0 for memory, each in 0s",
		},
		"so precisely": {
			asked(collect, func(q *Question) { q.Precision, q.Within, q.Pattern = "2%", "5min", "* a.B.*(..)" }),
			"cost-kieker: overhead of none | kieker/bci/collect, to ± 0.02, 3 for memory, each in 5m0s\npattern * a.B.*(..)",
		},
		"a folder of an agent of the catalogue": {
			asked("skywalking", func(q *Question) { q.Home = "old" }),
			"cost-skywalking: overhead of none | skywalking/bci/skywalking, 20 blocks in 1m30s, 3 for memory, " +
				"each in 0s\nframework skywalking: map[home:" + dir + "/old inherits:skywalking]",
		},
		"a folder of it, and arguments": {
			asked("skywalking", func(q *Question) { q.Home, q.Args = "old", []string{"-Dx"} }),
			"cost-skywalking: overhead of none | skywalking/bci/skywalking, 20 blocks in 1m30s, 3 for memory, " +
				"each in 0s\nframework skywalking: map[args:[-Dx] home:" + dir + "/old inherits:skywalking]",
		},
		"a jar": {
			asked("./agent.jar", func(q *Question) { q.Args, q.Proof, q.Env = []string{"-Da=b"}, "none", []string{"A=b c"} }),
			"cost-agent: overhead of none | agent, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				"framework agent: map[agent:" + dir + "/agent.jar args:[-Da=b] env:map[A:b c] proof:none]",
		},
		"a jar where the file stays": {
			asked("./agent.jar", func(q *Question) { q.Save, q.Proof = "mine.toml", "none" }),
			"cost-agent: overhead of none | agent, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework agent: map[agent:./agent.jar proof:none]",
		},
		"options of a jar": {
			asked("./agent.jar=x=1", func(q *Question) { q.Args, q.Save = []string{"-Da=b"}, "mine.toml" }),
			"cost-agent: overhead of none | agent, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				"framework agent: map[args:[-javaagent:{jar.agent}=x=1 -Da=b] artifact:map[agent:map[path:./agent.jar]]]",
		},
		"a native agent": {
			asked("native.so", func(q *Question) { q.Save = "mine.toml" }),
			"cost-native: overhead of none | native, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework native: map[agentpath:native.so]",
		},
		"coordinates": {
			asked("org.example:tool:1.0", func(*Question) {}),
			"cost-tool: overhead of none | tool, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework tool: map[maven:org.example:tool:1.0]",
		},
		"a jar called by a version": {
			asked("1.2.jar", func(q *Question) { q.Save = "mine.toml" }),
			"cost-agent-1.2.jar: overhead of none | agent-1.2.jar, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework agent-1.2.jar: map[agent:1.2.jar]",
		},
		"a jar called as one of the catalogue": {
			asked("kieker.jar", func(q *Question) { q.Save = "mine.toml" }),
			"cost-agent-kieker.jar: overhead of none | agent-kieker.jar, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework agent-kieker.jar: map[agent:kieker.jar]",
		},
		"a jar with odd letters": {
			asked("a b+c.jar", func(q *Question) { q.Save = "mine.toml" }),
			"cost-a-b-c: overhead of none | a-b+c, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework a-b+c: map[agent:a b+c.jar]",
		},
		"options of the catalogue": {
			asked("./agent.jar", func(q *Question) { q.As, q.Save = "opentelemetry", "mine.toml" }),
			"cost-agent: overhead of none | agent/bci/otlp, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework agent: map[agent:./agent.jar inherits:opentelemetry]",
		},
		"two in one JVM": {
			asked("kieker/bci/collect + ./agent.jar", func(q *Question) { q.Proof, q.Save = "none", "mine.toml" }),
			"cost-kieker: overhead of none | kieker/bci/collect + agent, 20 blocks in 1m30s, 3 for memory, each in 0s\nframework agent: map[agent:./agent.jar proof:none]",
		},
		"against another one": {
			asked(collect, func(q *Question) { q.Against, q.WorseBy = "kieker/bci/dump", "10%" }),
			"cost-kieker: overhead of none | kieker/bci/dump | kieker/bci/collect, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				`at most 0.1 worse than "kieker/bci/dump", cpu_ns 0.05, rss_peak_bytes 0.1 (alarm), startup_ns 0.1 (alarm)`,
		},
		"against an older jar": {
			asked("./agent.jar=x", func(q *Question) { q.Against, q.WorseBy, q.Save = "old/agent.jar", "3%", "mine.toml" }),
			"cost-agent: overhead of none | agent-reference | agent, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				`at most 0.03 worse than "agent-reference", cpu_ns 0.05, rss_peak_bytes 0.1 (alarm), startup_ns 0.1 (alarm)` + "\n" +
				"framework agent: map[args:[-javaagent:{jar.agent}=x] artifact:map[agent:map[path:./agent.jar]]]\n" +
				"framework agent-reference: map[args:[-javaagent:{jar.agent}=x] artifact:map[agent:map[path:old/agent.jar]]]",
		},
		"a jar as a build of the catalogue's": {
			asked("opentelemetry", func(q *Question) { q.Against, q.WorseBy, q.Save = "./agent.jar", "3%", "mine.toml" }),
			"cost-opentelemetry: overhead of none | opentelemetry/bci/otlp@agent | opentelemetry/bci/otlp, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				`at most 0.03 worse than "opentelemetry/bci/otlp@agent", cpu_ns 0.05, rss_peak_bytes 0.1 (alarm), startup_ns 0.1 (alarm)` + "\n" +
				"build agent: map[agent:./agent.jar]",
		},
		"limits": {
			asked(collect, func(q *Question) {
				q.WorseBy, q.Limits = "3%", map[string]string{"worse-alloc": "1%", "worse-cpu": "none", "worse-memory": "7%"}
			}),
			"cost-kieker: overhead of none | kieker/bci/collect, 20 blocks in 1m30s, 3 for memory, each in 0s\n" +
				`at most 0.03 worse than "", alloc_bytes 0.01, rss_peak_bytes 0.07`,
		},
		"a program": {
			asked("opentelemetry", func(q *Question) {
				q.Command, q.Expect, q.Env = []string{"java", "-jar", "b.jar"}, `done: \d+`, []string{"A=b"}
			}),
			"cost-opentelemetry: command of none | opentelemetry/auto/otlp, 20 blocks in 2m0s, 0 for memory, each in 0s\n" +
				`runs ["{java}" "{agent}" "-jar" "b.jar"] with ["A=b"]` + "\n" + `prints (?m)done: \d+`,
		},
		"a program that says where": {
			asked("opentelemetry", func(q *Question) { q.Command, q.Within = []string{"/jdk/bin/java", "x={agent}"}, "90s" }),
			"cost-opentelemetry: command of none | opentelemetry/auto/otlp, 20 blocks in 2m0s, 0 for memory, each in 1m30s\n" +
				`runs ["/jdk/bin/java" "x={agent}"] with []`,
		},
		"a java somewhere": {
			asked("opentelemetry", func(q *Question) { q.Command = []string{"/jdk/bin/java", "x"} }),
			"cost-opentelemetry: command of none | opentelemetry/auto/otlp, 20 blocks in 2m0s, 0 for memory, each in 0s\n" +
				`runs ["/jdk/bin/java" "{agent}" "x"] with []`,
		},
		"a server": {
			asked("opentelemetry", func(q *Question) { server(q); q.Rate, q.Expect, q.Within, q.Ready = 40, "a+", "5min", "/up" }),
			"cost-opentelemetry: server of none | opentelemetry/auto/otlp, 20 blocks in 2m0s, 0 for memory, each in 0s\n" +
				"arrival constant\nrate 40\nramp 2000000000\nhold 5000000000\n" + `runs ["./shop" "{port}"] with []` + "\n" +
				"is up at http://127.0.0.1:{port}/up within 5m0s\nis asked for http://127.0.0.1:{port}/cart, answers (?m)a+\nis asked for http://127.0.0.1:{port}/list, answers (?m)a+",
		},
		"a server as usual": {
			asked("opentelemetry", server),
			"cost-opentelemetry: server of none | opentelemetry/auto/otlp, 20 blocks in 2m0s, 0 for memory, each in 0s\n" +
				"arrival constant\nrate 100\nramp 2000000000\nhold 5000000000\n" + `runs ["./shop" "{port}"] with []` + "\n" +
				"is up at http://127.0.0.1:{port}/cart within 0s\nis asked for http://127.0.0.1:{port}/cart, answers <nil>\nis asked for http://127.0.0.1:{port}/list, answers <nil>",
		},
	} {
		saved := c.q.Save != ""
		s, err := c.q.Open(lab(io.Discard), dry)
		if err != nil {
			t.Errorf("%s: %s", name, refusal.Text(err))
			continue
		}
		if got := told(s.File); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if saved {
			if again, err := config.Load("mine.toml", lab(io.Discard).Known()); err != nil || told(again) != c.want {
				t.Errorf("%s: what is saved is another question: %v", name, err)
			}
			os.Remove("mine.toml")
		}
	}
}

// TestRefused: wishes that don't go together are mistakes of who asks, and nothing is written.
func TestRefused(t *testing.T) {
	here(t)
	server := func(q *Question) { q.Server, q.Get = "./shop", []string{"/"} }
	for name, c := range map[string]struct {
		q    *Question
		want string
	}{
		"two programs":              {asked("kieker", func(q *Question) { server(q); q.Command = []string{"x"} }), "--server and a command after -- are two programs: give one"},
		"answers of a method":       {asked("kieker", func(q *Question) { q.Expect = "x" }), "--expect is for a program of yours: give --server, or a command after --"},
		"environment of a method":   {asked("kieker", func(q *Question) { q.Env = []string{"A=b"} }), "-e is for a program of yours or a jar of your own"},
		"memory of a program":       {asked("kieker", func(q *Question) { q.Command, q.Memory = []string{"x"}, 0 }), "--memory-runs is for a method of ours: with a program, memory is measured in every run"},
		"memory of a server":        {asked("kieker", func(q *Question) { server(q); q.Memory = 1 }), "--memory-runs is for a method of ours"},
		"a variable without value":  {asked("agent.jar", func(q *Question) { q.Env = []string{"A=b", "=x"} }), "-e sets NAME=VALUE"},
		"fewer blocks than none":    {asked("kieker", func(q *Question) { q.Blocks = -1 }), "--blocks is a number of blocks"},
		"a rate below 0":            {asked("kieker", func(q *Question) { server(q); q.Rate = -1 }), "--rate is a number of requests per second"},
		"a blank server":            {asked("kieker", func(q *Question) { server(q); q.Server = " " }), "--server is blank: it takes the command that starts your server"},
		"a server without requests": {asked("kieker", func(q *Question) { q.Server = "x" }), "no request is given"},
		"arguments of the catalogue": {
			asked("kieker/bci/collect", func(q *Question) { q.Args = []string{"-Dx"} }), "--arg and --proof are for a jar of your own, and kieker/bci/collect has its own",
		},
		"a proof of the catalogue": {asked("kieker/bci/collect", func(q *Question) { q.Proof = "none" }), "--arg and --proof are for a jar of your own"},
		"options for the catalogue": {
			asked("kieker", func(q *Question) { q.As = "opentelemetry" }), "--as is for an agent of your own, and kieker is in the catalogue",
		},
		"options of nobody":       {asked("agent.jar", func(q *Question) { q.As = "nobody" }), "--as: "},
		"no jar":                  {asked("none.jar", func(*Question) {}), "looking for the agent: "},
		"no other jar":            {asked("kieker", func(q *Question) { q.Against = "none.jar" }), "looking for the agent: "},
		"no such variant":         {asked("nonsense", func(*Question) {}), `unknown variant "nonsense"`},
		"one of two is not there": {asked("agent.jar + nonsense", func(*Question) {}), `unknown variant "nonsense"`},
		"what is not measured": {
			asked("kieker", func(q *Question) { q.Limits = map[string]string{"worse-losses": "1%"} }),
			"--worse-losses: lost requests (as a share of all) is not measured for a method",
		},
		"nor of a program": {
			asked("kieker", func(q *Question) { q.Limits, q.Command = map[string]string{"worse-startup": "1%"}, []string{"x"} }),
			"--worse-startup: start-up is not measured for a program that runs to its end",
		},
		"nor of a server": {
			asked("kieker", func(q *Question) { server(q); q.Limits = map[string]string{"worse-alloc": "1%"} }),
			"--worse-alloc: allocation is not measured for a server",
		},
	} {
		c.q.Save = "mine.toml"
		_, err := c.q.Open(lab(io.Discard), dry)
		if _, usage := errors.AsType[outcome.UsageError](err); !usage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if _, err := os.Stat("mine.toml"); err == nil {
			t.Errorf("%s: it is refused, and written", name)
		}
	}
	fine := asked("kieker/bci/collect", func(q *Question) { q.Limits = map[string]string{"worse-losses": "none"} })
	if _, err := fine.Open(lab(io.Discard), dry); err != nil {
		t.Errorf("what is not to be judged needs not be measured: %v", err)
	}
}

// TestOpenIsUsage: a mistake in what was asked is not a failure of the machine.
func TestOpenIsUsage(t *testing.T) {
	here(t)
	q := asked("agent.jar", func(q *Question) { q.Args = []string{"{clas}"} })
	_, err := q.Open(lab(io.Discard), dry)
	if _, usage := errors.AsType[outcome.UsageError](err); !usage || err.Error() != `in "{clas}": unknown placeholder {clas} (did you mean "class"?)` {
		t.Errorf("a mistake of the user's, %t: %v", usage, err)
	}
}

// TestSaved: a file that is there is not written over, and that is said before anything is measured.
func TestSaved(t *testing.T) {
	here(t)
	if err := os.WriteFile("mine.toml", []byte("of somebody"), 0o666); err != nil {
		t.Fatal(err)
	}
	method := asked("kieker/bci/collect", func(q *Question) { q.Save = "mine.toml" })
	server := asked("opentelemetry", func(q *Question) { q.Server, q.Get, q.Save = "./shop", []string{"/"}, "mine.toml" })
	for _, q := range []*Question{method, server} {
		_, err := q.Open(lab(io.Discard), session.Options{Seeded: true, Seed: 1})
		if err == nil || err.Error() != "mine.toml exists and is not overwritten" || refusal.Do(err) != "name another file with --save" {
			t.Errorf("%s: %v", q.Agent, err)
		}
	}
	if text, err := os.ReadFile("mine.toml"); err != nil || string(text) != "of somebody" {
		t.Errorf("it holds %q, %v", text, err)
	}
}

// TestRate: a server gets half of what it bears, to two digits; nobody who gave a rate is overruled.
func TestRate(t *testing.T) {
	here(t)
	for _, c := range []struct {
		capacity float64
		want     int
		says     string
	}{
		{0, 100, ""},
		{-1, 100, ""},
		{1, 1, "it answered 1 requests a second without an agent: 1 are sent (--rate sends others)\n"},
		{19, 9, "it answered 19 requests a second without an agent: 9 are sent (--rate sends others)\n"},
		{31, 15, "it answered 31 requests a second without an agent: 15 are sent (--rate sends others)\n"},
		{730, 360, "it answered 7.3e+02 requests a second without an agent: 360 are sent (--rate sends others)\n"},
		{1e6, 500, "it answered 1e+06 requests a second without an agent: 500 are sent (--rate sends others)\n"},
	} {
		var said bytes.Buffer
		q := asked("opentelemetry", func(q *Question) { q.Server, q.Get, q.Save = "./shop", []string{"/"}, "mine.toml" })
		s, err := q.Open(lab(&said), session.Options{Seeded: true, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("mine.toml"); err == nil {
			t.Error("the file is written before its rate is known")
		}
		text, err := s.Adapt(run.Rehearsed{Capacity: c.capacity})
		if err != nil {
			t.Fatal(err)
		}
		f, err := config.Parse("x", text, lab(io.Discard).Known())
		if err != nil || f.Scenarios[0].Parameters["rate"][0] != fmt.Sprint(c.want) || said.String() != c.says {
			t.Errorf("of %v a second %v are sent, want %d; %q; %v", c.capacity, f.Scenarios[0].Parameters["rate"], c.want, said.String(), err)
		}
		if saved, err := os.ReadFile("mine.toml"); err != nil || !bytes.Equal(saved, text) {
			t.Errorf("saved %s, %v", saved, err)
		}
		os.Remove("mine.toml")
	}
	given := asked("opentelemetry", func(q *Question) { q.Server, q.Get, q.Rate = "./shop", []string{"/"}, 7 })
	if s, err := given.Open(lab(io.Discard), session.Options{Seeded: true, Seed: 1}); err != nil || s.Adapt != nil {
		t.Errorf("a rate that was given is sought: %v", err)
	}
}

// TestLimits: the flags that judge more than time, and of which programs each is measured.
func TestLimits(t *testing.T) {
	var got []string
	for _, l := range Limits() {
		got = append(got, fmt.Sprintf("%s %s %q", l.Flag, l.About, l.Usual))
	}
	want := []string{
		`worse-cpu CPU time "5%"`, `worse-startup start-up "10%"`, `worse-memory memory "10%"`, `worse-alloc allocation ""`,
		`worse-losses lost requests (as a share of all) ""`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	known := lab(io.Discard).Known()
	for _, use := range []string{"overhead", "command", "server"} {
		i := slices.IndexFunc(known.Scenarios, func(s config.Schema) bool { return s.Name == use })
		for _, l := range Limits() {
			metric := l.metrics[use]
			if metric != "" && !slices.ContainsFunc(known.Scenarios[i].Metrics, func(m results.Metric) bool { return m.Name == metric }) {
				t.Errorf("%s of %s: no metric is called %s", l.Flag, use, metric)
			}
		}
	}
}
