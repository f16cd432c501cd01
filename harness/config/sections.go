package config

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"moobench/harness/suggest"
	"moobench/results"
)

// What a [[scenario]] has when it doesn't say otherwise.
const (
	defaultBlocks      = 10
	defaultResources   = 3
	defaultMaxFailures = 3
	maxBlocks          = 10_000
)

// folderName is a name that can be part of a folder's name anywhere.
var folderName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// read fills in the file from its sections.
func (f *File) read(r *reader, raw map[string]any) {
	f.Machine.Profile = results.ProfileAsIs
	var asked, published, gate any // read last, because they name a scenario
	r.table(raw, nil, fields{
		"name":  func(v any, at []any) { f.Name = r.folderName(v, at) },
		"about": func(v any, at []any) { f.About = r.text(v, at) },
		"seed": func(v any, at []any) {
			seed := uint64(r.integer(v, at, 0, maxInt))
			f.Seed = &seed
		},
		"machine":   func(v any, at []any) { f.Machine = r.machine(v, at) },
		"jvm":       func(v any, at []any) { f.JVM = r.jvm(v, at) },
		"scenario":  func(v any, at []any) { f.Scenarios = r.scenarios(v, at) },
		"question":  func(v any, _ []any) { asked = v },
		"published": func(v any, _ []any) { published = v },
		"gate":      func(v any, _ []any) { gate = v },
		"framework": func(v any, at []any) { f.Frameworks = r.frameworks(v, at) },
		"build":     func(v any, at []any) { f.Builds = r.frameworks(v, at) },
		"command":   func(v any, at []any) { f.Command = r.command(v, at) },
		"server":    func(v any, at []any) { f.Server = r.server(v, at) },
	}, "name", "scenario")
	if asked != nil {
		f.Questions = r.questions(asked, []any{"question"})
	}
	if published != nil {
		f.Published = r.publishedAll(published, []any{"published"})
	}
	if gate != nil {
		f.Gate = r.gate(gate, []any{"gate"})
	}
}

func (r *reader) folderName(v any, at []any) string {
	name := r.text(v, at)
	if name != "" && !folderName.MatchString(name) {
		r.fail(at, "it becomes part of a folder's name: up to 64 letters A-Z a-z, digits, and . _ - after the first", "the name %q can't be used", name)
	}
	return name
}

func (r *reader) frameworks(v any, at []any) map[string]map[string]any {
	all := map[string]map[string]any{}
	for name, f := range r.asTable(v, at) {
		all[name] = r.asTable(f, under(at, name))
	}
	return all
}

func (r *reader) scenarios(v any, at []any) []Scenario {
	if _, single := v.(map[string]any); single {
		r.fail(at, "write [[scenario]]", "[scenario] is one table, a campaign has a list of them")
		return nil
	}
	var all []Scenario
	labels := map[string]bool{}
	list := r.list(v, at)
	if list != nil && len(list) == 0 {
		r.fail(at, "", "a campaign needs at least one [[scenario]]")
	}
	for i, raw := range list {
		path := under(at, i)
		s := r.scenario(raw, path)
		if s.Label != "" && labels[s.Label] {
			r.fail(under(path, "label"), `tell them apart: label = "…"`, "a second scenario is called %q", s.Label)
		}
		labels[s.Label] = true
		all = append(all, s)
	}
	return all
}

// scenario reads one [[scenario]].
func (r *reader) scenario(v any, path []any) Scenario {
	s := Scenario{
		Blocks: defaultBlocks, Resources: defaultResources, MaxFailures: defaultMaxFailures, Window: results.WindowSteady,
		Parameters: map[string][]string{},
	}
	keys := fields{
		"use":          func(v any, at []any) { s.Use = r.use(v, at) },
		"label":        func(v any, at []any) { s.Label = r.text(v, at) },
		"variants":     func(v any, at []any) { s.Variants = r.texts(v, at); r.distinct(v, s.Variants, at) },
		"blocks":       func(v any, at []any) { s.Blocks = int(r.integer(v, at, 1, maxBlocks)) },
		"resources":    func(v any, at []any) { s.Resources = int(r.integer(v, at, 0, maxBlocks)) },
		"max_failures": func(v any, at []any) { s.MaxFailures = int(r.integer(v, at, 1, maxBlocks)) },
		"timeout":      func(v any, at []any) { s.Timeout = r.span(v, at) },
		"window":       func(v any, at []any) { s.Window = oneOf(r, v, at, windows) },
		"pool":         func(v any, at []any) { s.Pool = oneOf(r, v, at, []string{results.PoolCalls}) },
	}
	maps.Copy(keys, r.sizing(&s))
	required := []string{"use", "variants"}
	parameters, known := r.parametersOf(v)
	for _, p := range parameters {
		if keys[p.Name] != nil {
			continue
		}
		keys[p.Name] = func(v any, at []any) { s.Parameters[p.Name] = r.parameter(p, v, at) }
		if known && p.Default == "" {
			required = append(required, p.Name)
		}
	}
	r.environment(&s, keys)
	given := r.table(v, path, keys, required...)
	r.checkSizing(&s, given, path)
	for _, p := range parameters {
		if _, ok := given[p.Name]; !ok && p.Default != "" {
			s.Parameters[p.Name] = []string{r.defaultOf(p, path)}
		}
	}
	if _, ok := given["window"]; !ok {
		s.Window = cmp.Or(r.windowOf(s.Use), s.Window)
	}
	if s.Label == "" {
		s.Label = s.Use
	}
	return s
}

// windowOf is the window that a scenario's means are taken over unless the file
// says; "" where it doesn't care.
func (r *reader) windowOf(use string) results.Window {
	for _, known := range r.known.Scenarios {
		if known.Name == use {
			return known.Window
		}
	}
	return ""
}

// environment adds the keys of the factors that any scenario may have.
func (r *reader) environment(s *Scenario, keys fields) {
	for _, p := range r.known.Environment {
		keys[p.Name] = func(v any, at []any) {
			if s.Environment == nil {
				s.Environment = map[string][]string{}
			}
			s.Environment[p.Name] = r.parameter(p, v, at)
		}
	}
}

// use is the name of a scenario that there is.
func (r *reader) use(v any, at []any) string {
	name := r.text(v, at)
	if name != "" && !slices.ContainsFunc(r.known.Scenarios, func(s Schema) bool { return s.Name == name }) {
		var names []string
		for _, s := range r.known.Scenarios {
			names = append(names, s.Name)
		}
		r.fail(at, suggest.Hint(name, names), "unknown scenario %q", name)
	}
	return name
}

// parametersOf are the parameters of the scenario that a section names. When
// it names none that is known, they are those of all scenarios, so that what
// else is wrong with the section can be told at once.
func (r *reader) parametersOf(section any) (ps []results.Parameter, known bool) {
	table, _ := section.(map[string]any)
	for _, s := range r.known.Scenarios {
		if s.Name == table["use"] {
			return s.Parameters, true
		}
		ps = slices.Concat(ps, s.Parameters)
	}
	return ps, false
}
