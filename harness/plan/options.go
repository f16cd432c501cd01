package plan

import (
	"regexp"
	"slices"
	"strings"

	"moobench/harness/config"
	"moobench/results"
)

// Options that size the heap or choose its collector. In the timing profile the harness sets both.
var (
	heapOption = regexp.MustCompile(`^-(Xm[sxn]|XX:[+-]Use[A-Za-z0-9]*GC$|` +
		`XX:(Min|Max|Initial)?(Heap|New|RAM)[A-Za-z]*=|XX:Max(New)?Size=|XX:[+-]AlwaysPreTouch)`)
	collectorOption = regexp.MustCompile(`^-XX:[+-]Use[A-Za-z0-9]*GC$`)
)

// SizesHeap reports whether a JVM option sizes the heap or chooses the collector.
func SizesHeap(option string) bool { return heapOption.MatchString(option) }

// ChoosesCollector reports whether a JVM option chooses the collector.
func ChoosesCollector(option string) bool { return collectorOption.MatchString(option) }

// optionRefusal is a kind of option that the factor jvm rejects, because the harness sets it
// itself or relies on the opposite.
type optionRefusal struct {
	matches   *regexp.Regexp
	why, hint string
}

// refusals are checked in this order.
var refusals = []optionRefusal{
	{
		regexp.MustCompile(`^-(javaagent|agentlib|agentpath):|^-Xrun`),
		"brings in an agent, and that is what variants are for",
		"write a [framework.x] with it, and name that in variants",
	},
	{
		regexp.MustCompile(`^(-cp|-classpath|--class-path(=.*)?|-jar|-m|--module(=.*)?|-p|--module-path(=.*)?)$`),
		"replaces the program: class path and main class are the fixture's",
		"take it out",
	},
	{
		regexp.MustCompile(`^@|^-XX:(Flags|VMOptionsFile)=`),
		"hides its options in a file, and a campaign records them",
		"write the options themselves",
	},
	{
		collectorOption,
		"chooses the collector, and there is a factor for that",
		`write gc = [ … ]`,
	},
	{
		heapOption,
		"sizes the heap, which is the same in all cells of the timing profile",
		"take it out; [jvm] args size that of the resources profile",
	},
	{
		regexp.MustCompile(`^-Dmoobench\.`),
		"is a property that the harness sets itself",
		"take it out",
	},
	{
		regexp.MustCompile(`^(-version|--version|-\?|-h|-help|--help|-X|--help-extra|` +
			`--list-modules|--dry-run|--validate-modules)$`),
		"ends the JVM before it has begun",
		"take it out",
	},
	{
		regexp.MustCompile(`^-XX:(\+DisableAttachMechanism|-UsePerfData|\+PerfDisableSharedMem)$`),
		"shuts the JVM off from the harness, which looks into it",
		"take it out",
	},
}

// valued lists the options of the java command that take their value as a separate word.
var valued = []string{
	"--add-exports", "--add-modules", "--add-opens", "--add-reads",
	"--enable-native-access", "--limit-modules", "--patch-module",
}

// checkOptions reports values of the factor jvm that a fixture's JVM cannot have.
func (b *builder) checkOptions(values []string, at []any) {
	for i, value := range values {
		words := optionsOf(value)
		for j, word := range words {
			place := at
			if len(values) > 1 {
				place = under(at, i)
			}
			if j > 0 && slices.Contains(valued, words[j-1]) {
				continue
			}
			matches := func(r optionRefusal) bool { return r.matches.MatchString(word) }
			if n := slices.IndexFunc(refusals, matches); n >= 0 {
				b.Fail(place, refusals[n].hint, "jvm: %q %s", word, refusals[n].why)
			} else if !strings.HasPrefix(word, "-") {
				b.Fail(place, "each begins with -", "jvm: %q is not an option of a JVM", word)
			}
		}
	}
}

// optionsOf splits a canonical value of the factor jvm into words.
func optionsOf(value string) []string {
	if value == results.NoOptions {
		return nil
	}
	words, _ := config.SplitOptions(value) // config has rejected values that do not parse
	return words
}
