package plan

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/harness/config"
	"moobench/harness/framework"
)

// The sections of benchmarks.toml that describe a program of the user's own.
const (
	CommandSection = "command"
	ServerSection  = "server"
)

// Outside is a Scenario about a program of the user's own, instead of a fixture.
type Outside interface {
	// Section is CommandSection or ServerSection.
	Section() string
}

// toolOptions is where a JVM looks for arguments that nobody gave it.
const toolOptions = "JAVA_TOOL_OPTIONS"

// commandAllowance is how long a command may take unless the file says.
const commandAllowance = 10 * time.Minute

// sectionOf is the section that a scenario is about, "" when it drives a fixture.
func sectionOf(s Scenario) string {
	if o, ok := s.(Outside); ok {
		return o.Section()
	}
	return ""
}

// program is what a section of the file starts; nil when there is none.
func (b *builder) program(s Scenario) *config.Program {
	c := Cell{Command: b.file.Command, Server: b.file.Server}
	switch sectionOf(s) {
	case CommandSection:
		c.Server = nil
	case ServerSection:
		c.Command = nil
	default:
		return nil
	}
	return c.Program()
}

// checkPrograms finds sections that no scenario is about, and scenarios without
// theirs.
func (b *builder) checkPrograms() {
	used := map[string]bool{}
	for _, s := range b.plan.sections {
		name := sectionOf(s.scenario)
		used[name] = true
		if name != "" && b.program(s.scenario) == nil {
			b.fail([]any{"scenario", b.index(s), "use"}, fmt.Sprintf("add [%s] with run = [ … ]", name), "scenario %s is about the section [%s], which is missing", s.Use, name)
		}
	}
	for name, there := range map[string]bool{CommandSection: b.file.Command != nil, ServerSection: b.file.Server != nil} {
		if there && !used[name] {
			b.fail([]any{name}, fmt.Sprintf("add a [[scenario]] with use = %q", name), "no scenario is about [%s]", name)
		}
	}
}

// outside gives a cell the user's own program, its working directory as seen from
// here, and checks that the variant can get into it.
func (b *builder) outside(s section, c *Cell, at []any) {
	p := b.program(s.scenario)
	if p == nil {
		return
	}
	own := *p
	if !filepath.IsAbs(own.Dir) {
		own.Dir = filepath.Join(filepath.Dir(b.file.Path), own.Dir)
	}
	if sectionOf(s.scenario) == CommandSection {
		command := *b.file.Command
		command.Program = own
		c.Command = &command
	} else {
		server := *b.file.Server
		server.Program = own
		c.Server = &server
	}
	c.Launch.Run, c.Launch.Env = slices.Clone(own.Run), slices.Concat(own.Env, c.Launch.Env)
	b.jars(sectionOf(s.scenario), own, c)
	if c.ByToolOptions() {
		c.Launch.Env = append(c.Launch.Env, toolOptions+"="+agent)
	}
	if why, hint := keptOut(c.Variant, c.Pattern()); why != "" {
		b.fail(at, hint, "%s can't get into a program of your own: %s", c.Variant.Name, why)
	}
}

// keptOut says why a variant can't get into a program that nothing of ours is
// in, and what to do; why is "" when its JVM arguments, environment and files are
// all that it takes.
func keptOut(v framework.Variant, pattern string) (why, hint string) {
	const agents = "take one whose agent gets in by JVM arguments, environment and files alone, such as a [framework.x] with agent = …"
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
	for _, name := range []string{"class", "method", callsParameter, depthParameter, threadsParameter} {
		if v.Uses(name) {
			return fmt.Sprintf("it is told {%s}, which only a fixture has", name), "write a [framework.x] that says what to monitor, or leaves that to the agent"
		}
	}
	for _, name := range []string{"signature", "classes"} {
		if pattern == "" && v.Uses(name) {
			return fmt.Sprintf("it is told what to monitor by {%s}, and nothing says that", name), `say it: pattern = "public * com.acme..*.*(..)" in the [[scenario]]`
		}
	}
	return "", ""
}

// programLines are the decisions about the user's own programs.
func programLines(f *config.File) []string {
	var lines []string
	add := func(section, format string, args ...any) {
		lines = append(lines, section+": "+fmt.Sprintf(format, args...))
	}
	if c := f.Command; c != nil {
		add(CommandSection, "run %s, dir %q, env %s", quoted(c.Run), c.Dir, quoted(c.Env))
		output := ""
		if c.Output != nil {
			output = c.Output.String()
		}
		add(CommandSection, "exit %d, output %q", c.Exit, output)
	}
	if s := f.Server; s != nil {
		add(ServerSection, "run %s, dir %q, env %s", quoted(s.Run), s.Dir, quoted(s.Env))
		add(ServerSection, "ready %q, within %s", s.Ready, s.Within)
		for _, q := range s.Requests {
			add(ServerSection, "request %q: %s %q, headers %s, body %q, weight %d, status %d%s", q.Name, q.Method, q.URL, quoted(q.Headers), q.Body, q.Weight, q.Status, expectation(q))
		}
	}
	return lines
}

// expectation is what the body of a right answer is, "" when anything is.
func expectation(q config.Request) string {
	s := ""
	if q.Expect != nil {
		s += fmt.Sprintf(", expect %q", *q.Expect)
	}
	if q.Pattern != nil {
		s += fmt.Sprintf(", match %q", q.Pattern)
	}
	return s
}
