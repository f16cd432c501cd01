package config

import (
	"regexp"
	"slices"
	"strings"

	"moobench/harness/strict"
)

// Program describes how to start a user's program. Run and Env may hold {java} (the JDK's
// java), {agent} (the variant's JVM arguments; a word of Run that is just {agent} expands to
// one word per argument), {dir} (the invocation's folder) and {port} (a free port of
// 127.0.0.1). If neither holds {agent}, the arguments are passed in JAVA_TOOL_OPTIONS.
type Program struct {
	Run []string // the program and its arguments
	Dir string   // its working directory, relative to the file's folder, which is the default
	Env []string // NAME=value, sorted; added to the few variables that every subject gets
	// Artifacts maps names to tables with the keys maven and sha256: jars to fetch, like those
	// of frameworks. Run and Env may hold {jar.name}. Its Raw is nil if there are no artifacts.
	Artifacts strict.Value

	Command // zero for [server]
	Server  // zero for [command]
}

// IsServer reports whether the program is the one of section [server].
func (p *Program) IsServer() bool { return p != nil && p.Ready != "" }

// Command describes a successful end of the program of section [command].
type Command struct {
	Exit   int            // exit status that counts as success
	Output *regexp.Regexp // must match its standard output; nil: anything does
}

// The placeholders that a user's program may hold.
const (
	JavaPlaceholder  = "java"  // the java executable of the cell's JDK
	AgentPlaceholder = "agent" // the variant's JVM arguments
	dirPlaceholder   = "dir"   // the invocation's folder
	PortPlaceholder  = "port"  // a free port of 127.0.0.1
	JarPlaceholder   = "jar."  // prefix of an artifact's name: the path of its jar
)

// token matches a doubled brace, a placeholder, or a stray single brace.
var token = regexp.MustCompile(`\{\{|\}\}|\{[A-Za-z0-9._-]+\}|[{}]`)

// variableName matches variable names that any shell accepts.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// tokens returns the tokens of the program's arguments and environment.
func (p Program) tokens() []string {
	return token.FindAllString(strings.Join(slices.Concat(p.Run, p.Env), "\n"), -1) // no token spans lines
}

// Holds reports whether the program holds a placeholder, given without its braces.
func (p Program) Holds(placeholder string) bool {
	return slices.Contains(p.tokens(), "{"+placeholder+"}")
}

// Jars returns the names of the artifacts whose placeholders the program holds.
func (p Program) Jars() []string {
	var names []string
	for _, t := range p.tokens() {
		if name, ok := strings.CutPrefix(t, "{"+JarPlaceholder); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// command describes the section [command].
func (r *reader) command(c *Program) strict.Table {
	return strict.NewTable("A program of your own that runs to its end, such as a batch job.", append(r.programKeys(c),
		strict.NewKey("exit", strict.Int(&c.Exit, 0, 255), "exit status that counts as success").Or(0),
		strict.NewKey("output", strict.Func("regular expression", &c.Output, expression),
			"what its standard output must match; ^ and $ match at the ends of each line").Like(`^done: \d+ rows$`))...)
}

// programKeys returns the keys that [command] and [server] share.
func (r *reader) programKeys(p *Program) []strict.Key {
	table := func(v strict.Value) (strict.Value, bool) { return v, v.IsTable() }
	artifacts := strict.Func("tables by name", &p.Artifacts, table)
	artifacts.Several = strict.Named
	artifacts.Section = r.known.Jar
	return []strict.Key{
		strict.NewKey("run", strict.Func("string, or list of strings", &p.Run, commandLine),
			"the program and its arguments, which may hold {java}, {agent}, {dir}, {port} and {jar.NAME}; "+
				"a string is split at blanks").Must().Like([]string{"{java}", "{agent}", "-jar", "batch.jar"}),
		strict.NewKey("dir", strict.String(&p.Dir),
			"its working directory, relative to the file's folder; by default that folder").Like("work"),
		strict.NewKey("env", strict.Func("table of strings", &p.Env, variables),
			"environment variables, which may hold the same placeholders; it has few others").
			Like(map[string]any{"JAVA_OPTS": "{agent}"}),
		strict.NewKey("artifact", artifacts, "jars that are fetched by their Maven coordinates, for {jar.NAME}"),
	}
}

// commandLine reads a program and its arguments: a list, or a string that is split at blanks.
func commandLine(v strict.Value) (words []string, ok bool) {
	if line, one := v.Raw.(string); one {
		if words = strings.Fields(line); len(words) == 0 {
			v.Fail("name the program and its arguments", "%s is empty", v.Name())
		}
		placeholders(v, line, JavaPlaceholder, AgentPlaceholder, dirPlaceholder, PortPlaceholder, JarPlaceholder)
		return words, true
	}
	words, ok = strict.Each(v, argument)
	switch list, _ := v.Raw.([]any); {
	case ok && len(words) == 0:
		v.Fail("name the program and its arguments", "%s is an empty list", v.Name())
	case ok && len(list) > 0 && list[0] == "":
		first, _ := v.List()
		first[0].Fail("", "the program's name is empty")
	}
	return words, ok
}

// argument reads any string that can be passed to a program, and checks its placeholders.
func argument(v strict.Value) (string, bool) {
	s, ok := v.Any()
	placeholders(v, s, JavaPlaceholder, AgentPlaceholder, dirPlaceholder, PortPlaceholder, JarPlaceholder)
	return s, ok
}

// variables reads a table of environment variables as NAME=value, sorted.
func variables(v strict.Value) (all []string, ok bool) {
	for _, e := range v.Entries() {
		if !variableName.MatchString(e.Name()) {
			e.Fail("letters, digits and _, no digit first", "%q can't be the name of an environment variable", e.Name())
		}
		value, _ := argument(e)
		all = append(all, e.Name()+"="+value)
	}
	return all, true
}

// placeholders reports whether s holds only known placeholders, and reports the first unknown
// one as a mistake. The names of jars are checked later, once the artifacts are known.
func placeholders(v strict.Value, s string, known ...string) bool {
	for _, t := range token.FindAllString(s, -1) {
		switch name := strings.Trim(t, "{}"); {
		case t == "{{" || t == "}}":
		case name == "":
			v.Fail("a literal brace is doubled: "+t+t, "%s: a single %s", v.Name(), t)
			return false
		case slices.Contains(known, JarPlaceholder) && strings.HasPrefix(name, JarPlaceholder):
		case !slices.Contains(known, name):
			v.Fail(strict.Hint(name, known), "%s: unknown placeholder %s", v.Name(), t)
			return false
		}
	}
	return true
}

// expression reads a regular expression whose ^ and $ match at the ends of each line.
var expression = strict.Parsed(strict.Value.NotEmpty, "between single quotes, a backslash stands for itself",
	func(s string) (*regexp.Regexp, error) {
		if _, err := regexp.Compile(s); err != nil { // as written, so that an error quotes the user's own text
			return nil, err
		}
		return regexp.Compile("(?m)" + s)
	})
