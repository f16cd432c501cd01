package plan

import (
	"fmt"
	"slices"

	"moobench/harness/config"
	"moobench/harness/framework"
)

// jars adds the artifacts of the user's own program to those of the cell's
// variant, which are found or fetched together, and checks that there is one for
// each {jar.name} of the program. Cells of [command] and [server] may be of one
// variant, so that these may not have a name in common.
func (b *builder) jars(section string, p config.Program, c *Cell) {
	all, wrong := framework.Jars(p.Artifacts)
	for _, e := range wrong {
		b.tell(e)
	}
	for _, a := range all {
		in := func(o framework.Artifact) bool { return o.Name == a.Name }
		if slices.ContainsFunc(c.Variant.Artifacts, in) {
			b.fail([]any{section, "artifact", a.Name}, "give it another name", "%s has an artifact %q as well", c.Variant.Name, a.Name)
		}
		if f := b.file; section == ServerSection && f.Command != nil && f.Command.Artifacts.Has(a.Name) {
			b.fail([]any{section, "artifact", a.Name}, "give it another name", "[command] has an artifact %q as well", a.Name)
		}
	}
	for _, name := range p.Jars() {
		if !p.Artifacts.Has(name) {
			b.fail([]any{section, "run"}, fmt.Sprintf("add [%s.artifact] with %s = { maven = …, sha256 = … }", section, name), "there is no artifact for {%s%s}", config.JarPlaceholder, name)
		}
	}
	c.Variant.Artifacts = append(slices.Clone(c.Variant.Artifacts), all...)
	c.Launch.Artifacts = c.Variant.Launch().Artifacts
}
