package analysis

import (
	"testing"

	"moobench/analysis/chapter"
	"moobench/results"
)

// TestScenarioIsNoChapter: Scenario embeds values of chapters, for their keys in the JSON. Two of them hide each
// other's methods; one alone would make the scenario a chapter that shows it in place of all.
func TestScenarioIsNoChapter(t *testing.T) {
	if _, is := any(&Scenario{}).(chapter.Value); is {
		t.Error("a scenario is a chapter: give the embedded value a type without methods, or a field of its own")
	}
}

// TestChaptersHaveNames: the name is the key of the JSON, and by which a report places a chapter.
func TestChaptersHaveNames(t *testing.T) {
	names := results.Each(Chapters(), func(c Chapter) string { return c.Name })
	seen := map[string]bool{"": true}
	for _, name := range names {
		if seen[name] {
			t.Errorf("%q stands twice in the table of chapters, or is empty: %q", name, names)
		}
		seen[name] = true
	}
}
