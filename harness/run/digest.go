package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

// PairDigest hashes everything that runs in the JVMs of a cell and its baseline: file contents, options,
// environment and parameters, but no paths of this machine, numbers of calls or Java versions. digest returns a
// file's digest.
func (r *Runner) PairDigest(cell, baseline *plan.Cell, digest func(path string) (string, error)) (string, error) {
	sum := sha256.New()
	for _, c := range []*plan.Cell{baseline, cell} {
		if err := r.describe(sum, c, digest); err != nil {
			return "", fmt.Errorf("looking at what runs in %s: %w", c.Label(), err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// describe writes a description of everything that runs in the JVMs of a cell.
func (r *Runner) describe(w io.Writer, c *plan.Cell, digest func(path string) (string, error)) error {
	recipe := &c.Recipe
	fmt.Fprintf(w, "command %q\n", CommandLine(*c, r.Args))
	fmt.Fprintf(w, "work %q\n", c.Work.JVMArgs)
	fmt.Fprintf(w, "env %q\n", recipe.Env)
	fmt.Fprintf(w, "files %q\n", recipe.Files)
	fmt.Fprintf(w, "changes %q\n", []string{recipe.Attach, recipe.Activate, recipe.Deactivate})
	for _, p := range c.Parameters {
		if p.Name != "calls" && p.Name != results.FactorJDK {
			fmt.Fprintf(w, "%s %q\n", p.Name, p.Value)
		}
	}
	placement, err := r.placement(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "on %d CPUs\n", len(placement.Fixture))
	for _, a := range recipe.Artifacts {
		fmt.Fprintf(w, "jar %q %s\n", a.Name, a.SHA256)
	}
	modules := append(recipe.Modules(), "kernel", c.Launch.Fixture)
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		content, err := digest(r.Artifacts.jar(r.Fixtures, c.Variant, m))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s %s\n", framework.FixtureName(m), content)
	}
	for _, a := range c.Launch.Artifacts {
		if a.Name == framework.PreparedName {
			fmt.Fprintf(w, "%s %s\n", a.Name, a.SHA256)
		}
	}
	return nil
}
