package report

import (
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// runsMost is how many invocations of a scenario are listed: of more, the first
// of each cell, until runsFew of them.
const runsMost, runsFew = 600, 240

// commands are the command lines of all variants.
func commands(a *analysis.Answers) *doc.Section {
	sec := &doc.Section{ID: "commands", Title: "Command lines", About: "Each variant was started as below. Words that differ between its invocations are marked, and each invocation’s own are in its row, in the same order.", Depth: doc.Paged}
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		all, more := commandLines(a, s)
		for _, l := range all {
			sec.Add(l)
		}
		if more > 0 {
			sec.Add(doc.Paragraph{Tone: doc.Warning, Text: strconv.Itoa(more) + " more invocations of " + s.Label + " are not listed: moobench report DIR --format json has all command lines."})
		}
	}
	return sec
}

// commandGroup are the invocations of a variant whose command lines differ in single
// words only: of as many words, and with the same artifacts.
type commandGroup struct {
	variant string
	launch  results.Launch
	first   []string // words of the first invocation
	differs []bool   // which of them
	runs    []commandRun
	n       int // of all invocations, those too that are not listed
}

// commandRun is one invocation of a cell.
type commandRun struct {
	inv   analysis.Invocation
	cell  *analysis.Cell
	words []string
}

// commandLines groups the invocations of a scenario, and says how many are not
// listed.
func commandLines(a *analysis.Answers, s *analysis.Scenario) (all []*doc.Listing, more int) {
	cells := map[string]*analysis.Cell{}
	for i := range s.Cells {
		cells[s.Cells[i].ID] = &s.Cells[i]
	}
	own := slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool { return cells[inv.Cell] == nil })
	var groups []*commandGroup
	listed, seen := 0, map[string]bool{}
	for _, inv := range own {
		c, words := cells[inv.Cell], wordsOf(inv)
		at := slices.IndexFunc(groups, func(g *commandGroup) bool {
			return g.variant == c.Variant && len(g.first) == len(words) && slices.Equal(g.launch.Artifacts, c.Launch.Artifacts)
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, &commandGroup{variant: c.Variant, launch: c.Launch, first: words, differs: make([]bool, len(words))})
		}
		g := groups[at]
		g.n++
		if len(own) > runsMost && (seen[inv.Cell] || listed >= runsFew) {
			continue
		}
		seen[inv.Cell] = true
		listed++
		for i, w := range words {
			g.differs[i] = g.differs[i] || w != g.first[i]
		}
		g.runs = append(g.runs, commandRun{inv, c, words})
	}
	place := func(g *commandGroup) int {
		return slices.IndexFunc(s.Cells, func(c analysis.Cell) bool { return c.Variant == g.variant })
	}
	slices.SortStableFunc(groups, func(a, b *commandGroup) int { return place(a) - place(b) })
	for _, g := range groups {
		if len(g.runs) > 0 {
			all = append(all, g.listing(s))
		}
	}
	return all, len(own) - listed
}

// listing is the first command line, and each invocation's own words.
func (g *commandGroup) listing(s *analysis.Scenario) *doc.Listing {
	n := figure.Plural(g.n, "invocation", "invocations") + when(len(g.runs) < g.n, ", "+figure.Count(int64(len(g.runs)))+" of them listed")
	l := &doc.Listing{Title: g.variant, About: s.Label + " · " + n}
	for _, x := range g.launch.Artifacts {
		l.Notes = append(l.Notes, join(x.Name, x.SHA256))
	}
	l.Notes = append(l.Notes, nonEmpty( // of a JVM that runs already
		prefixed("then attached: ", g.launch.Attach), prefixed("then activated: ", g.launch.Activate), prefixed("then deactivated: ", g.launch.Deactivate))...)
	for i, w := range g.runs[0].words {
		l.Words = append(l.Words, doc.Word{Text: w, Marked: g.differs[i]})
	}
	l.Runs = &doc.Table{Runs: true, Legend: []string{"invocations of " + g.variant}, Columns: []doc.Column{{Head: "invocation"}, {Head: "level"}, {Head: "how it ran"}, {Head: "in place of the marked words"}}}
	for _, r := range g.runs {
		inv := r.inv
		how := strings.Join(nonEmpty(string(inv.Profile), string(inv.Status), prefixed("CPUs ", inv.CPUs), prefixed("exit ", inv.Exit), settingsText(inv.Settings),
			when(inv.Invalid != "", "void"),
			when(inv.Disturbed != nil, "disturbed"+prefixed(", repeated as ", inv.RepeatedBy)),
			when(inv.EnvPad > 0, figure.Plural(inv.EnvPad, "byte of padding", "bytes of padding"))), " · ")
		row := doc.Row{Cells: doc.Texts(r.inv.ID, join(when(r.cell.Role == results.RoleAA, "A/A"), r.cell.Level), how, "")}
		for i, w := range r.words {
			if g.differs[i] {
				row.Cells[3].Codes = append(row.Cells[3].Codes, w)
			}
		}
		l.Runs.Rows = append(l.Runs.Rows, row)
	}
	return l
}

// wordsOf is a command line with its environment, each word as a shell reads it.
func wordsOf(inv analysis.Invocation) []string {
	var words []string
	if len(inv.Command) > 0 {
		for _, e := range inv.Env { // the name of a variable must not be quoted
			name, value, _ := strings.Cut(e, "=")
			words = append(words, name+"="+shellWord(value))
		}
	}
	for _, w := range inv.Command {
		words = append(words, shellWord(w))
	}
	return words
}

// shellWord writes a word so that it can be copied into a shell.
func shellWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>(){}[]*?!#~\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
