package cost

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"moobench/harness/framework"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

// subject is something whose cost is asked for: a variant, and the section of the file
// that says what it is. That of the catalogue needs none.
type subject struct {
	variant string
	path    string   // of an agent of the user's own
	agent   []string // lines of its section
}

// subjects are the variants that a jar or a name may mean.
func (q *Question) subjects(set *framework.Set, name string) ([]subject, error) {
	if strings.Contains(name, ".jar") || strings.HasSuffix(name, ".so") {
		s := q.own(set, name)
		if _, err := os.Stat(s.path); err != nil {
			return nil, refusal.New(fmt.Errorf("looking for the agent: %w", err), "build it, or correct its path")
		}
		return []subject{s}, nil
	}
	variants, err := set.Usual(name)
	if err != nil {
		return nil, refusal.New(err, "name a variant that moobench list shows, or the jar of an agent")
	}
	return results.Each(variants, func(v framework.Variant) subject { return subject{variant: v.Name} }), nil
}

// unnamed matches what can't be in the name of a framework.
var unnamed = regexp.MustCompile(`^[^A-Za-z0-9]+|[^A-Za-z0-9._+-]`)

// own is an agent of the user's own: its jar, and perhaps = and its options.
func (q *Question) own(set *framework.Set, name string) subject {
	path, options := name, ""
	if i := strings.Index(name, ".jar="); i >= 0 {
		path, options = name[:i+len(".jar")], name[i+len(".jar="):]
	}
	base := filepath.Base(path)
	s := subject{path: path, variant: unnamed.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-")}
	if _, err := set.Usual(s.variant); err == nil || s.variant == "" || s.variant[0] == '-' {
		s.variant = "agent" + unnamed.ReplaceAllString("-"+base, "-")
	}
	args, key := q.Args, "agent"
	switch {
	case options != "":
		args, key = append([]string{"-javaagent:{jar.agent}=" + options}, args...), "artifact.agent.path"
	case strings.HasSuffix(path, ".so"):
		key = "agentpath"
	}
	s.agent = []string{key + " = " + strict.Literal(q.rooted(path))}
	if len(args) > 0 {
		s.agent = append(s.agent, "args  = "+strict.Literal(args))
	}
	if len(q.Env) > 0 && q.Server == "" && len(q.Command) == 0 {
		s.agent = append(s.agent, "env   = "+environment(q.Env))
	}
	if q.Proof != "" {
		s.agent = append(s.agent, "proof = "+q.proofText(q.Proof))
	}
	return s
}

// against is what another subject is beside this one: a jar beside a variant of the
// catalogue is another build of that.
func (s subject) against(other subject) subject {
	switch {
	case other.path == "":
	case s.path == "":
		return subject{variant: s.variant + "@" + other.variant, path: other.path, agent: other.agent[:1]}
	case s.variant == other.variant:
		other.variant += "-reference"
	}
	return other
}
