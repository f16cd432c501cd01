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
	dir     string   // relative paths are relative to it; "": they are left alone
	modules []string // of the fixtures
}

// newReader returns a reader of tables whose paths are relative to dir.
func newReader(tables map[string]strict.Value, dir string) *reader {
	r := &reader{modules: fixture.Modules()}
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

// text is a string and its position, for mistakes that are found later.
type text struct {
	s string
	strict.Value
}

func readText(v strict.Value) (text, bool) {
	s, ok := v.NotEmpty()
	return text{s, v}, ok
}

// line is a text.
func line(dst *text) strict.Kind { return strict.Func("string", dst, readText) }

// texts is a list of texts.
func texts(dst *[]text) strict.Kind {
	return strict.Func("list of strings", dst, func(v strict.Value) ([]text, bool) { return strict.Each(v, readText) })
}

// textsByName is a table of texts with checked names.
func textsByName(dst *map[string]text, check func(name string, v strict.Value)) strict.Kind {
	return strict.Kind{Type: "table of strings", Read: func(v strict.Value) {
		*dst = map[string]text{}
		for _, e := range v.Entries() {
			t, _ := readText(e)
			(*dst)[e.Name()] = t
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

// records is a number of records; dst stays nil where the key is missing.
func records(dst **int64) strict.Kind {
	return strict.Func("integer", dst, func(v strict.Value) (*int64, bool) {
		n, ok := v.Int(0, math.MaxInt64)
		return &n, ok
	})
}

// among is one of the known names; what is their kind, for messages.
func among(dst *text, what string, known []string) strict.Kind {
	k := strict.Func("string", dst, func(v strict.Value) (text, bool) {
		t, ok := readText(v)
		if ok && !slices.Contains(known, t.s) {
			v.Fail(strict.Hint(t.s, known), "unknown %s %q", what, t.s)
		}
		return t, ok
	})
	k.Values = known
	return k
}

// sources are the names of all sources of records, or of those that a program sends to.
func sources(network bool) []string {
	var names []string
	for _, f := range receiver.Formats() {
		if f.Listens() || !network {
			names = append(names, f.Name)
		}
	}
	return names
}

// layer is what a framework, a mode or a stage says. The keys are the same at every
// level.
type layer struct {
	about, license, target, receiver text
	attach, activate, deactivate     text
	agent, maven, agentPath, sum     text
	classPath, args                  []text
	env, files                       map[string]text
	artifacts                        map[string]placed
	path                             []string // nil: nothing is said
	body, change                     text
	proof                            *proofSpec
	queue                            *int64
	javaMin, javaMax                 int

	modes, stages map[string]*layer
}

// placed is an artifact and where it stands.
type placed struct {
	Artifact
	at strict.Value
}

// level says which tables a layer may hold.
type level int

const (
	atStage level = iota
	atMode
	atFramework
)

// layer describes what a layer may say. For a reference of the file, modes and stages are
// left out: their keys are the same.
func (r *reader) layer(l *layer, at level) strict.Table {
	proof := strict.Kind{
		Type:    `"none", or a table`,
		Section: func() strict.Table { return (&proofSpec{}).table() },
		Read: func(v strict.Value) {
			l.proof = &proofSpec{Value: v}
			l.proof.read()
		},
	}
	t := strict.Table{
		Text: "What brings a framework into a JVM. What a framework says holds for its modes, what a mode says for its stages: " +
			"lists grow, tables are merged, and of single values the lower one holds.",
		Keys: append(r.jarKeys(l), []strict.Key{
			strict.NewKey("about", line(&l.about), "what it is, in a few words; those of framework, mode and stage are put together"),
			strict.NewKey("license", line(&l.license), "its license"),
			strict.NewKey("java", strict.Sub(l, javaTable), "Java that it works with"),
			strict.NewKey("classpath", strict.Func("list of strings", &l.classPath, r.classPath),
				"what stands on the class path; relative paths are relative to the file's folder"),
			strict.NewKey("args", texts(&l.args), "arguments of the JVM, before the main class"),
			strict.NewKey("env", textsByName(&l.env, checkVariable), "environment variables"),
			strict.NewKey("files", textsByName(&l.files, checkFile),
				"files that are written into the invocation's folder before the JVM starts, by name: {file.NAME} is the path"),
			strict.NewKey("target", line(&l.target), "class whose method is called; the fixture's plain one where it is missing"),
			strict.NewKey("attach", strict.Func("string", &l.attach, r.attach),
				`agent that is loaded once the JVM runs: its jar, = and its options; "none" is no agent`),
			strict.NewKey("activate", line(&l.activate),
				`pattern whose probes are swapped in before anything is measured; "none" is no pattern`),
			strict.NewKey("deactivate", line(&l.deactivate),
				`pattern whose probes are taken out again before anything is measured, once they have run; "none" is no pattern`),
			strict.NewKey("receiver", among(&l.receiver, "receiver", sources(true)),
				"what the framework sends to: {port} is its port; that of the proof where it is missing"),
			strict.NewKey("queue", records(&l.queue),
				"length of the framework's own queue; 0 where it has none, or it is not known").In("records"),
			strict.NewKey("proof", proof, "how it is proven that the framework records; not proven where it is missing"),
			strict.NewKey("path", strict.Func("list of strings", &l.path, steps),
				"what an execution passes through, in order: "+strings.Join(stepNames(), ", ")),
			strict.NewKey("body", line(&l.body),
				"name of the code that an execution runs, the same where modes run the same; the mode's own where it is missing"),
			strict.NewKey("change", among(&l.change, "change", []string{results.ChangeSwitched, results.ChangeSwapped}),
				"how probes get into and out of a running program; they can't where it is missing"),
		}...),
		Check: func(strict.Value) { r.addAgents(l) },
	}
	if at == atFramework {
		t.Keys = append(t.Keys, strict.NewKey("mode", r.layers(&l.modes, atMode),
			"ways in which probes get in, by name, with the same keys; bci where it is missing"))
	}
	if at >= atMode {
		t.Keys = append(t.Keys, strict.NewKey("stage", r.layers(&l.stages, atStage),
			"how far a record goes, by name, with the same keys; default where it is missing"))
	}
	return t
}

// layers are the modes or stages of a layer.
func (r *reader) layers(dst *map[string]*layer, at level) strict.Kind {
	return strict.Kind{Type: "tables by name", Several: strict.Named, Read: func(v strict.Value) {
		*dst = map[string]*layer{}
		for _, e := range v.Entries() {
			l := &layer{}
			checkLabel(e.Name(), e)
			e.Table(r.layer(l, at))
			(*dst)[e.Name()] = l
		}
	}}
}

// labelPattern keeps names clear of the slashes of a variant, of globs and of shells.
var labelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// checkLabel checks the name of a framework, mode, stage or build.
func checkLabel(name string, v strict.Value) {
	if name == None || !labelPattern.MatchString(name) {
		v.Fail("", "%q can't be a name: want letters, digits and . _ + -, and not %q", name, None)
	}
}

// javaTable describes which Java a layer works with.
func javaTable(l *layer) strict.Table {
	return strict.Table{
		Text: "Feature releases of Java that it works with, such as 17.",
		Keys: []strict.Key{
			strict.NewKey("min", strict.Int(&l.javaMin, 0, math.MaxInt64), "the oldest"),
			strict.NewKey("max", strict.Int(&l.javaMax, 0, math.MaxInt64), "the newest"),
		},
		Check: func(v strict.Value) {
			if l.javaMax > 0 && l.javaMax < l.javaMin {
				v.Fail("", "max %d is less than min %d", l.javaMax, l.javaMin)
			}
		},
	}
}

// steps reads a path: names of results.Steps, each once and in their order.
func steps(v strict.Value) ([]string, bool) {
	known, last := stepNames(), -1
	steps, ok := strict.Each(v, func(v strict.Value) (string, bool) {
		t, ok := readText(v)
		if !ok {
			return "", false
		}
		at := slices.Index(known, t.s)
		switch {
		case at < 0:
			v.Fail(strict.Hint(t.s, known), "unknown step %q: there are %s", t.s, strings.Join(known, ", "))
		case at <= last:
			v.Fail("the order is "+strings.Join(known, ", "), "step %q stands twice or too late", t.s)
		default:
			last = at
		}
		return t.s, true
	})
	if ok && len(steps) == 0 {
		v.Fail("omit the key where no probe is left", "the path is empty")
	}
	return steps, ok
}

func stepNames() []string {
	var names []string
	for _, s := range results.Steps() {
		names = append(names, s.Name)
	}
	return names
}

// classPath reads a class path. Absolute paths and placeholders are left alone; anything
// else is relative to the folder of the TOML.
func (r *reader) classPath(v strict.Value) ([]text, bool) {
	all, ok := strict.Each(v, readText)
	for i, t := range all {
		all[i].s = r.rooted(t.s)
	}
	return all, ok
}

// attach reads the jar and the options of an agent that is loaded late.
func (r *reader) attach(v strict.Value) (text, bool) {
	t, ok := readText(v)
	if t.s != without {
		t.s = r.rooted(t.s)
	}
	return t, ok
}

// rooted is a path, which may hold placeholders, relative to the folder of the TOML.
func (r *reader) rooted(s string) string {
	if s == "" || r.dir == "" || filepath.IsAbs(s) || s[0] == '{' && !strings.HasPrefix(s, "{{") {
		return s
	}
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(r.dir) + "/" + s
}

var (
	fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	// ownFile matches the files that moobench and the fixtures write into the folder.
	ownFile = regexp.MustCompile(`^(invocation\.json|summary\.json|samples\.parquet|(gc|out|stdout|err|redefine)\.log|records\.count|probe\.bin|.*\.i64)$`)
)
