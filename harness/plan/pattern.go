package plan

import (
	"strings"

	"moobench/results/names"
)

// OwnMethod is the pattern that stands for the target's own method.
const OwnMethod = "target"

// AgentsChoice is the pattern that leaves what is monitored to the agent: the user's own
// program has no target.
const AgentsChoice = "agent"

// Signature is the signature pattern of a pattern, "" for the target's own method and the
// agent's choice.
func Signature(text string) string {
	if text == OwnMethod || text == AgentsChoice {
		return ""
	}
	return text
}

// classes is the part of a signature pattern that names classes, as a wildcard for agents
// that know no more: its * matches dots as well, so it may match more than the pattern.
func classes(text string) string {
	name, _, _ := strings.Cut(text, "(")
	words := strings.Fields(name)
	if len(words) == 0 {
		return "*"
	}
	name = words[len(words)-1]
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i] // without the method
	}
	name = strings.TrimPrefix(strings.ReplaceAll(name, "..", ".*"), ".")
	return names.Readable(strings.ReplaceAll(name, "**", "*"))
}
