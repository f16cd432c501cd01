// Package framework describes how each monitoring framework gets into a JVM.
//
// A framework is a TOML table: an embedded file of the catalogue, or [framework.x] of a
// benchmarks.toml. Both are read by the same code. Keys of a framework apply to its modes, and
// keys of a mode to its stages; one mode at one stage is a Variant.
package framework

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// None is the name of the baseline: the variant without a framework.
const None = "none"

// Variant is framework/mode/stage: everything that it adds to a JVM. Args, Env, ClassPath,
// File.Template, Attach, Activate and Deactivate may hold placeholders; see Expand.
type Variant struct {
	Name, Framework, Mode, Stage string
	About, License               string
	Usual                        bool // see Set.Usual

	Home      string // folder of an installation that cannot be fetched: {home}
	Main      string // name of the main artifact, which determines the version; see main
	Target    string // class of the called method; "": the fixture's plain class
	Artifacts []Artifact
	// Fixtures are jars that replace jars of moobench's own fixtures, by module; the other
	// modules are used as built here.
	Fixtures  []Artifact
	Prepare   Prepare
	ClassPath []string
	Args      []string // JVM arguments, before the main class
	Env       []string // NAME=value, sorted
	Files     []File   // sorted by name

	// Steps applied to the running JVM before it is measured, in this order; "": none.
	Attach     string // agent to load late: its jar, = and its options
	Activate   string // pattern of the probes to swap in
	Deactivate string // pattern of the probes to take out, once they have run

	// Path lists the steps (results.Steps) of an execution, in order; nil: unknown. Body names
	// the code that performs them, by default the mode: steps are compared only between modes
	// with the same body. Change is the way in which probes enter and leave a running program:
	// results.ChangeSwitched or ChangeSwapped; "": they cannot.
	Path         []string
	Body, Change string

	Receiver string         // format that the framework sends; "": it sends nothing
	Fault    receiver.Fault // fault that the receiver simulates
	Proof    Proof
	Queue    int64 // length of the framework's own queue in records; 0: no queue, or unknown

	Parameters []string // names of parameters that a variant's name can set, sorted

	JavaMin, JavaMax int // feature releases; 0: no limit

	// Beside are further agents in the same JVM, each with its own proof; see Recorded.
	Beside []Recorded

	AboutAny string // About, with the placeholder {version} for the version of the main artifact
}

// Suits returns an error if the variant does not support the Java at home, whose feature
// release is major.
func (v Variant) Suits(home string, major int) error {
	switch {
	case v.JavaMin > 0 && major < v.JavaMin:
		return fmt.Errorf("%s needs Java %d or newer, %s is Java %d", v.Name, v.JavaMin, home, major)
	case v.JavaMax > 0 && major > v.JavaMax:
		return fmt.Errorf("%s works up to Java %d, %s is Java %d", v.Name, v.JavaMax, home, major)
	}
	return nil
}

// narrow limits the variant to the Java versions that other supports too.
func (v *Variant) narrow(other Variant) {
	v.JavaMin = max(v.JavaMin, other.JavaMin)
	if v.JavaMax == 0 || other.JavaMax > 0 && other.JavaMax < v.JavaMax { // 0: no limit
		v.JavaMax = other.JavaMax
	}
}

// Artifact is a file that goes into the JVM. Exactly one of Maven and Path is set.
type Artifact struct {
	Name   string // alias: the x of {jar.x}
	Maven  string // group:artifact:version[:classifier], packaging jar
	Path   string
	SHA256 string // hex; "": not pinned
	// Key is the position of Path in the user's TOML, such as framework, mine, agent.
	Key []any
}

// String returns the coordinates or the path.
func (a Artifact) String() string {
	return cmp.Or(a.Maven, a.Path)
}

// Moves reports whether the file's content may change: a local file, or a Maven snapshot.
func (a Artifact) Moves() bool {
	c, _ := parseCoordinates(a.Maven)
	return a.Maven == "" || strings.HasSuffix(c.version, "-SNAPSHOT")
}

// File is a file written into the invocation's folder before the JVM starts.
type File struct {
	Name     string // base name
	Template string
}

// Proof describes how to show that a variant instruments.
type Proof struct {
	Kind results.ProofKind
	// Source counts the records: for ProofCount those that must arrive, for ProofZero those
	// that must not. Told holds the settings of the source, with placeholders.
	Source  string
	Told    receiver.Told
	Sibling string // full name of the variant that proves this one (ProofSibling, ProofZero)
	// PerCall is the number of records per call of the target: an integer, or the name of a
	// parameter of the scenario. "": unknown, and at least one record must arrive.
	PerCall string
	// Extra is the number of records in addition to calls × PerCall, e.g. for a constructor.
	Extra int64
	// Optional: a user's program need not contain code that the agent records.
	Optional bool
}

// Launch returns the variant as the plan records it, with nothing expanded. Files are listed among the
// artifacts, with the digests of their templates, followed by jars that replace those of fixtures.
func (v Variant) Launch() results.Launch {
	l := results.Launch{
		Target:     v.Target,
		JVMArgs:    slices.Clone(v.Args),
		Env:        slices.Clone(v.Env),
		Attach:     v.Attach,
		Activate:   v.Activate,
		Deactivate: v.Deactivate,
		Prepare:    slices.Clone(v.Prepare.Run),
	}
	if len(v.ClassPath) > 0 {
		l.JVMArgs = append(l.JVMArgs, "-cp", strings.Join(v.ClassPath, ":"))
	}
	for _, a := range v.Artifacts {
		name := cmp.Or(a.Maven, filepath.Base(a.Path))
		l.Artifacts = append(l.Artifacts, results.Artifact{Name: name, SHA256: a.SHA256})
	}
	for _, f := range v.Files {
		sum := sha256.Sum256([]byte(f.Template))
		l.Artifacts = append(l.Artifacts, results.Artifact{Name: f.Name, SHA256: hex.EncodeToString(sum[:])})
	}
	for _, a := range v.Fixtures {
		l.Artifacts = append(l.Artifacts, results.Artifact{Name: FixtureName(a.Name), SHA256: a.SHA256})
	}
	return l
}

// Set is the set of known frameworks.
type Set struct {
	// variants are read on demand: a campaign uses a few of several hundred.
	variants map[string]func() entry
	tables   map[string]*table // frameworks, by name
	builds   map[string]build
	digests  map[string]string // of artifacts that are not pinned, by Maven coordinates
	broken   []string          // names of frameworks with mistakes, and, prefixed with buildMark, of such builds
	brought  func(path string) string
}

// Bringing returns the set for a host on which the files named by paths are elsewhere: brought
// returns their path there, or "" if there is no such file. Call it before adding the user's
// frameworks and builds.
func (s *Set) Bringing(brought func(path string) string) *Set {
	all := *s
	all.brought = brought
	return &all
}

// entry is a variant, and the position of its proof.
type entry struct {
	Variant
	proof strict.Value
}

// frameworkOf returns the framework of a variant's name, or of a prefix of one.
func frameworkOf(name string) string {
	framework, _, _ := strings.Cut(name, "/")
	return framework
}

// Names returns the full names of all variants except None, sorted.
func (s *Set) Names() []string {
	return slices.Sorted(maps.Keys(s.variants))
}

// Variant returns a variant by its full name, by a framework or framework/mode that has only
// one, or None. A name may contain modifiers:
//
//   - @ and the name of a build, after the variant or its framework: the jars of that build
//   - @ and a version, likewise: the artifacts of that version
//   - : and settings: other values of its parameters
//   - ~ and a fault: a receiver with that fault
//
// HintOf returns suggestions for its errors.
func (s *Set) Variant(name string) (Variant, error) {
	v, err := s.find(name)
	if err == nil && len(s.digests) > 0 {
		v.Artifacts = slices.Clone(v.Artifacts)
		for i, a := range v.Artifacts {
			v.Artifacts[i].SHA256 = cmp.Or(a.SHA256, s.digests[a.Maven])
		}
	}
	return v, err
}

func (s *Set) find(name string) (Variant, error) {
	if name == None {
		return Variant{Name: None, About: "no framework: the baseline", Proof: Proof{Kind: results.ProofBaseline}}, nil
	}
	if read, ok := s.variants[name]; ok {
		return read().Variant, nil
	}
	if strings.Contains(name, besideMark) {
		return s.together(name)
	}
	if p := partsOf(name); p.base != name {
		return s.compose(name, p)
	}
	found := slices.DeleteFunc(s.Names(), func(n string) bool { return !strings.HasPrefix(n, name+"/") })
	switch len(found) {
	case 0:
		return Variant{}, &unknownVariant{name, strict.Nearest(name, append(s.Names(), None))}
	case 1:
		return s.variants[found[0]]().Variant, nil
	}
	return Variant{}, fmt.Errorf("variant %q is ambiguous: %s", name, strings.Join(found, ", "))
}

// compose returns a variant of the set with the modifications that its name asks for.
func (s *Set) compose(name string, p parts) (v Variant, err error) {
	base := name
	if p.fault != "" {
		base = strings.TrimSuffix(name, faultMark+p.fault)
	}
	switch _, isBuild := s.builds[p.from]; {
	case p.settings != "" && p.from == "":
		v, err = s.withSettings(p.base, p.settings)
	case p.from == "":
		v, err = s.Variant(p.base)
	case p.settings != "" && (isBuild || !versionPattern.MatchString(p.from)):
		err = fmt.Errorf("%s: what is taken from a build has no settings", name)
	case p.settings != "":
		if v, err = s.withSettings(p.base, p.settings); err == nil {
			v, err = fromVersion(v, p.from)
		}
	case !isBuild && versionPattern.MatchString(p.from):
		if v, err = s.Variant(p.base); err == nil {
			v, err = fromVersion(v, p.from)
		}
	default:
		v, err = s.fromBuild(base, p.base, p.from)
	}
	if err == nil && strings.Contains(name, faultMark) {
		v, err = v.withFault(p.fault)
	}
	return v, err
}

// Usual returns the variants that a name stands for: the variant of that name, or the variants of that
// framework that are marked as usual. Of several, one may fit the measured program, and others not.
func (s *Set) Usual(name string) ([]Variant, error) {
	v, err := s.Variant(name)
	if err == nil {
		return []Variant{v}, nil
	}
	var all []Variant
	p := partsOf(name)
	for _, n := range s.Names() {
		if frameworkOf(n) != p.base || !s.variants[n]().Usual {
			continue
		}
		v, notSo := s.Variant(n + strings.TrimPrefix(name, p.base))
		if notSo != nil {
			return nil, notSo
		}
		all = append(all, v)
	}
	if len(all) > 0 {
		err = nil
	}
	return all, err
}

// Asked returns the variants that a name stands for. Maven coordinates stand for the usual variants
// with this main artifact, in the version given; there may be none. Other names are as for Usual.
func (s *Set) Asked(name string) ([]Variant, error) {
	asked, err := parseCoordinates(name)
	if err != nil {
		return s.Usual(name)
	}
	for _, n := range s.Names() {
		v := s.variants[n]().Variant
		main := v.mainArtifact()
		c, _ := parseCoordinates(main.Maven)
		if v.Usual && c.group == asked.group && c.artifact == asked.artifact && c.classifier == asked.classifier {
			return s.Usual(frameworkOf(n) + buildMark + asked.version)
		}
	}
	return nil, nil
}

// ArtifactOf returns the artifact of Maven coordinates; ok is false if name is something else.
func ArtifactOf(name string) (artifact string, ok bool) {
	c, err := parseCoordinates(name)
	return c.artifact, err == nil
}

// CheckNames adds a mistake to file for each of the names, which are at path, that is unknown
// or ambiguous. It skips frameworks and builds with mistakes of their own: they may lack the
// intended variant.
func (s *Set) CheckNames(names []string, file *strict.Document, path []any) {
	for i, name := range names {
		broken := false
		for one := range strings.SplitSeq(name, besideMark) {
			p := partsOf(one)
			brokenFramework := slices.Contains(s.broken, frameworkOf(p.base))
			brokenBuild := slices.Contains(s.broken, buildMark+p.from)
			broken = broken || brokenFramework || brokenBuild
		}
		if broken || name == "" { // not a string: already reported
			continue
		}
		if _, err := s.Variant(name); err != nil {
			file.Fail(append(slices.Clone(path), i), HintOf(err), "%v", err)
		}
	}
}

// unknownVariant reports a name without a variant; nearest is the most similar name, or "".
type unknownVariant struct{ name, nearest string }

// HintOf returns a suggestion for an error of Variant that contains none itself, or "".
func HintOf(err error) string {
	if u, is := errors.AsType[*unknownVariant](err); is && u.nearest == "" {
		return "moobench list shows those of the catalogue"
	}
	return ""
}

func (e *unknownVariant) Error() string {
	if e.nearest != "" {
		return fmt.Sprintf("unknown variant %q (did you mean %q?)", e.name, e.nearest)
	}
	return fmt.Sprintf("unknown variant %q", e.name)
}
