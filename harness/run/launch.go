package run

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// lateAgent is loaded into the running JVM; without a jar there is none.
type lateAgent struct{ jar, options string }

// java is the JDK of a cell, or that of the campaign.
func (r *Runner) java(c plan.Cell) jvm.Java {
	if j, ok := r.Javas[c.JDK.Home]; ok {
		return j
	}
	return r.Java
}

// subject composes what an invocation starts: a fixture JVM when the cell names a
// fixture, else a plain process. Every placeholder is filled in, and the variant's files
// are written.
func (r *Runner) subject(inv plan.Invocation, dir string, ports map[string]string, cpus []int) (*subject, error) {
	c := &inv.Cell
	vars := r.vars(inv, dir, ports)
	for _, f := range c.Recipe.Files {
		text, err := framework.Expand(f.Template, vars)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", f.Name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(text), 0o666); err != nil {
			return nil, fmt.Errorf("writing the variant's file: %w", err)
		}
	}
	var err error // the first one
	expand := func(templates []string) (all []string) {
		if err == nil {
			all, err = framework.ExpandAll(templates, vars)
		}
		return all
	}
	args, classPath := expand(c.Recipe.Args), expand(c.Recipe.ClassPath)
	s := &subject{env: expand(c.Recipe.Env), command: jvm.Command{Dir: dir, CPUs: cpus}}
	if err != nil {
		return nil, err
	}
	cmd := &s.command
	switch name := c.Launch.Fixture; {
	case c.Program() != nil:
		if err := r.program(s, inv, args); err != nil {
			return nil, err
		}
	case name == "": // the plan has made sure that there is something to run
		cmd.Path, cmd.Args = c.Work.Run[0], c.Work.Run[1:]
	default:
		classPath = append([]string{r.Artifacts.jar(r.Fixtures, c.Variant, "kernel"), r.Artifacts.jar(r.Fixtures, c.Variant, name)}, classPath...)
		if s.late, err = expandAgent(c.Recipe.Attach, vars); err != nil {
			return nil, err
		}
		s.fixture = true
		cmd.Path, cmd.StartTimeout, cmd.Grace = r.java(inv.Cell).Path, c.Timeout, c.Timeout
		cmd.Args = slices.Concat(
			heapArgs(inv.Profile, c.JVMOptions(r.Args), c.Parameter(results.FactorGC)),
			[]string{"-Xlog:gc:file=gc.log", "-Xlog:redefine+class+load=info:file=" + redefineLog},
			c.Work.JVMArgs, args,
			[]string{"-cp", strings.Join(classPath, ":"), fixture.MainClass(name)},
		)
	}
	cmd.Env = append(slices.Clip(s.env), "MOOBENCH_PAD="+strings.Repeat("x", inv.EnvPad))
	if r.Host.Quiet != nil {
		cmd.Subject = r.Host.Quiet.Subject()
	}
	return s, nil
}

// vars are the placeholders of an invocation.
func (r *Runner) vars(inv plan.Invocation, dir string, ports map[string]string) map[string]string {
	vars := inv.Vars()
	vars["dir"] = dir
	maps.Copy(vars, ports)
	for alias, path := range r.Artifacts.paths[inv.Cell.Variant] {
		vars["jar."+alias] = path
	}
	for _, m := range r.Fixtures.Modules() {
		vars["fixture."+m] = r.Artifacts.jar(r.Fixtures, inv.Cell.Variant, m)
	}
	for _, f := range inv.Cell.Recipe.Files {
		vars["file."+f.Name] = filepath.Join(dir, f.Name)
	}
	return vars
}

// expandAgent fills in jar=options, split first: filled-in text may hold an = of its own.
func expandAgent(template string, vars map[string]string) (lateAgent, error) {
	jar, options, _ := strings.Cut(template, "=")
	both, err := framework.ExpandAll([]string{jar, options}, vars)
	if err != nil {
		return lateAgent{}, fmt.Errorf("attaching an agent: %w", err)
	}
	return lateAgent{jar: both[0], options: both[1]}, nil
}

// CommandLine is what a cell starts in the timing profile, with everything that is known
// only at the start of an invocation left in braces.
func CommandLine(c plan.Cell, user []string) []string {
	if c.Program() != nil {
		return c.CommandLine()
	}
	if c.Launch.Fixture == "" {
		return c.Work.Run
	}
	classPath := append([]string{framework.FixtureName("kernel"), framework.FixtureName(c.Launch.Fixture)}, c.Recipe.ClassPath...)
	return slices.Concat(
		[]string{"java"}, heapArgs(results.ProfileTiming, c.JVMOptions(user), c.Parameter(results.FactorGC)), c.Recipe.Args,
		[]string{"-cp", strings.Join(classPath, ":"), fixture.MainClass(c.Launch.Fixture)},
	)
}
