package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// changed are the differences that comparisons are made for, or that do not
// forbid one: versions, what the variants are made of, how many blocks there
// were, and how the machine stood.
func (t *table) changed() []Difference {
	l := &lines{}
	if !differ(t.each(majorVersion)) {
		l.add("moobench", "", t.each(version))
	}
	l.add("blocks", "", t.each(func(a *analysis.Answers) string { return fmt.Sprint(a.Campaign.Blocks) }))
	for _, name := range t.settings() {
		l.add(name+" of the machine", "", t.each(func(a *analysis.Answers) string { return a.Settings[name] }))
	}
	l.add("kernel", "", t.each(kernels))
	for _, s := range t.sections {
		for _, m := range s.cells {
			m.changed(l)
		}
	}
	return l.settled(t.cells())
}

// settings are the names of the knobs that any campaign read back.
func (t *table) settings() []string {
	names := map[string]bool{}
	for _, c := range t.columns {
		for name := range c.answers.Settings {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

func kernels(a *analysis.Answers) string {
	var all []string
	for _, m := range a.Machines {
		all = with(all, m.Kernel)
	}
	return strings.Join(all, ", ")
}

// changed is how the variant of a cell gets into its JVM.
func (m matched) changed(l *lines) {
	each := func(value func(results.Launch) string) []string {
		values := make([]string, len(m.sides))
		for i, s := range m.sides {
			if s.cell != nil {
				values[i] = orNone(value(s.cell.Launch))
			}
		}
		return values
	}
	l.add("artifacts", m.label, each(artifacts))
	l.add("arguments", m.label, each(func(x results.Launch) string { return strings.Join(x.JVMArgs, " ") }))
	l.add("environment", m.label, each(func(x results.Launch) string { return strings.Join(x.Env, " ") }))
	l.add("swaps", m.label, each(func(x results.Launch) string {
		return strings.TrimSpace(strings.Join([]string{x.Attach, x.Activate, x.Deactivate}, " "))
	}))
}

// artifacts are the files that went into a JVM, with the beginning of their
// checksums.
func artifacts(l results.Launch) string {
	var all []string
	for _, a := range l.Artifacts {
		text := a.Name
		if a.SHA256 != "" {
			text += " " + a.SHA256[:min(8, len(a.SHA256))]
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
