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

// commands say how to measure the same again: where it comes from, and the command lines of
// all variants.
func commands(a *analysis.Answers) *doc.Section {
	sec := &doc.Section{ID: "commands", Title: "Reproduce", About: "Each variant was started as below. Words that differ between its invocations are marked, and each invocation’s own are in its row, in the same order.", Depth: doc.Paged, Blocks: []doc.Block{facts(provenance(a))}}
	for _, s := range a.Scenarios {
		all, more := commandLines(a, &s)
		sec.Add(each(all, func(l *doc.Listing) doc.Block { return l })...)
		left := when(more > 0, strconv.Itoa(more)+" more invocations of "+s.Label+" are not listed: moobench report DIR --format json has all command lines.")
		sec.Add(doc.Paragraph{Tone: doc.Warning, Text: left})
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
	runs    []analysis.Invocation
	n       int // of all invocations, those too that are not listed
}

// commandLines groups the invocations of a scenario, and says how many are not
// listed.
func commandLines(a *analysis.Answers, s *analysis.Scenario) (all []*doc.Listing, more int) {
	own := slices.DeleteFunc(slices.Clone(a.Invocations), func(inv analysis.Invocation) bool { return s.Cell(inv.Cell) == nil })
	var groups []commandGroup
	listed, seen := 0, map[string]bool{}
	for _, inv := range own {
		c, words := s.Cell(inv.Cell), wordsOf(inv)
		fresh := commandGroup{variant: c.Variant, launch: c.Launch, first: words, differs: make([]bool, len(words))}
		g := findOrAdd(&groups, fresh, func(g commandGroup) bool {
			return g.variant == c.Variant && len(g.first) == len(words) && slices.Equal(g.launch.Artifacts, c.Launch.Artifacts)
		})
		g.n++
		if len(own) > runsMost && (seen[inv.Cell] || listed >= runsFew) {
			continue
		}
		seen[inv.Cell] = true
		listed++
		for i, w := range words {
			g.differs[i] = g.differs[i] || w != g.first[i]
		}
		g.runs = append(g.runs, inv)
	}
	place := func(g commandGroup) int {
		return slices.IndexFunc(s.Cells, func(c analysis.Cell) bool { return c.Variant == g.variant })
	}
	slices.SortStableFunc(groups, func(a, b commandGroup) int { return place(a) - place(b) })
	for _, g := range groups {
		if len(g.runs) > 0 {
			all = append(all, g.listing(s))
		}
	}
	return all, len(own) - listed
}

// listing is the first command line, and each invocation's own words.
func (g commandGroup) listing(s *analysis.Scenario) *doc.Listing {
	n := figure.Plural(g.n, "invocation", "invocations") + when(len(g.runs) < g.n, ", "+figure.Count(int64(len(g.runs)))+" of them listed")
	l := &doc.Listing{Title: g.variant, About: s.Label + " · " + n}
	artifacts := each(g.launch.Artifacts, func(x results.Artifact) string { return join(x.Name, x.SHA256) })
	l.Notes = append(artifacts, nonEmpty( // of a JVM that runs already
		prefixed("then attached: ", g.launch.Attach), prefixed("then activated: ", g.launch.Activate), prefixed("then deactivated: ", g.launch.Deactivate))...)
	for i, w := range wordsOf(g.runs[0]) {
		l.Words = append(l.Words, doc.Word{Text: w, Marked: g.differs[i]})
	}
	l.Runs = &doc.Table{Runs: true, Legend: []string{"invocations of " + g.variant}, Columns: textColumns("invocation", "level", "how it ran", "in place of the marked words")}
	for _, inv := range g.runs {
		how := strings.Join(nonEmpty(string(inv.Profile), string(inv.Status), prefixed("CPUs ", inv.CPUs), prefixed("exit ", inv.Exit), settingsText(inv.Settings),
			when(inv.Invalid != "", "invalid"),
			when(inv.Disturbed != nil, "disturbed"+prefixed(", repeated as ", inv.RepeatedBy)),
			when(inv.EnvPad > 0, figure.Plural(inv.EnvPad, "byte of padding", "bytes of padding"))), " · ")
		c := s.Cell(inv.Cell)
		row := doc.Row{Cells: doc.Texts(inv.ID, join(when(c.Role == results.RoleAA, "A/A"), c.Level), how, "")}
		for i, w := range wordsOf(inv) {
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
	if len(inv.Command) == 0 {
		return nil
	}
	set := each(inv.Env, func(variable string) string {
		name, value, _ := strings.Cut(variable, "=") // the name must not be quoted
		return name + "=" + shellWord(value)
	})
	return append(set, each(inv.Command, shellWord)...)
}

// shellWord writes a word so that it can be copied into a shell.
func shellWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>(){}[]*?!#~\\") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
