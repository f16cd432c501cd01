package plan

import "strings"

// patternParameter is the signature pattern of what is monitored.
const patternParameter = "pattern"

// OwnMethod is the value of the pattern that stands for the target's own method.
const OwnMethod = "target"

// AgentsChoice is the value of the pattern that leaves what is monitored to the
// agent: the user's own program has no target.
const AgentsChoice = "agent"

// patternedExecutions is how many monitored executions a call is allowed when a
// pattern says what is monitored: that may be all of an application.
const patternedExecutions = 1000

// Pattern is the signature pattern of what is monitored, "" when that is the
// target's own method, or the agent's choice. How many records a call makes is
// not known with it.
func (c *Cell) Pattern() string {
	if p := c.Parameter(patternParameter); p != OwnMethod && p != AgentsChoice {
		return p
	}
	return ""
}

// monitored are the placeholders that say what is monitored: signature and
// classes are those of the pattern; without one they are of the target's own
// method, and class and method are there too.
func (c *Cell) monitored() map[string]string {
	if p := c.Pattern(); p != "" {
		return map[string]string{"signature": p, "classes": classes(p)}
	}
	class := c.Launch.Target
	if class == "" {
		return map[string]string{}
	}
	return map[string]string{"class": class, "method": method, "signature": "public long " + class + "." + method + "(long, int)", "classes": class}
}

// classes is the part of a signature pattern that names classes, as a wildcard
// for agents that know no more: its * stands for dots as well, so that it may
// take in more than the pattern.
func classes(pattern string) string {
	name, _, _ := strings.Cut(pattern, "(")
	words := strings.Fields(name)
	if len(words) == 0 {
		return "*"
	}
	name = words[len(words)-1]
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i] // without the method
	}
	name = strings.TrimPrefix(strings.ReplaceAll(name, "..", ".*"), ".")
	return strings.ReplaceAll(name, "**", "*")
}

// patterned checks that the variant can be told what to monitor, where a
// pattern says it.
func (b *builder) patterned(c *Cell, at []any) {
	pattern, v := c.Pattern(), c.Variant
	if pattern == "" {
		return
	}
	if v.Target != "" {
		b.fail(at, "take the variant or the pattern out", "%s is compiled into one method, of %s, and can't monitor pattern %q", v.Name, v.Target, pattern)
	}
	for _, name := range []string{"class", "method"} {
		if v.Uses(name) {
			b.fail(at, "take the variant or the pattern out", "%s is told what to monitor by {%s}, and pattern %q names no single one", v.Name, name, pattern)
			return
		}
	}
}
