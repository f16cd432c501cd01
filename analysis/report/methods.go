package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/results"
)

// writeMethods prints how a campaign was measured and analysed, as text for a paper in the language of escape.
func writeMethods(escape func(string) string) func(io.Writer, *analysis.Answers, Options) error {
	return func(w io.Writer, a *analysis.Answers, _ Options) error {
		_, err := fmt.Fprintln(w, strings.Join(each(methods(a), escape), "\n\n"))
		return err
	}
}

// methods are the paragraphs: the setup, the work done, the design and the statistics, and the caveats of all
// numbers.
func methods(a *analysis.Answers) []string {
	c := a.Campaign
	sentences := func(all ...string) string {
		ended := each(prose.NonEmpty(all...), func(s string) string { return strings.TrimSuffix(s, ".") + "." })
		return strings.Join(ended, " ")
	}
	var libraries []string
	for _, s := range a.Scenarios {
		for _, cell := range s.Cells {
			libraries = append(libraries, each(cell.Launch.Artifacts, artifact)...)
		}
	}
	machines := machineLines(a, ", ")
	profile := ""
	if c.Control != nil {
		profile = "The machine profile was " + c.Control.Profile
	}
	ordered, moobench := !c.Design.Imported(), join("moobench", c.Versions["moobench"])
	with := "We measured with " + moobench
	if !ordered {
		with = "We measured with " + c.Source + " and analysed with " + moobench
	}
	all := []string{sentences(
		with+", "+c.Created.UTC().Format("2006-01-02")+
			prefixed(", on ", strings.Join(machines, "; "))+prefixed(", with ", strings.Join(jdks(c.Runtimes), ", ")),
		profile,
		textIf(ordered, "The campaign "+c.Name+" has "+figure.Plural(c.Blocks, "block", "blocks")+
			prefixed("; the hash of its plan is ", c.PlanHash)),
		prefixed("Libraries and agents: ", strings.Join(prose.Unique(prose.NonEmpty(libraries...)), ", ")),
	)}
	for i := range a.Scenarios {
		b := newBuilder(a, &a.Scenarios[i], "", false)
		remarks := strings.Join(b.remarks(), "; ")
		all = append(all, sentences(b.compares(), prefixed("Window: ", b.s.Window), prefixed("Remarks: ", remarks)))
	}
	all = append(all, designText(a))
	all = append(all, each(a.Scenarios, func(s analysis.Scenario) string { return speedText(&s) })...)
	return prose.NonEmpty(append(all, statisticsText, sentences(headTexts(a)...))...)
}

// artifact names a file that went into JVMs: by its coordinates, or by name and hash; "" for moobench's own.
func artifact(f results.Artifact) string {
	switch {
	case strings.HasPrefix(f.Name, "{"):
		return ""
	case strings.Contains(f.Name, ":") || f.SHA256 == "":
		return f.Name
	}
	return f.Name + " (SHA-256 " + f.SHA256 + ")"
}

// compares says what was done to which cells, and how often.
func (b *builder) compares() string {
	cells := cellsOf(b.s, func(c *analysis.Cell) bool { return c.Role != results.RoleAA })
	if len(cells) == 0 {
		return ""
	}
	n := each(cells, func(c *analysis.Cell) int { return c.OK })
	least, most := slices.Min(n), slices.Max(n)
	labels := each(cells, func(c *analysis.Cell) string { return c.Label })
	return "Scenario " + b.s.Label + " (" + describe(b.s) + ") compares " + named(labels, ", ") + "; of each, n = " +
		strconv.Itoa(least) + textIf(least != most, " to "+strconv.Itoa(most)) + " " + runs(b.s)
}
