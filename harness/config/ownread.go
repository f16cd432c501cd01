package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/suggest"
)

// The placeholders that a program of the user's own may hold.
const (
	JavaPlaceholder  = "java"  // the program of the cell's JDK
	AgentPlaceholder = "agent" // the variant's JVM arguments
	DirPlaceholder   = "dir"   // the invocation's folder
	PortPlaceholder  = "port"  // a free port of 127.0.0.1
	JarPlaceholder   = "jar."  // and the name of an artifact: its path
)

// token is a doubled brace, a placeholder, or a brace that is neither.
var token = regexp.MustCompile(`\{\{|\}\}|\{[A-Za-z0-9._-]+\}|[{}]`)

// variableName is what any shell takes as the name of a variable.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Holds says whether something of the program is filled in by a placeholder,
// which is named without its braces.
func (p Program) Holds(placeholder string) bool {
	return slices.ContainsFunc(slices.Concat(p.Run, p.Env), func(s string) bool {
		return slices.Contains(token.FindAllString(s, -1), "{"+placeholder+"}")
	})
}

// Jars are the names of the artifacts that the program holds placeholders of.
func (p Program) Jars() []string {
	var names []string
	for _, s := range slices.Concat(p.Run, p.Env) {
		for _, t := range token.FindAllString(s, -1) {
			if name, ok := strings.CutPrefix(t, "{"+JarPlaceholder); ok {
				names = append(names, strings.TrimSuffix(name, "}"))
			}
		}
	}
	return names
}

// command reads the section [command].
func (r *reader) command(v any, at []any) *Command {
	c := &Command{}
	keys := r.program(&c.Program)
	keys["exit"] = func(v any, at []any) { c.Exit = int(r.integer(v, at, 0, 255)) }
	keys["output"] = func(v any, at []any) { c.Output = r.expression(v, at) }
	r.table(v, at, keys, "run")
	return c
}

// program reads what both kinds of program have.
func (r *reader) program(p *Program) fields {
	return fields{
		"run":      func(v any, at []any) { p.Run = r.commandLine(v, at) },
		"dir":      func(v any, at []any) { p.Dir = r.text(v, at) },
		"env":      func(v any, at []any) { p.Env = r.variables(v, at) },
		"artifact": func(v any, at []any) { p.Artifacts = r.asTable(v, at) },
	}
}

// commandLine is a program and its arguments: a list, or one string that is
// parted at its blanks.
func (r *reader) commandLine(v any, at []any) []string {
	if line, ok := v.(string); ok {
		r.template(line, at)
		words := strings.Fields(line)
		if len(words) == 0 {
			r.fail(at, "name the program and its arguments", "%s is empty", nameOf(at))
		}
		return words
	}
	var words []string
	list := r.list(v, at)
	for i, e := range list {
		words = append(words, r.argument(e, under(at, i)))
	}
	switch {
	case list != nil && len(words) == 0:
		r.fail(at, "name the program and its arguments", "%s is an empty list", nameOf(at))
	case len(words) > 0 && list[0] == "":
		r.fail(under(at, 0), "", "the program's name is empty")
	}
	return words
}

// argument is any text that can be handed to a program, with its placeholders.
func (r *reader) argument(v any, at []any) string {
	s := r.anyText(v, at)
	r.template(s, at)
	return s
}

// anyText is a string that may be empty or hold several lines.
func (r *reader) anyText(v any, at []any) string {
	s, ok := v.(string)
	if !ok {
		r.wrongType(at, "put it into quotes", "a string", v)
	}
	if strings.ContainsRune(s, 0) {
		r.fail(at, "", "%s holds a NUL character", nameOf(at))
	}
	return s
}

// variables are a table's environment variables: NAME=value, sorted.
func (r *reader) variables(v any, at []any) []string {
	table := r.asTable(v, at)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !variableName.MatchString(name) {
			r.fail(under(at, name), "letters, digits and _, no digit first", "%q can't be the name of an environment variable", name)
		}
		all = append(all, name+"="+r.argument(table[name], under(at, name)))
	}
	return all
}

// template finds what stands in braces and is no placeholder of a program.
func (r *reader) template(s string, at []any) {
	r.placeholders(s, at, JavaPlaceholder, AgentPlaceholder, DirPlaceholder, PortPlaceholder, JarPlaceholder)
}

func (r *reader) placeholders(s string, at []any, known ...string) {
	for _, t := range token.FindAllString(s, -1) {
		switch name := strings.Trim(t, "{}"); {
		case t == "{{" || t == "}}":
		case name == "":
			r.fail(at, "a literal brace is doubled: "+t+t, "%s: a single %s", nameOf(at), t)
			return
		case slices.Contains(known, JarPlaceholder) && strings.HasPrefix(name, JarPlaceholder): // the plan knows which there are
		case !slices.Contains(known, name):
			r.fail(at, suggest.Hint(name, known), "%s: unknown placeholder %s", nameOf(at), t)
		}
	}
}

// expression is a regular expression of which ^ and $ stand at each line's ends.
func (r *reader) expression(v any, at []any) *regexp.Regexp {
	s := r.anyText(v, at)
	if s == "" {
		if _, ok := v.(string); ok {
			r.fail(at, "leave it out, or say something", "%s is empty", nameOf(at))
		}
		return nil
	}
	if _, err := regexp.Compile(s); err != nil {
		r.fail(at, "between single quotes, a backslash stands for itself", "%s: %v", nameOf(at), err)
		return nil
	}
	e, err := regexp.Compile("(?m)" + s)
	if err != nil {
		r.fail(at, "", "%s: %v", nameOf(at), err)
	}
	return e
}
