package plan

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/config"
	"moobench/harness/framework"
)

// agent is the placeholder of the variant's JVM arguments.
const agent = "{" + config.AgentPlaceholder + "}"

// NeedsJava reports whether the cell starts a program with the campaign's JDK.
func (c *Cell) NeedsJava() bool {
	p := c.Program
	return c.Launch.Fixture != "" || p != nil && p.Holds(config.JavaPlaceholder)
}

// NeedsFixtures reports whether the cell starts a fixture, or adds a fixture's jar to another program.
func (c *Cell) NeedsFixtures() bool { return c.Launch.Fixture != "" || len(c.Recipe.Modules()) > 0 }

// ByToolOptions reports whether the variant's JVM arguments reach the user's program through
// JAVA_TOOL_OPTIONS, because the program has no placeholder for them.
func (c *Cell) ByToolOptions() bool {
	p := c.Program
	return p != nil && len(c.Recipe.Args) > 0 && !p.Holds(config.AgentPlaceholder)
}

// CommandLine returns the command line of the user's program with the variant's arguments.
// Values that are known only at the start remain placeholders.
func (c *Cell) CommandLine() []string {
	var line []string
	for _, word := range c.Program.Run {
		if word == agent { // each argument becomes a word
			line = append(line, c.Recipe.Args...)
			continue
		}
		line = append(line, strings.ReplaceAll(word, agent, strings.Join(c.Recipe.Args, " ")))
	}
	return line
}

// Fill returns the command line and the environment of the user's program with all placeholders
// filled in: the java of the cell's JDK, the variant's JVM arguments, the port, and vars, the
// variant's other placeholders. It does not add the arguments to JAVA_TOOL_OPTIONS.
func (i Invocation) Fill(java string, args []string, vars map[string]string) (line, env []string, err error) {
	vars = maps.Clone(vars)
	vars[config.JavaPlaceholder] = java
	vars[config.PortPlaceholder] = strconv.Itoa(i.Port)
	vars[config.AgentPlaceholder] = strings.Join(args, " ")
	p := i.Cell.Program
	for _, word := range p.Run {
		if word == agent {
			line = append(line, args...)
			continue
		}
		word, err := framework.Expand(word, vars)
		if err != nil {
			return nil, nil, fmt.Errorf("filling in its command line: %w", err)
		}
		line = append(line, word)
	}
	if env, err = framework.ExpandAll(p.Env, vars); err != nil {
		return nil, nil, fmt.Errorf("filling in its environment: %w", err)
	}
	return line, env, nil
}

// The sections of benchmarks.toml that describe a user's program.
const (
	CommandSection = "command"
	ServerSection  = "server"
)

// toolOptions is the environment variable from which a JVM reads additional arguments.
const toolOptions = "JAVA_TOOL_OPTIONS"

// program returns the program of a section of the file, or nil.
func (b *builder) program(section string) *config.Program {
	return map[string]*config.Program{CommandSection: b.file.Command, ServerSection: b.file.Server}[section]
}

// checkPrograms reports sections that no scenario uses, and scenarios without their section.
func (b *builder) checkPrograms() {
	used := map[string]bool{}
	for _, s := range b.plan.sections {
		name := s.schema.Section
		used[name] = true
		if name != "" && b.program(name) == nil {
			b.Fail(under(s.path, "use"), fmt.Sprintf("add [%s] with run = [ … ]", name),
				"scenario %s is about the section [%s], which is missing", s.Use, name)
		}
	}
	for _, name := range []string{CommandSection, ServerSection} {
		if b.program(name) != nil && !used[name] {
			b.Fail([]any{name}, fmt.Sprintf("add a [[scenario]] with use = %q", name),
				"no scenario is about [%s]", name)
		}
	}
}

// addProgram sets the cell's Program if the user supplies it, with a working directory relative to ours.
func (b *builder) addProgram(s section, c *Cell) {
	asWritten := b.program(s.schema.Section)
	if asWritten == nil {
		return
	}
	own := new(*asWritten)
	c.Program = own
	if !filepath.IsAbs(own.Dir) {
		own.Dir = filepath.Join(filepath.Dir(b.file.Path), own.Dir)
	}
	c.Launch.Run = slices.Clone(own.Run)
	c.Launch.Env = slices.Concat(own.Env, c.Launch.Env)
	// Its artifacts are resolved together with the variant's, and each {jar.name} must be unique.
	// Cells of [command] and [server] may share a variant, so their artifacts may not share a name.
	artifacts := framework.Jars(own.Artifacts.In(b.Document))
	for _, a := range artifacts {
		path := []any{s.schema.Section, "artifact", a.Name}
		if slices.ContainsFunc(c.Recipe.Artifacts, func(o framework.Artifact) bool { return o.Name == a.Name }) {
			b.Fail(path, "give it another name", "%s has an artifact %q as well", c.Variant, a.Name)
		}
		if f := b.file; s.schema.Section == ServerSection && f.Command != nil && f.Command.Artifacts.Has(a.Name) {
			b.Fail(path, "give it another name", "[command] has an artifact %q as well", a.Name)
		}
	}
	for _, name := range own.Jars() {
		if !own.Artifacts.Has(name) {
			b.Fail([]any{s.schema.Section, "run"},
				fmt.Sprintf("add [%s.artifact] with %s = { maven = …, sha256 = … }", s.schema.Section, name),
				"there is no artifact for {%s%s}", config.JarPlaceholder, name)
		}
	}
	c.Recipe.Artifacts = slices.Concat(c.Recipe.Artifacts, artifacts)
	c.Launch.Artifacts = c.Recipe.Launch().Artifacts
	if c.ByToolOptions() {
		c.Launch.Env = append(c.Launch.Env, toolOptions+"="+agent)
	}
}

// checkPlain checks that a cell without a fixture starts another program, and that its variant
// can get into that program. A missing section is reported by checkPrograms.
func (b *builder) checkPlain(s section, c *Cell, at []any) {
	into := "a program of your own"
	if c.Program == nil {
		if s.schema.Section != "" {
			return
		}
		if into = "a program that is not a fixture"; len(c.Work.Run) == 0 {
			b.Fail(under(s.path, "use"), "",
				"scenario %s starts nothing: it has neither a fixture nor a program", s.Use)
			return
		}
	}
	if why, hint := keptOut(c.Recipe, c.Work.Pattern); why != "" {
		b.Fail(at, hint, "%s can't get into %s: %s", c.Variant, into, why)
	}
	if c.Program != nil && !c.Program.IsServer() && c.Recipe.Proof.Asks() {
		b.Fail(at, "take another proof, such as file, log or command",
			"%s can't be proven by asking %s: it has ended by then", c.Variant, into)
	}
}

// keptOut returns the reason why a variant cannot get into a program that was not built for moobench,
// and a suggestion. why is "" if the variant needs only JVM arguments, environment and files.
func keptOut(v framework.Variant, pattern string) (why, hint string) {
	const agents = "take one whose agent gets in by JVM arguments, environment and files alone, " +
		"such as a [framework.x] with agent = …"
	switch {
	case v.Target != "":
		return "it is compiled into " + v.Target, agents
	case len(v.ClassPath) > 0:
		return "it puts " + strings.Join(v.ClassPath, ", ") + " on the class path, which is the program's", agents
	case v.Attach != "":
		return "its agent is attached once a fixture says that it is ready", agents
	case v.Activate != "" || v.Deactivate != "":
		return "its probes are swapped by orders that only a fixture takes", agents
	}
	for _, name := range []string{"class", "method", "calls", "depth", "threads"} {
		if v.Uses(name) {
			return fmt.Sprintf("it uses {%s}, which only a fixture has", name),
				"write a [framework.x] that says what to monitor, or leaves that to the agent"
		}
	}
	for _, name := range []string{"signature", "classes"} {
		if pattern == "" && v.Uses(name) {
			return fmt.Sprintf("it uses {%s} for what to monitor, and nothing sets that", name),
				`say it by a pattern, such as "com.acme..*.*(..)" (moobench cost: --pattern)`
		}
	}
	return "", ""
}

func (l *lines) addPrograms(f *config.File) {
	if c := f.Command; c != nil {
		l.add("command: run %s, dir %q, env %s", quoted(c.Run), c.Dir, quoted(c.Env))
		l.add("command: exit %d, output %q", c.Exit, also(c.Output != nil, "%s", c.Output))
	}
	if s := f.Server; s != nil {
		l.add("server: run %s, dir %q, env %s", quoted(s.Run), s.Dir, quoted(s.Env))
		l.add("server: ready %q, within %s", s.Ready, s.Limit(0))
		for _, q := range s.Requests {
			expect := also(q.Expect != nil, ", expect %q", *cmp.Or(q.Expect, new(string)))
			match := also(q.Pattern != nil, ", match %q", q.Pattern)
			l.add("server: request %q: %s %q, headers %s, body %q, weight %d, status %d%s%s",
				q.Name, q.Method, q.URL, quoted(q.Headers), q.Body, q.Weight, q.Status, expect, match)
		}
	}
}
