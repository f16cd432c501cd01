package plan

import (
	"strings"

	"moobench/results/names"
)

// OwnMethod is the pattern that selects the target's own method.
const OwnMethod = "target"

// AgentsChoice is the pattern that lets the agent choose the monitored methods: a user's
// program has no target.
const AgentsChoice = "agent"

// Signature returns the signature pattern of a pattern; "" for OwnMethod and AgentsChoice.
func Signature(text string) string {
	if text == OwnMethod || text == AgentsChoice {
		return ""
	}
	return text
}

// classes returns the class part of a signature pattern as a wildcard, for agents that support
// nothing more precise. Its * matches dots as well, so it may match more than the pattern.
func classes(text string) string {
	name, _, _ := strings.Cut(text, "(")
	words := strings.Fields(name)
	if len(words) == 0 {
		return "*"
	}
	name = words[len(words)-1]
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i] // drop the method
	}
	name = strings.TrimPrefix(strings.ReplaceAll(name, "..", ".*"), ".")
	return names.Readable(strings.ReplaceAll(name, "**", "*"))
}
