package framework

import (
	"slices"
	"strings"

	"moobench/harness/strict"
)

// Prepared is the placeholder of the folder that a variant's Prepare has made.
const Prepared = "prepared"

// PreparedName is the name among artifacts of that folder.
const PreparedName = "{" + Prepared + "}"

// Prepare is what a tool does to classes before a JVM is started with them: what is woven at
// build time. Of and Run may hold {java}, {class}, {jar.NAME} and {fixture.MODULE}.
type Prepare struct {
	Of  string   // jar, or folder, whose content is copied; "": nothing is prepared
	Run []string // program and its arguments; it is run in the copy
	// Holds are constants that the target's class file must hold afterwards, as its constant
	// pool has them. A tool that has done nothing may well say that all is well.
	Holds []string
}

// templates are those that may hold placeholders.
func (p Prepare) templates() []string { return append([]string{p.Of}, p.Run...) }

// Uses reports whether what is run, or on what, holds a placeholder, named without its braces.
func (p Prepare) Uses(placeholder string) bool {
	return slices.Contains(tokensOf(p.templates()), "{"+placeholder+"}")
}

// prepareTable describes what a layer says of it.
func (r *reader) prepareTable(d *draft, p *Prepare) strict.Table {
	return strict.NewTable("What a tool does to classes before any JVM is started with them, for the variants that use {prepared}: that is the folder that it has worked on. "+
		"It is kept, and used again while classes and tool are the same.",
		strict.NewKey("of", strict.Func("string", &p.Of, noted(&d.preparing, r.rooted)),
			"jar, or folder, of which it gets a copy").Like("{fixture.bridge-pfl}"),
		strict.NewKey("run", strict.Strings(&p.Run, noted(&d.preparing, strict.Value.NotEmpty)),
			"program and its arguments: it is run in the copy, which it changes. They may hold {java}, {class}, {jar.NAME} and {fixture.MODULE}").
			Like([]string{"{java}", "-jar", "{jar.weaver}", "."}),
		strict.NewKey("holds", strict.Strings(&p.Holds, strict.Value.NotEmpty),
			"constants that the class file of the target must hold afterwards, such as the descriptor of an annotation; whatever they are, it must be another file than before").
			Like([]string{"Lcom/acme/Woven;"}),
	).Checked(func(v strict.Value) {
		if p.Of == "" || len(p.Run) == 0 {
			v.Fail("", "prepare needs both of and run")
		}
	})
}

// checkPrepare reports what can't be filled in before an invocation begins, and leaves out a
// folder that the variant does not use.
func (d *draft) checkPrepare(vars map[string]string) {
	if len(d.preparing) == 0 {
		return
	}
	known := map[string]string{"java": "", "class": ""}
	for name := range vars {
		if strings.HasPrefix(name, "jar.") || strings.HasPrefix(name, "fixture.") {
			known[name] = ""
		}
	}
	for _, t := range d.preparing {
		if _, err := Expand(t.Raw.(string), known); err != nil {
			t.Fail("nothing of an invocation is known when classes are prepared", "%v", err)
		}
	}
	if !d.Uses(Prepared) { // such as the mode without anything, beside those that are prepared
		d.Prepare = Prepare{}
	}
}
