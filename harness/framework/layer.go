package framework

import (
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// reader reads the tables of frameworks and builds.
type reader struct {
	dir     string   // base of relative paths; "": they are kept
	modules []string // modules of the fixtures
	files   Resolver // finds the files of paths
	brought func(path string) string
}

// digest returns the SHA-256 of the file at a path; "" if it cannot be read.
func (r *reader) digest(path string) string {
	if r.brought != nil {
		path = r.brought(path)
	}
	sum, _ := r.files.Digest(path)
	return sum
}

// newReader returns a reader of tables whose paths are relative to dir. brought is as in Set.
func newReader(tables map[string]strict.Value, dir string, brought func(path string) string) *reader {
	r := &reader{modules: fixture.Modules(), brought: brought}
	if dir != "" {
		var err error
		r.dir, err = filepath.Abs(dir) // the JVM has another working directory
		for _, v := range tables {
			if err != nil {
				v.Fail("", "finding the folder %s: %v", dir, err)
			}
		}
	}
	return r
}

// line is the kind of a non-empty string.
func line(dst *string) strict.Kind { return strict.Func("string", dst, strict.Value.NotEmpty) }

// template returns a reader of a string that may hold placeholders, based on read.
func (d *draft) template(read func(v strict.Value) (string, bool)) func(v strict.Value) (string, bool) {
	return noted(&d.templates, read)
}

// noted returns a reader that also appends the results of read, with their positions, to in.
func noted(in *[]strict.Value, read func(v strict.Value) (string, bool)) func(v strict.Value) (string, bool) {
	return func(v strict.Value) (string, bool) {
		s, ok := read(v)
		if ok {
			v.Raw = s
			*in = append(*in, v)
		}
		return s, ok
	}
}

// textsByName is the kind of a table of strings with checked names, which are added to those of
// the layers above.
func textsByName(to map[string]strict.Value, check func(name string, v strict.Value)) strict.Kind {
	return strict.Kind{Type: "table of strings", Read: func(v strict.Value) {
		for _, e := range v.Entries() {
			e.Raw, _ = e.NotEmpty()
			to[e.Name()] = e
			check(e.Name(), e)
		}
	}}
}

func checkVariable(name string, v strict.Value) {
	if strings.ContainsAny(name, "=\x00") || name == "" {
		v.Fail("", "%q can't be the name of an environment variable", name)
	}
}

func checkFile(name string, v strict.Value) {
	if !fileName.MatchString(name) {
		v.Fail("it is written into the invocation's folder", "%q is not a plain file name", name)
	} else if ownFile.MatchString(name) {
		v.Fail("choose another", "moobench itself writes a file %q", name)
	}
}

// among is the kind of one of the known names. what is the noun for it in messages.
func among(dst *string, what string, known []string) strict.Kind {
	return strict.Among(dst, what, known, strict.Value.NotEmpty)
}

// sources returns the formats that a receiver, or the key count, may name. network restricts
// them to formats that a program sends.
func sources(network bool) []receiver.Format {
	return slices.DeleteFunc(receiver.Formats(), func(f receiver.Format) bool {
		return f.Count() == "" || network && !f.Listens()
	})
}

// source is the kind of one of these formats, given by its name in files.
func source(dst *string, what string, network bool) strict.Kind {
	known := sources(network)
	k := strict.Among(dst, what, results.Each(known, receiver.Format.Count), strict.Value.NotEmpty)
	if !network { // explain them only once
		k.Means = results.Each(known, func(f receiver.Format) string { return f.About })
	}
	read := k.Read
	k.Read = func(v strict.Value) {
		read(v)
		if i := slices.IndexFunc(known, func(f receiver.Format) bool { return f.Count() == *dst }); i >= 0 {
			*dst = known[i].Name
		}
	}
	return k
}

// level determines the tables that a layer may hold.
type level int

const (
	atStage level = iota
	atMode
	atFramework
)

// without is the value that cancels a change of the running JVM made by a layer above.
const without = "none"

// layer describes the keys of a framework, a mode or a stage. The keys are the same at every
// level, except that modes have stages, and frameworks have both.
func (r *reader) layer(d *draft, at level) strict.Table {
	l := layer{jars: jars{}}
	attach := func(v strict.Value) (string, bool) {
		if v.Raw == without {
			return without, true
		}
		return r.rooted(v)
	}
	path := strict.Func("list of strings", &d.Path, steps)
	path.Values, path.Means = stepNames(), results.Each(results.Steps(), func(s results.Step) string { return s.About })
	keys, agents := r.jarKeys(l.jars)
	l.agents = agents
	keys = append(keys,
		strict.NewKey("about", line(&l.about),
			"what it is, in a few words; those of framework, mode and stage are put together").
			Like("our agent, tracing on"),
		strict.NewKey("license", line(&d.License), "its license").Like("Apache-2.0"),
		strict.NewKey("main", line(&d.Main),
			"artifact that a version stands for, as in NAME@1.2: those of its group and version go with it; "+
				"by default agent, or the only one").
			Like("sdk"),
		strict.NewKey("home", strict.Func("string", &d.Home, r.rooted),
			"folder where it is installed, for an agent that can't be fetched: {home} in args and paths").Like("/opt/my-agent"),
		strict.NewKey("java", strict.Sub(&l.java, javaTable), "Java that it works with"),
		strict.NewKey("prepare", strict.Sub(&d.Prepare, func(p *Prepare) strict.Table { return r.prepareTable(d, p) }),
			"what a tool does to classes beforehand, at build time").
			Like(map[string]any{"of": "{jar.app}", "run": []string{"{java}", "-jar", "{jar.weaver}", "."}}),
		strict.NewKey("classpath", strict.Strings(&l.classPath, d.template(r.rooted)),
			"the class path; relative paths are relative to the file's folder").
			Like([]string{"lib/api.jar", "{jar.api}"}),
		strict.NewKey("args", strict.Strings(&l.args, d.template(strict.Value.NotEmpty)),
			"arguments of the JVM, before the main class. Like the values of env, files and others, they may hold {"+
				strings.Join(placeholders, "}, {")+"}, "+
				"{port} where there is a receiver, {prepared} where classes are, "+
				"{jar.NAME}, {file.NAME} and {fixture.MODULE}").
			Like([]string{"-Dmy.include={class}.{method}"}),
		strict.NewKey("env", textsByName(d.env, checkVariable),
			"environment variables").Like(map[string]any{"MY_AGENT_MODE": "fast"}),
		strict.NewKey("files", textsByName(d.files, checkFile),
			"files that are written into the invocation's folder before the JVM starts, by name: "+
				"{file.NAME} is the path").
			Like(map[string]any{"my.conf": "include {class}\n"}),
		strict.NewKey("parameters", textsByName(d.parameters, checkParameter),
			"texts that {NAME} stands for in args, env, files and others, and that a variant's name can change: "+
				"mine/bci/default:queue=8192; one that is called queue is the length of the framework's own queue").
			Like(map[string]any{"queue": "2048"}),
		strict.NewKey("usual", strict.Bool(&d.Usual),
			"whether the variant is meant if only its framework is named, as in moobench cost; "+
				"if several are, the first that fits what is measured").
			Like(true),
		strict.NewKey("target", line(&d.Target),
			"class whose method is called; by default the fixture's plain one").
			Like("moobench.bridge.kieker.Manual"),
		strict.NewKey("attach", strict.Func("string", &d.Attach, d.template(attach)),
			`agent that is loaded once the JVM runs: its jar, = and its options; "none" is no agent`).
			Like("{jar.agent}=mode=fast"),
		strict.NewKey("activate", strict.Func("string", &d.Activate, d.template(strict.Value.NotEmpty)),
			`pattern whose probes are swapped in before anything is measured; "none" is no pattern`).
			Like("+ {signature}"),
		strict.NewKey("deactivate", strict.Func("string", &d.Deactivate, d.template(strict.Value.NotEmpty)),
			`pattern whose probes are taken out again before anything is measured, once they have run; `+
				`"none" is no pattern`).
			Like("- {signature}"),
		strict.NewKey("receiver", source(&d.Receiver, "receiver", true),
			"what the framework sends to: {port} is its port; by default that of the proof"),
		strict.NewKey("queue", strict.Int(&d.Queue, 0, math.MaxInt64),
			"length of the framework's own queue; 0 where it has none, or it is not known").In("records").Like(2048),
		strict.NewKey("proof", r.proof(d),
			"how it is proven that the framework records; by default it is not proven").
			Like(map[string]any{"count": "otlp", "per_call": "depth"}),
		strict.NewKey("path", path, "what an execution passes through, in order").Like([]string{"check", "collect"}),
		strict.NewKey("body", line(&d.Body),
			"name of the code that an execution runs, the same where modes run the same; "+
				"by default the mode's own").
			Like("api"),
		strict.NewKey("change", among(&d.Change, "change", []string{results.ChangeSwitched, results.ChangeSwapped}),
			"how probes get into and out of a running program; by default they can't"),
	)
	if at == atFramework {
		var base string // checked by chain and framework
		keys = append(keys, strict.NewKey(inherits, line(&base),
			"framework that it is like, except for what it says itself: its jar replaces the other's, "+
				"and what it says about a variant is added").
			Like("opentelemetry"))
		keys = append(keys, strict.NewKey("mode", r.named(atMode, modes),
			"ways in which probes get in, by name; by default bci"))
	}
	if at >= atMode {
		keys = append(keys, strict.NewKey("stage", r.named(atStage, stages),
			"how far a record goes, by name; one called default if none is named"))
	}
	return strict.NewTable("What brings a framework into a JVM. "+
		"Keys of a framework hold for its modes, and keys of a mode for its stages: "+
		"lists are appended, tables are merged, and for single values the lower one holds.", keys...).
		Checked(func(v strict.Value) { l.merge(d, v) })
}

// layer holds the values of one layer that are not set in the draft directly, but merged with those above.
type layer struct {
	about           string
	java            Variant
	classPath, args []string
	jars            jars
	agents          func(strict.Value) []string // arguments that load the agents
}

// merge merges the layer into the draft.
func (l *layer) merge(d *draft, v strict.Value) {
	if d.About != "" && l.about != "" {
		d.About += ", "
	}
	d.About += l.about
	d.narrow(l.java)
	for _, step := range []*string{&d.Attach, &d.Activate, &d.Deactivate} {
		if *step == without {
			*step = ""
		}
	}
	d.ClassPath = append(d.ClassPath, l.classPath...)
	present := func(option string) bool { return slices.ContainsFunc(d.Args, loads(option)) }
	loading := slices.DeleteFunc(l.agents(v), present)
	d.Args = slices.Concat(d.Args, loading, l.args)
	for name, a := range l.jars {
		_, twice := d.artifacts[name]
		if _, replaces := d.inherited[name]; twice && !replaces { // it would be loaded by the same argument
			a.at.Fail("give it another name", "artifact %q is already named above", name)
		}
		delete(d.inherited, name)
		d.artifacts[name] = a
	}
}

// named is the kind of the tables of modes or stages. It checks only their names; draft.layers
// reads the rest.
func (r *reader) named(at level, known []meaning) strict.Kind {
	return strict.Kind{
		Type: "tables by name", Several: strict.Named, Open: true,
		Values:  results.Each(known, func(m meaning) string { return m.name }),
		Means:   results.Each(known, func(m meaning) string { return m.text }),
		Section: func() strict.Table { return r.layer(newDraft(), at) },
		Read: func(v strict.Value) {
			for _, e := range v.Entries() {
				checkLabel(e.Name(), e)
			}
		},
	}
}

// meaning is a name with its explanation.
type meaning struct{ name, text string }

// modes and stages are the names used in the catalogue; a user's framework may have others.
var (
	modes = []meaning{
		{"manual", "the probe is compiled in"},
		{"adaptive", "the same, and the framework itself is asked what is active"},
		{"list", "the same, and a list of patterns that moobench keeps is asked"},
		{"api", "the framework's API is called, and nothing that carries it out is there"},
		{"bci", "an agent puts the probe in while the class is loaded"},
		{"auto", "an agent as it comes: it monitors the libraries that it knows"},
		{"hotswap", "an agent that is dormant until the probe is swapped into the running class"},
		{"attach", "the same by an agent that is attached to the running JVM"},
		{"hybrid", "the same with a switch, which stays when the probe is switched off"},
		{"none", "what a framework needs in the code is there, and nothing of the framework"},
		{"schema", "a tool has made room for probes at build time, and put none in"},
		{"build", "a tool has put the probe in at build time"},
		{"load", "a tool has made room for the probe, and an agent puts it in while the class is loaded"},
		{"recording", "a recording by the JVM itself, from its start to its end"},
		{"sampling", "a profiler takes samples, from the start of the JVM to its end"},
		{"background", "an agent puts no probe in, and answers questions while the program runs"},
		{"methods", "the JVM itself instruments the method"},
		{"duration", "an event of one's own is compiled in, with its duration"},
		{"instant", "the same without a duration"},
		{"guarded", "the same with one, if it is enabled"},
		{"due", "the same, if it is to be kept"},
		{"stack", "one such event where a recursion ends"},
		{"requestable", "an event of one's own that the recorder asks for"},
	}
	stages = []meaning{
		{"disabled", "the agent is there, and monitors nothing"},
		{"inactive", "the probe is there, and switched off"},
		{"always_off", "the sampler takes no call"},
		{"collect", "records are made, and kept in memory or dropped"},
		{"active", "the same with a list of patterns that switches every probe on"},
		{"write", "records are written to a file"},
		{"text", "to text files"},
		{"binary", "to binary files"},
		{"milli", "the same, times by a clock of milliseconds"},
		{"timeless", "the same, and no clock is read"},
		{"deleting", "to binary files, of which the newest alone stay"},
		{"dump", "to a writer that drops them behind the queue"},
		{"tcp", "to a TCP socket"},
		{"otlp", "spans are sent by OTLP over HTTP, by way of the framework's default queue"},
		{"sampled", "the same of some of the traces"},
		{"otlp-big", "by way of a queue that is 64 times as long"},
		{"grpc", "the same by gRPC"},
		{"json", "the same, in JSON on the standard output"},
		{"zipkin", "to Zipkin, in JSON"},
		{"zipkin-big", "by way of a queue that is 64 times as long"},
		{"console", "a line of text for each record"},
		{"batch", "spans are sent in batches, as the SDK does by default"},
		{"simple", "each span is sent by itself, as it ends"},
		{"elastic", "to Elastic's APM server, by way of the agent's default queue"},
		{"elastic-big", "by way of a queue that is 512 times as long"},
		{"datadog", "to Datadog's agent"},
		{"datadog5", "to Datadog's agent, version 0.5 of its protocol"},
		{"appinsights", "to Application Insights"},
		{"skywalking", "to SkyWalking's backend, by gRPC"},
		{"removed", "the probe has run, and is taken out again"},
		{"ring", "events are 16 bytes in rings of memory, which are written meanwhile"},
		{"file", "events are lines of text, by buffered writers"},
		{"stringbuilder", "in strings that grow, until the end"},
		{"memarray", "in arrays of characters of a fixed size, until the end"},
		{"timers", "when a lock is got and given back"},
		{"contention", "the same, and when a thread asks for it"},
		{"callers", "as timers, and who called"},
		{"tree", "as timers, and the calls of all methods"},
		{"explicit", "as contention, and of java.util.concurrent.locks, too"},
		{"memory", "as timers, but in memory until the end"},
		{"off", "no monitor is registered"},
		{"noop", "a monitor that does nothing"},
		{"count", "a monitor that counts"},
		{"operationtracer", "a monitor that keeps what each thread is in"},
		{"dprint", "a monitor that prints"},
		{"compose", "two monitors"},
		{"info", "as count, and each execution says something besides"},
		{"exception", "as count, of executions that end by an exception"},
		{"timing", "how long executions take, added up"},
		{"percentiles", "the same, and percentiles of it"},
		{"lockfree", "as timing, of a sample that is kept without locks"},
		{"tracing", "an event for each execution"},
		{"default", "as it comes"},
		{"profile", "with settings=profile"},
		{"period1", "the same, a sample each ms"},
		{"period100", "the same, a sample each 100 ms"},
		{"depth8", "the same, stack traces of 8 frames"},
		{"depth256", "the same, stack traces of 256 frames"},
		{"three", "three recordings at once"},
		{"never", "never enabled"},
		{"threshold", "enabled, for those that last longer than these do"},
		{"on", "enabled"},
		{"jcmd", "enabled by jcmd"},
		{"mxbean", "enabled by a management bean"},
		{"breach", "enabled, and written out when an execution takes too long"},
		{"none", "without a stack trace"},
		{"frames8", "with a stack trace of 8 frames"},
		{"frames16", "with a stack trace of 16 frames"},
		{"frames32", "with a stack trace of 32 frames"},
		{"frames64", "with a stack trace of 64 frames"},
		{"idle", "nobody scrapes it"},
		{"scraped", "it is scraped each second"},
		{"scraped100", "it is scraped each 100 ms"},
		{"itimer", "samples by the CPU clock of the process"},
		{"ctimer", "samples by the CPU clock of each thread"},
		{"wall", "samples by the wall clock"},
		{"beside", "as itimer, beside a recording with settings=profile"},
		{"method", "each execution of a method"},
	}
)

// labelPattern excludes slashes, which separate the parts of a variant's name, and characters
// that globs and shells interpret.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// checkLabel checks the name of a framework, mode, stage or build.
func checkLabel(name string, v strict.Value) {
	if !labelPattern.MatchString(name) {
		v.Fail("", "%q can't be a name: want letters, digits and . _ + -", name)
	}
}

// javaTable describes the Java versions that a layer supports.
func javaTable(v *Variant) strict.Table {
	return strict.NewTable("Feature releases of Java that it works with, such as 17.",
		strict.NewKey("min", strict.Int(&v.JavaMin, 0, math.MaxInt64), "the oldest").Like(11),
		strict.NewKey("max", strict.Int(&v.JavaMax, 0, math.MaxInt64), "the newest").Like(25),
	).Checked(func(at strict.Value) {
		if v.JavaMax > 0 && v.JavaMax < v.JavaMin {
			at.Fail("", "max %d is less than min %d", v.JavaMax, v.JavaMin)
		}
	})
}

// steps reads a path: names of results.Steps, each at most once and in their order.
func steps(v strict.Value) ([]string, bool) {
	known := stepNames()
	last := -1
	steps, ok := strict.Each(v, func(v strict.Value) (string, bool) {
		step, ok := v.NotEmpty()
		switch at := slices.Index(known, step); {
		case !ok:
		case at < 0:
			v.Fail(strict.Hint(step, known), "unknown step %q: there are %s", step, strings.Join(known, ", "))
		case at <= last:
			v.Fail("the order is "+strings.Join(known, ", "), "step %q is repeated, or out of order", step)
		default:
			last = at
		}
		return step, ok
	})
	if ok && len(steps) == 0 {
		v.Fail("omit the key where no probe is left", "the path is empty")
	}
	return steps, ok
}

func stepNames() []string {
	return results.Each(results.Steps(), func(s results.Step) string { return s.Name })
}

// rooted reads a path, which may be followed by options. Absolute paths and those that begin
// with a placeholder are kept; others are relative to the folder of the TOML.
func (r *reader) rooted(v strict.Value) (string, bool) {
	s, ok := v.NotEmpty()
	if ok && r.dir != "" && !filepath.IsAbs(s) && (s[0] != '{' || strings.HasPrefix(s, "{{")) {
		s = strings.NewReplacer("{", "{{", "}", "}}").Replace(r.dir) + "/" + s
	}
	return s, ok
}

var (
	fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	// ownFile matches the files that moobench and the fixtures write into the folder.
	ownFile = regexp.MustCompile(`^(invocation\.json|summary\.json|samples\.parquet|` +
		`(gc|out|stdout|err|redefine)\.log|records\.count|probe\.bin|.*\.i64)$`)
)
