package framework

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// placeholders are available in every invocation. Others are {port} if there is a receiver or
// the program is asked for its records, {prepared} if classes are prepared, {jar.<artifact>},
// {fixture.<module>} and {file.<name>}.
var placeholders = []string{"class", "method", "signature", "classes", "dir", "calls", "depth", "threads", "home"}

// token matches a doubled brace, a placeholder, or a stray single brace.
var token = regexp.MustCompile(`\{\{|\}\}|\{[A-Za-z0-9._-]+\}|[{}]`)

// Expand fills in the placeholders of a template: {name} becomes vars["name"], and {{ and }}
// become braces. Filled-in text is not expanded again.
func Expand(template string, vars map[string]string) (string, error) {
	if !strings.ContainsAny(template, "{}") {
		return template, nil // fast path: most templates have no braces, and the catalogue has thousands
	}
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("in %q: "+format, append([]any{template}, args...)...)
		}
	}
	s := token.ReplaceAllStringFunc(template, func(t string) string {
		switch t {
		case "{{", "}}":
			return t[:1]
		case "{", "}":
			fail("a single %s (a literal brace is doubled)", t)
			return ""
		}
		name := t[1 : len(t)-1]
		v, ok := vars[name]
		if !ok {
			fail("unknown placeholder %s (%s)", t, strict.Hint(name, slices.Sorted(maps.Keys(vars))))
		}
		return v
	})
	return s, err
}

// ExpandAll expands each of the templates.
func ExpandAll(templates []string, vars map[string]string) ([]string, error) {
	all := make([]string, 0, len(templates))
	for _, t := range templates {
		s, err := Expand(t, vars)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// check reports placeholders that the variant cannot fill in.
func (r *reader) check(d *draft) {
	vars := map[string]string{}
	add := func(prefix string, names ...string) {
		for _, n := range names {
			vars[prefix+n] = prefix + n
		}
	}
	add("", placeholders...)
	add("", slices.Collect(maps.Keys(d.parameters))...)
	add("fixture.", r.modules...)
	for _, a := range d.Artifacts {
		add("jar.", a.Name)
	}
	for _, f := range d.Files {
		add("file.", f.Name)
	}
	if d.Receiver != "" || d.Proof.port() {
		add("", "port")
	}
	if d.checkPrepare(vars); d.Prepare.Of != "" {
		add("", Prepared)
	}
	templates := slices.Concat(
		d.templates,
		slices.Collect(maps.Values(d.env)),
		slices.Collect(maps.Values(d.files)),
	)
	for _, t := range templates {
		text := t.Raw.(string)
		hint := ""
		if d.Receiver == "" && strings.Contains(text, "{port}") {
			hint = "{port} needs a receiver: " + strings.Join(results.Each(sources(true), receiver.Format.Count), ", ")
		}
		if _, err := Expand(text, vars); err != nil {
			t.Fail(hint, "%v", err)
		}
	}
}

// tokens returns the tokens of all strings of the variant that may hold placeholders.
func (v Variant) tokens() []string {
	files := results.Each(v.Files, func(f File) string { return f.Template })
	templates := slices.Concat(v.ClassPath, v.Args, v.Env, []string{v.Attach, v.Activate, v.Deactivate}, files)
	return tokensOf(templates)
}

func tokensOf(templates []string) []string {
	return token.FindAllString(strings.Join(templates, "\n"), -1) // no token spans lines
}

// Uses reports whether the variant holds a placeholder, given without its braces.
func (v Variant) Uses(placeholder string) bool {
	return slices.Contains(v.tokens(), "{"+placeholder+"}")
}

// Modules returns the modules of moobench's own fixtures whose jars the variant adds.
func (v Variant) Modules() []string {
	var all []string
	for _, t := range slices.Concat(v.tokens(), tokensOf(v.Prepare.templates())) {
		if module, ok := FixtureModule(t); ok {
			all = append(all, module)
		}
	}
	return all
}
