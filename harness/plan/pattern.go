package plan

import "strings"

// OwnMethod is the value of a pattern that stands for the target's own method.
const OwnMethod = "target"

// AgentsChoice is the value of a pattern that leaves what is monitored to the
// agent: the user's own program has no target.
const AgentsChoice = "agent"

// Signature is the signature pattern that a pattern says, "" when that is the
// target's own method, or the agent's choice.
func Signature(pattern string) string {
	if pattern == OwnMethod || pattern == AgentsChoice {
		return ""
	}
	return pattern
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
	pattern, v := c.Work.Pattern, c.Recipe
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
