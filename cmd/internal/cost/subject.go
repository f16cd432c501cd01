package cost

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/framework"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// subject is something to measure: a variant, and the file sections that define it. A catalogue
// variant needs no section.
type subject struct {
	variant  string
	sections []section
	jar      string // path of the user's own agent
}

// section is [framework.NAME] or [build.NAME] of the file.
type section struct {
	kind, name string
	*strict.Draft
}

const frameworkSection, buildSection = "framework", "build"

// beside separates agents that are in one JVM.
const beside = " + "

// subjects returns the variants that a jar, Maven coordinates or a name may mean; for several
// agents in one JVM, all combinations.
func (q *Question) subjects(set *framework.Set, name string) ([]subject, error) {
	first, others, several := strings.Cut(name, beside)
	if !several {
		return q.single(set, strings.TrimSpace(name))
	}
	firsts, err := q.single(set, strings.TrimSpace(first))
	if err != nil {
		return nil, err
	}
	rest, err := q.subjects(set, others)
	if err != nil {
		return nil, err
	}
	var all []subject
	for _, a := range firsts {
		for _, b := range rest {
			sections := slices.Concat(a.sections, b.sections)
			all = append(all, subject{variant: a.variant + beside + b.variant, sections: sections})
		}
	}
	return all, nil
}

// single returns the variants that one agent may mean.
func (q *Question) single(set *framework.Set, name string) ([]subject, error) {
	if strings.Contains(name, ".jar") || strings.HasSuffix(name, ".so") {
		s := q.own(set, name)
		if _, err := os.Stat(s.jar); err != nil {
			return nil, refusal.New(fmt.Errorf("looking for the agent: %w", err), "build it, or correct its path")
		}
		return q.like(set, s)
	}
	variants, err := set.Asked(name)
	switch {
	case err != nil:
		return nil, refusal.New(err,
			"name a variant that moobench list shows, the jar of an agent, or its Maven coordinates")
	case len(variants) == 0:
		return q.like(set, q.own(set, name))
	case q.As != "" && name == q.Agent:
		return nil, refusal.New(fmt.Errorf("--as is for an agent of your own, and %s is in the catalogue", name),
			"leave --as out")
	}
	return results.Each(variants, func(v framework.Variant) subject {
		s := subject{variant: v.Name}
		if q.Home != "" && name == q.Agent {
			base, _, _ := strings.Cut(v.Name, "/")
			d := &strict.Draft{}
			d.Set("inherits", base)
			d.Set("home", q.rooted(q.Home))
			if len(q.Args) > 0 {
				d.Set("args", q.Args)
			}
			s.sections = []section{{frameworkSection, base, d}}
		}
		return s
	}), nil
}

// like returns the variants of the user's own agent: one, or with --as the usual variants of that
// catalogue framework.
func (q *Question) like(set *framework.Set, s subject) ([]subject, error) {
	if q.As == "" {
		return []subject{s}, nil
	}
	variants, err := set.Usual(q.As)
	if err != nil {
		return nil, refusal.New(fmt.Errorf("--as: %w", err), "name a framework that moobench list shows")
	}
	base, _, _ := strings.Cut(q.As, "/")
	s.sections[0].Set("inherits", base)
	return results.Each(variants, func(v framework.Variant) subject {
		one := s
		one.variant += strings.TrimPrefix(v.Name, base)
		return one
	}), nil
}

// distribution returns a hint if the jar is a distribution of a catalogue framework, and otherwise
// "".
func (q *Question) distribution(s subject) string {
	base := ""
	if s.jar != "" && q.As == "" && q.Proof == "" {
		base = framework.DistributionOf(s.jar)
	}
	if base == "" {
		return ""
	}
	return fmt.Sprintf("%s is a distribution of %s: --as %s gives it the same options, and counts its records",
		s.jar, base, base)
}

// unnamed matches characters that a framework name can't have.
var unnamed = regexp.MustCompile(`^[^A-Za-z0-9]+|[^A-Za-z0-9._+-]`)

// own returns the subject for the user's own agent: Maven coordinates or a jar, optionally followed
// by = and its options.
func (q *Question) own(set *framework.Set, name string) subject {
	where, options := name, ""
	if i := strings.Index(name, ".jar="); i >= 0 {
		where, options = name[:i+len(".jar")], name[i+len(".jar="):]
	}
	var s subject
	d := &strict.Draft{}
	base, args := filepath.Base(where), q.Args
	artifact, isMaven := framework.ArtifactOf(where)
	switch {
	case isMaven:
		base = artifact
		d.Set("maven", where)
	case options != "":
		args = append([]string{"-javaagent:{jar.agent}=" + options}, args...)
		d.Set("artifact", map[string]any{"agent": map[string]any{"path": q.rooted(where)}})
	case strings.HasSuffix(where, ".so"):
		d.Set("agentpath", q.rooted(where))
	default:
		d.Set("agent", q.rooted(where))
	}
	if !isMaven {
		s.jar = where
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	s.variant = unnamed.ReplaceAllString(base, "-")
	// Another name is needed if this one is taken, is empty, or would be a version.
	if _, err := set.Usual(s.variant); err == nil || s.variant == "" || s.variant[0] < 'A' {
		s.variant = "agent" + unnamed.ReplaceAllString("-"+filepath.Base(where), "-")
	}
	if len(args) > 0 {
		d.Set("args", args)
	}
	if len(q.Env) > 0 && q.Server == "" && len(q.Command) == 0 {
		d.Set("env", environment(q.Env))
	}
	if q.Proof != "" {
		d.Set("proof", q.proof(q.Proof))
	}
	s.sections = []section{{frameworkSection, s.variant, d}}
	return s
}

// against returns other as a subject compared with s. If s is a catalogue variant and other is a
// jar, the jar is another build of that variant.
func (s subject) against(other subject) subject {
	switch {
	case len(other.sections) != 1:
	case len(s.sections) == 0 && other.jar != "":
		jar := other.sections[0]
		where := jar.Keys()[0]
		build := section{buildSection, jar.name, &strict.Draft{}}
		build.Set(where, jar.Value(where))
		return subject{variant: s.variant + "@" + other.variant, sections: []section{build}, jar: other.jar}
	case len(s.sections) == 1 && s.sections[0].name == other.sections[0].name:
		name, _, _ := strings.Cut(other.variant, "/")
		other.variant = name + "-reference" + strings.TrimPrefix(other.variant, name)
		other.sections = []section{{frameworkSection, name + "-reference", other.sections[0].Draft}}
	}
	return other
}
