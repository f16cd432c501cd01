package framework

import (
	"slices"
	"strings"

	"moobench/harness/strict"
)

// Prepared is the placeholder of the folder that a variant's Prepare produces.
const Prepared = "prepared"

// PreparedName is the artifact name of that folder.
const PreparedName = "{" + Prepared + "}"

// Prepare describes how a tool processes classes before a JVM starts with them, such as weaving
// at build time. Of and Run may hold {java}, {class}, {jar.NAME} and {fixture.MODULE}.
type Prepare struct {
	Of  string   // jar or folder to copy; "": nothing is prepared
	Run []string // program and its arguments, run in the copy
	// Holds are strings that the constant pool of the target's class file must contain
	// afterwards. A tool that did nothing may still report success.
	Holds []string
}

// templates returns the strings that may hold placeholders.
func (p Prepare) templates() []string { return append([]string{p.Of}, p.Run...) }

// Uses reports whether Of or Run holds a placeholder, given without its braces.
func (p Prepare) Uses(placeholder string) bool {
	return slices.Contains(tokensOf(p.templates()), "{"+placeholder+"}")
}

// prepareTable describes the key prepare of a layer.
func (r *reader) prepareTable(d *draft, p *Prepare) strict.Table {
	return strict.NewTable("What a tool does to classes before any JVM is started with them, "+
		"for the variants that use {prepared}: that is the folder that it has worked on. "+
		"It is kept, and used again while classes and tool are the same.",
		strict.NewKey("of", strict.Func("string", &p.Of, noted(&d.preparing, r.rooted)),
			"jar, or folder, of which it gets a copy").Like("{fixture.bridge-pfl}"),
		strict.NewKey("run", strict.Strings(&p.Run, noted(&d.preparing, strict.Value.NotEmpty)),
			"program and its arguments: it is run in the copy, which it changes. They may hold {java}, {class}, "+
				"{jar.NAME} and {fixture.MODULE}").
			Like([]string{"{java}", "-jar", "{jar.weaver}", "."}),
		strict.NewKey("holds", strict.Strings(&p.Holds, strict.Value.NotEmpty),
			"constants that the class file of the target must hold afterwards, "+
				"such as the descriptor of an annotation; whatever they are, it must be another file than before").
			Like([]string{"Lcom/acme/Woven;"}),
	).Checked(func(v strict.Value) {
		if p.Of == "" || len(p.Run) == 0 {
			v.Fail("", "prepare needs both of and run")
		}
	})
}

// checkPrepare reports placeholders that cannot be filled in before an invocation begins. It
// clears Prepare if the variant does not use the folder.
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
	if !d.Uses(Prepared) { // such as the mode without probes, next to modes with prepared classes
		d.Prepare = Prepare{}
	}
}
