package plan

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/results"
)

// Environment returns the factors of a cell's environment, which any [[scenario]] may set, and how often a subject is
// looked at meanwhile. They have no defaults.
func Environment() []results.Parameter {
	return []results.Parameter{
		{
			Name: results.FactorFrequency, Type: results.TypeEnum, Values: []string{"scaling", "fixed"}, Factor: true,
			About: "of the CPUs: it follows the load, and idle ones sleep deep, " +
				"or it stays at the base frequency, and none does",
		},
		{
			Name: results.FactorCPUs, Type: results.TypeInt, Unit: "CPUs", Min: 1, Factor: true,
			About: "how many CPUs the fixture has",
		},
		{
			Name: results.FactorGC, Type: results.TypeEnum, Factor: true,
			Values: []string{"serial", "parallel", "g1", "z", "shenandoah", "epsilon"},
			About:  "the garbage collector",
		},
		{
			Name: results.FactorJDK, Type: results.TypeString, Factor: true,
			About: `those of [jvm] homes that are measured: versions, or what they begin with, such as "17"`,
		},
		{
			Name: results.FactorJVM, Type: results.TypeOptions, Factor: true,
			About: `options after [jvm] args, such as "-Xint"; "" is none`,
		},
		{
			Name: results.CourseEvery, Type: results.TypeDuration, Min: int64(100 * time.Millisecond),
			About: "how often a JVM's memory, threads and collections are read in timing runs, for its course over time; " +
				"100ms or more; by default never",
		},
	}
}

// JDK is a Java installation of [jvm] homes.
type JDK struct {
	Home    string
	Version string // exact build
	Major   int    // 8, 17, 25
}

// matches reports whether a text names the JDK: by its version, a prefix of it, or its major
// version. 17.0.1 does not name 17.0.15.
func (j JDK) matches(text string) bool {
	rest, begins := strings.CutPrefix(j.Version, text)
	whole := rest == "" || rest[0] < '0' || rest[0] > '9'
	return text != "" && (begins && whole || text == strconv.Itoa(j.Major))
}

// environment returns a scenario's factors of the environment, and the values of all its
// parameters. If there are several JDKs, they are a factor even if the scenario does not name
// it. A scenario without a fixture has no collector or JVM options, and has a JDK only if the
// user's program is started with {java}.
func (b *builder) environment(s section) (schema []results.Parameter, values map[string][]string) {
	values = maps.Clone(s.Parameters)
	fixture := s.schema.Fixture != ""
	program := b.program(s.schema.Section)
	java := fixture || program != nil && program.Holds(config.JavaPlaceholder)
	for _, p := range Environment() {
		given := values[p.Name]
		at := under(s.path, p.Name)
		switch {
		case !java && p.Name == results.FactorJDK && program != nil && len(given) > 0:
			b.Fail(at, "where run names the program, write {java}",
				"jdk means nothing here: nothing in [%s] says where the JDK's program goes", s.schema.Section)
			continue
		case !fixture && (p.Name == results.FactorGC || p.Name == results.FactorJVM),
			!java && p.Name == results.FactorJDK:
			if len(given) > 0 {
				b.Fail(at, "take it out", "%s means nothing here: scenario %s starts no fixture", p.Name, s.Use)
			}
			continue
		case p.Name == results.FactorJDK:
			given = b.versions(given, at)
		case p.Name == results.FactorJVM:
			b.checkOptions(given, at)
		}
		if len(given) > 0 {
			schema = append(schema, p)
			values[p.Name] = given
		}
	}
	return schema, values
}

// versions returns the versions of the named JDKs, or of all JDKs if none is named; nil if the
// campaign has a single JDK.
func (b *builder) versions(named []string, at []any) []string {
	if len(b.jdks) < 2 {
		if len(named) > 0 {
			b.Fail(at, "name several: [jvm] homes = [ … ]", "jdk chooses among JDKs, and the campaign has one")
		}
		return nil
	}
	all := results.Each(b.jdks, func(j JDK) string { return j.Version })
	if len(named) == 0 {
		return all
	}
	var chosen []string
	for i, name := range named {
		before := len(chosen)
		jdks := b.jdksNamed(name)
		for _, j := range jdks {
			if !slices.Contains(chosen, j.Version) {
				chosen = append(chosen, j.Version)
			}
		}
		if len(jdks) == 0 {
			b.Fail(under(at, i), "its JDKs: "+strings.Join(all, ", "), "no JDK of [jvm] homes is %q", name)
		} else if len(chosen) == before {
			b.Fail(under(at, i), "take it out", "%q names only JDKs that are in the list already", name)
		}
	}
	return chosen
}

// jdksNamed returns the JDKs that a text names. An exact version names only itself, even if
// another version begins with it.
func (b *builder) jdksNamed(text string) []JDK {
	var all []JDK
	for _, j := range b.jdks {
		if j.Version == text {
			return []JDK{j}
		}
		if j.matches(text) {
			all = append(all, j)
		}
	}
	return all
}
