package report

import (
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// runsMost is how many invocations of a scenario are listed: of more, the first
// of each cell, until runsFew of them.
const runsMost, runsFew = 600, 240

// commandGroup are the invocations of a variant with command lines that differ in
// single words only: one command line, and the words of each invocation.
type commandGroup struct {
	Variant   string
	Count     string // of the invocations, in words
	Artifacts []results.Artifact
	Words     []commandWord // of the first invocation
	Runs      []commandRun
	Swaps     []string // what is done to the running JVM before it is measured
	Differ    bool     // some words do
	first     []string
	differs   []bool
	n         int
}

// commandWord is a word of a command line, as a shell reads it. One that differs
// between invocations is replaced by each one's own.
type commandWord struct {
	Text    string
	Differs bool
}

// commandRun is one invocation.
type commandRun struct {
	ID, Cell, How string
	Words         []string // in place of those that differ
	words         []string
}

// newCommands groups the invocations of a scenario, and says how many are not
// listed.
func newCommands(a *analysis.Answers, s *analysis.Scenario) (groups []*commandGroup, more int) {
	of := map[string]*analysis.Cell{}
	for i := range s.Cells {
		of[s.Cells[i].ID] = &s.Cells[i]
	}
	total, listed, seen := 0, 0, map[string]bool{}
	for _, inv := range a.Invocations {
		if of[inv.Cell] != nil {
			total++
		}
	}
	for _, inv := range a.Invocations {
		c := of[inv.Cell]
		if c == nil {
			continue
		}
		g := groupOf(&groups, c, inv)
		g.n++
		if total > runsMost && (seen[inv.Cell] || listed >= runsFew) {
			continue
		}
		seen[inv.Cell] = true
		listed++
		g.add(c, inv)
	}
	for _, g := range groups {
		g.settle()
	}
	groups = slices.DeleteFunc(groups, func(g *commandGroup) bool { return len(g.Runs) == 0 })
	slices.SortStableFunc(groups, func(a, b *commandGroup) int { return variantAt(s, a.Variant) - variantAt(s, b.Variant) })
	return groups, total - listed
}

// variantAt is where the first cell of a variant stands.
func variantAt(s *analysis.Scenario, variant string) int {
	return slices.IndexFunc(s.Cells, func(c analysis.Cell) bool { return c.Variant == variant })
}

// groupOf is the group of a command line: of the same variant, with as many
// words, and with the same artifacts.
func groupOf(groups *[]*commandGroup, c *analysis.Cell, inv analysis.Invocation) *commandGroup {
	words := wordsOf(inv)
	for _, g := range *groups {
		if g.Variant == c.Variant && len(g.first) == len(words) && slices.Equal(g.Artifacts, c.Launch.Artifacts) {
			return g
		}
	}
	g := &commandGroup{Variant: c.Variant, Artifacts: c.Launch.Artifacts, first: words, differs: make([]bool, len(words)), Swaps: swapsOf(c.Launch)}
	*groups = append(*groups, g)
	return g
}

// wordsOf is a command line with its environment, each word as a shell reads it.
func wordsOf(inv analysis.Invocation) []string {
	if len(inv.Command) == 0 {
		return nil
	}
	var words []string
	for _, e := range inv.Env { // the name of a variable must not be quoted
		name, value, _ := strings.Cut(e, "=")
		words = append(words, name+"="+shellWord(value))
	}
	for _, w := range inv.Command {
		words = append(words, shellWord(w))
	}
	return words
}

// swapsOf is what is done to a JVM that runs already.
func swapsOf(l results.Launch) (all []string) {
	for _, s := range []struct{ what, text string }{{"then attached", l.Attach}, {"then activated", l.Activate}, {"then deactivated", l.Deactivate}} {
		if s.text != "" {
			all = append(all, s.what+": "+s.text)
		}
	}
	return all
}

// add lists an invocation.
func (g *commandGroup) add(c *analysis.Cell, inv analysis.Invocation) {
	r := commandRun{ID: inv.ID, Cell: c.Level, How: howItRan(inv), words: wordsOf(inv)}
	if c.Role == results.RoleAA {
		r.Cell = strings.TrimSpace("A/A " + r.Cell)
	}
	for i, w := range r.words {
		g.differs[i] = g.differs[i] || w != g.first[i]
	}
	g.Runs = append(g.Runs, r)
}

// settle finds the words that differ, once all invocations are known.
func (g *commandGroup) settle() {
	if len(g.Runs) > 0 {
		g.first = g.Runs[0].words
	}
	for i, w := range g.first {
		g.Words = append(g.Words, commandWord{w, g.differs[i]})
		g.Differ = g.Differ || g.differs[i]
	}
	for k := range g.Runs {
		for i, w := range g.Runs[k].words {
			if g.differs[i] {
				g.Runs[k].Words = append(g.Runs[k].Words, w)
			}
		}
	}
	g.Count = figure.Plural(g.n, "invocation", "invocations")
	if len(g.Runs) < g.n {
		g.Count += ", " + figure.Count(int64(len(g.Runs))) + " of them listed"
	}
}

// howItRan is timing · ok · CPUs 2-3 · exit 0.
func howItRan(inv analysis.Invocation) string {
	parts := []string{string(inv.Profile), string(inv.Status)}
	if inv.CPUs != "" {
		parts = append(parts, "CPUs "+inv.CPUs)
	}
	if inv.Exit != "" {
		parts = append(parts, "exit "+inv.Exit)
	}
	if len(inv.Settings) > 0 {
		parts = append(parts, settingsText(inv.Settings))
	}
	if inv.Void != "" {
		parts = append(parts, "void")
	}
	if inv.Disturbed != nil && inv.RepeatedBy != "" {
		parts = append(parts, "disturbed, repeated as "+inv.RepeatedBy)
	} else if inv.Disturbed != nil {
		parts = append(parts, "disturbed")
	}
	if inv.EnvPad > 0 {
		parts = append(parts, figure.Plural(inv.EnvPad, "byte of padding", "bytes of padding"))
	}
	return strings.Join(parts, " · ")
}

// shellWord writes a word so that it can be copied into a shell.
func shellWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>(){}[]*?!#~\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
