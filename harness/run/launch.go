package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/results"
)

// command is what an invocation starts: the JVM's arguments, or a plain
// process's own.
type command struct {
	java      bool     // args are a JVM's
	work      string   // the working directory of the user's own program; "": it is none
	args, env []string // env is the variant's, without the padding
	artifacts []results.Artifact
	late      lateAgent
}

// lateAgent is loaded into the running JVM; no jar: none is.
type lateAgent struct{ jar, options string }

// command composes what is started, with every placeholder filled in.
func (r *Runner) command(inv plan.Invocation, dir string, ports map[string]string) (command, error) {
	vars := r.vars(inv, dir, ports)
	v := inv.Cell.Variant
	env, err := expand(v.Env, vars)
	if err != nil {
		return command{}, err
	}
	cmd := command{env: env, artifacts: inv.Cell.Launch.Artifacts}
	if err := writeFiles(v.Files, dir, vars); err != nil {
		return command{}, err
	}
	args, err := expand(v.Args, vars)
	if err != nil {
		return command{}, err
	}
	if inv.Cell.Program() != nil {
		return r.program(cmd, inv, dir, args)
	}
	if inv.Cell.Launch.Fixture == "" {
		cmd.args = strings.Fields(inv.Cell.Parameter("command"))
		if len(cmd.args) == 0 {
			return command{}, fmt.Errorf("%s has neither a fixture nor a command", inv.Cell.Label())
		}
		return cmd, nil
	}
	classPath, err := expand(v.ClassPath, vars)
	if err != nil {
		return command{}, err
	}
	name := inv.Cell.Launch.Fixture
	classPath = append([]string{r.Artifacts.jar(r.Fixtures, v.Name, "kernel"), r.Artifacts.jar(r.Fixtures, v.Name, name)}, classPath...)
	if cmd.late, err = expandAgent(v.Attach, vars); err != nil {
		return command{}, err
	}
	cmd.java = true
	cmd.args = append(heapArgs(inv.Profile, inv.Cell.JVMOptions(r.Args), inv.Cell.Parameter(plan.FactorGC)), "-Xlog:gc:file=gc.log", "-Xlog:redefine+class+load=info:file="+redefineLog)
	cmd.args = append(cmd.args, r.options(inv.Cell.Use)...)
	cmd.args = append(append(cmd.args, args...), "-cp", strings.Join(classPath, ":"), fixture.MainClass(name))
	return cmd, nil
}

// options are the JVM arguments of the scenario itself.
func (r *Runner) options(use string) []string {
	for _, s := range r.Scenarios {
		if o, ok := s.(Optioned); ok && s.Name() == use {
			return o.JVMArgs()
		}
	}
	return nil
}

// runtime names what ran: the exact JDK build, or nothing.
func (r *Runner) runtime(cmd command, c plan.Cell) string {
	if cmd.java || c.NeedsJava() {
		return r.java(c).Version
	}
	return ""
}

// vars are the placeholders of an invocation.
func (r *Runner) vars(inv plan.Invocation, dir string, ports map[string]string) map[string]string {
	vars := inv.Vars()
	vars["dir"] = dir
	for k, v := range ports {
		vars[k] = v
	}
	for alias, path := range r.Artifacts.paths[inv.Cell.Variant.Name] {
		vars["jar."+alias] = path
	}
	for _, m := range r.Fixtures.Modules() {
		vars["fixture."+m] = r.Artifacts.jar(r.Fixtures, inv.Cell.Variant.Name, m)
	}
	for _, f := range inv.Cell.Variant.Files {
		vars["file."+f.Name] = filepath.Join(dir, f.Name)
	}
	return vars
}

// expandAgent fills in jar=options. They are parted first: what is filled in may
// hold an = of its own.
func expandAgent(template string, vars map[string]string) (lateAgent, error) {
	jar, options, _ := strings.Cut(template, "=")
	both, err := expand([]string{jar, options}, vars)
	if err != nil {
		return lateAgent{}, fmt.Errorf("attaching an agent: %w", err)
	}
	return lateAgent{jar: both[0], options: both[1]}, nil
}

func expand(templates []string, vars map[string]string) ([]string, error) {
	out := make([]string, 0, len(templates))
	for _, t := range templates {
		s, err := framework.Expand(t, vars)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func writeFiles(files []framework.File, dir string, vars map[string]string) error {
	for _, f := range files {
		text, err := framework.Expand(f.Template, vars)
		if err != nil {
			return fmt.Errorf("writing %s: %w", f.Name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(text), 0o666); err != nil {
			return fmt.Errorf("writing the variant's file: %w", err)
		}
	}
	return nil
}

// CommandLine is what a cell starts in the timing profile, with everything
// that is known only at the start of an invocation left in braces.
func CommandLine(c plan.Cell, user []string) []string {
	if c.Program() != nil {
		return c.CommandLine()
	}
	if c.Launch.Fixture == "" {
		return strings.Fields(c.Parameter("command"))
	}
	line := append([]string{"java"}, heapArgs(results.ProfileTiming, c.JVMOptions(user), c.Parameter(plan.FactorGC))...)
	line = append(line, c.Variant.Args...)
	own := []string{"{fixture.kernel}", "{fixture." + c.Launch.Fixture + "}"}
	return append(line, "-cp", strings.Join(append(own, c.Variant.ClassPath...), ":"), fixture.MainClass(c.Launch.Fixture))
}
