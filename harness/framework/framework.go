// Package framework knows how each monitoring framework gets into a JVM.
//
// A framework is a TOML table: an embedded file of the catalogue, or [framework.x] of a
// benchmarks.toml. Both are read by the same code. What a framework says holds for its
// modes, and what a mode says for its stages; one mode at one stage is a Variant.
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

// Variant is framework/mode/stage: everything that has to be added to a JVM for it. Args,
// Env, ClassPath, File.Template, Attach, Activate and Deactivate may hold placeholders;
// see Expand.
type Variant struct {
	Name, Framework, Mode, Stage string
	About, License               string
	Usual                        bool // see Set.Usual

	Home      string // where it is installed, of what can't be fetched: {home}
	Main      string // artifact that a version stands for; see main
	Target    string // class whose method is called; "": the fixture's plain one
	Artifacts []Artifact
	// Fixtures are jars that replace those of moobench's own fixtures, by module; the
	// other modules are used as built here.
	Fixtures  []Artifact
	Prepare   Prepare
	ClassPath []string
	Args      []string // of the JVM, before the main class
	Env       []string // NAME=value, sorted
	Files     []File   // sorted by name

	// What is done to the running JVM before it is measured, in this order; "" is
	// nothing.
	Attach     string // agent that is loaded late: its jar, = and its options
	Activate   string // pattern whose probes are swapped in
	Deactivate string // pattern whose probes are taken out, once they have run

	// Path is what an execution passes through (results.Steps), in order; nil is unknown.
	// Body names the code that does it, by default the mode: modes with the same body are
	// compared step by step, others only with themselves. Change is how probes get into
	// and out of a running program: results.ChangeSwitched or ChangeSwapped, "" where
	// they can't.
	Path         []string
	Body, Change string

	Receiver string         // what the framework sends to; "": nothing
	Fault    receiver.Fault // what that does wrong
	Proof    Proof
	Queue    int64 // length of the framework's own queue in records; 0: none, or unknown

	Parameters []string // names of those whose values a name can change, sorted

	JavaMin, JavaMax int // feature releases; 0: no limit

	// Beside are others in the same JVM, each with its own proof; see Recorded.
	Beside []Recorded

	AboutAny string // About, where {version} stands for that of the main artifact
}

// Suits returns why the variant can't run on the Java at home, whose feature release is
// major, or nil.
func (v Variant) Suits(home string, major int) error {
	switch {
	case v.JavaMin > 0 && major < v.JavaMin:
		return fmt.Errorf("%s needs Java %d or newer, %s is Java %d", v.Name, v.JavaMin, home, major)
	case v.JavaMax > 0 && major > v.JavaMax:
		return fmt.Errorf("%s works up to Java %d, %s is Java %d", v.Name, v.JavaMax, home, major)
	}
	return nil
}

// narrow limits the variant to Java that another one works with, too.
func (v *Variant) narrow(other Variant) {
	v.JavaMin = max(v.JavaMin, other.JavaMin)
	if v.JavaMax == 0 || other.JavaMax > 0 && other.JavaMax < v.JavaMax { // 0 is no limit
		v.JavaMax = other.JavaMax
	}
}

// Artifact is a file that goes into the JVM. Exactly one of Maven and Path is
// set.
type Artifact struct {
	Name   string // alias, the x of {jar.x}
	Maven  string // group:artifact:version[:classifier], packaging jar
	Path   string
	SHA256 string // hex; "": not pinned
	// Key is where Path stands in the user's TOML, such as framework, mine, agent.
	Key []any
}

// String is the coordinates or the path.
func (a Artifact) String() string {
	return cmp.Or(a.Maven, a.Path)
}

// Moves reports whether the file may have another content tomorrow: that of a path, or a
// Maven snapshot.
func (a Artifact) Moves() bool {
	c, _ := parseCoordinates(a.Maven)
	return a.Maven == "" || strings.HasSuffix(c.version, "-SNAPSHOT")
}

// File is written into the invocation's folder before the JVM starts.
type File struct {
	Name     string // a plain base name
	Template string
}

// Proof is how a variant is shown to instrument.
type Proof struct {
	Kind results.ProofKind
	// Source counts the records: for ProofCount those that must arrive, for ProofZero
	// those that must not. Told is what it has to be told, with placeholders.
	Source  string
	Told    receiver.Told
	Sibling string // full name of the variant that proves this one (sibling, zero)
	// PerCall is how many records one call of the target makes: the name of a parameter
	// of the scenario, or an integer; "" is not known, and then at least one must arrive.
	PerCall string
	// Extra is how many records come on top of calls × PerCall, e.g. for a constructor.
	Extra int64
	// Optional: a program of the user's own may have nothing that it records.
	Optional bool
}

// Launch is the variant as the plan records it, with nothing expanded. Files are listed
// among the artifacts with the digest of their template, followed by jars that replace
// those of the fixtures.
func (v Variant) Launch() results.Launch {
	l := results.Launch{
		Target: v.Target, JVMArgs: slices.Clone(v.Args), Env: slices.Clone(v.Env),
		Attach: v.Attach, Activate: v.Activate, Deactivate: v.Deactivate, Prepare: slices.Clone(v.Prepare.Run),
	}
	if len(v.ClassPath) > 0 {
		l.JVMArgs = append(l.JVMArgs, "-cp", strings.Join(v.ClassPath, ":"))
	}
	for _, a := range v.Artifacts {
		l.Artifacts = append(l.Artifacts, results.Artifact{Name: cmp.Or(a.Maven, filepath.Base(a.Path)), SHA256: a.SHA256})
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

// Set is all known frameworks.
type Set struct {
	// variants are read when they are asked for: a campaign has a few of the hundreds that are known.
	variants map[string]func() entry
	tables   map[string]*table // of frameworks, by name
	builds   map[string]build
	digests  map[string]string // of what is not pinned, by coordinates
	broken   []string          // names of frameworks with mistakes, and of builds, after buildMark
	brought  func(path string) string
}

// Bringing returns the set for a host where the files of paths lie elsewhere: brought says where, or ""
// where there is no such file. The user's own frameworks and builds are added after that.
func (s *Set) Bringing(brought func(path string) string) *Set {
	all := *s
	all.brought = brought
	return &all
}

// entry is a variant, and where its proof stands.
type entry struct {
	Variant
	proof strict.Value
}

// frameworkOf is the framework of a variant's name, or of the beginning of one.
func frameworkOf(name string) string {
	framework, _, _ := strings.Cut(name, "/")
	return framework
}

// Names returns the full names of all variants except None, sorted.
func (s *Set) Names() []string {
	return slices.Sorted(maps.Keys(s.variants))
}

// Variant returns a variant by its full name, by a framework or framework/mode that has
// only one, or None. With @ and the name of a build behind it or its framework, it is taken from
// that build, with another word from that version; with : and settings, its parameters have those;
// with ~ and a fault, its receiver has that.
// HintOf says what to do about its errors.
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

// compose returns a variant of the set that is taken from elsewhere, or whose receiver has a
// fault.
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

// Usual are the variants that are meant by a name: the one of that name, or those that
// say so of the framework, of which one may fit what is measured, and others not.
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

// Asked are the variants that are meant by a name, as Usual says, or by Maven coordinates: those
// whose main artifact these are, in this version. There may be none for coordinates.
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

// ArtifactOf is the artifact of Maven coordinates; ok is false where name is nothing of that
// kind.
func ArtifactOf(name string) (artifact string, ok bool) {
	c, err := parseCoordinates(name)
	return c.artifact, err == nil
}

// CheckNames adds a mistake to a file for each of these names, which stand at path, that
// names no variant or several. It is silent about frameworks and builds that have
// mistakes of their own: they may lack what was meant.
func (s *Set) CheckNames(names []string, file *strict.Document, path []any) {
	for i, name := range names {
		broken := false
		for one := range strings.SplitSeq(name, besideMark) {
			p := partsOf(one)
			broken = broken || slices.Contains(s.broken, frameworkOf(p.base)) || slices.Contains(s.broken, buildMark+p.from)
		}
		if broken || name == "" { // "" is no string, which is reported already
			continue
		}
		if _, err := s.Variant(name); err != nil {
			file.Fail(append(slices.Clone(path), i), HintOf(err), "%v", err)
		}
	}
}

// unknownVariant is a name of no variant; nearest is the name most like it, or "".
type unknownVariant struct{ name, nearest string }

// HintOf is what to do about an error of Variant that suggests nothing itself, or "".
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
