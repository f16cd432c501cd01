package run

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// lateAgent is loaded into the running JVM; jar == "": no agent.
type lateAgent struct{ jar, options string }

// JavaOf returns the JDK of a cell, or that of the campaign.
func (r *Runner) JavaOf(c plan.Cell) jvm.Java {
	return cmp.Or(r.Javas[c.JDK.Home], r.Java)
}

// subject composes the subject of an invocation: a fixture JVM if the cell names a fixture, else a plain process.
// All placeholders are filled in, and the variant's files are written.
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
	var err error // the first error of expand
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
	case c.Program != nil:
		if err := r.program(s, inv, args, vars); err != nil {
			return nil, err
		}
	case name == "": // the plan ensures that there is a command
		cmd.Path, cmd.Args = c.Work.Run[0], c.Work.Run[1:]
	default:
		kernel, module := r.Artifacts.jar(r.Fixtures, c.Variant, "kernel"), r.Artifacts.jar(r.Fixtures, c.Variant, name)
		classPath = append([]string{kernel, module}, classPath...)
		if s.late, err = expandAgent(c.Recipe.Attach, vars); err != nil {
			return nil, err
		}
		s.fixture, s.classPath = true, classPath
		cmd.Path, cmd.StartTimeout, cmd.Grace = r.JavaOf(inv.Cell).Path, c.Timeout, c.Timeout
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

// vars returns the values of an invocation's placeholders.
func (r *Runner) vars(inv plan.Invocation, dir string, ports map[string]string) map[string]string {
	vars := inv.Vars()
	vars["dir"], vars["home"] = dir, inv.Cell.Recipe.Home
	maps.Copy(vars, ports)
	for alias, path := range r.Artifacts.paths[inv.Cell.Variant] {
		vars["jar."+alias] = path
	}
	for _, m := range r.Fixtures.Modules() {
		vars["fixture."+m] = r.Artifacts.jar(r.Fixtures, inv.Cell.Variant, m)
	}
	if made, ok := r.Artifacts.prepared[preparedFor(&inv.Cell)]; ok {
		vars[framework.Prepared] = made.dir
	}
	for _, f := range inv.Cell.Recipe.Files {
		vars["file."+f.Name] = filepath.Join(dir, f.Name)
	}
	return vars
}

// expandAgent fills in jar=options after splitting it: filled-in text may contain an = of its own.
func expandAgent(template string, vars map[string]string) (lateAgent, error) {
	jar, options, _ := strings.Cut(template, "=")
	both, err := framework.ExpandAll([]string{jar, options}, vars)
	if err != nil {
		return lateAgent{}, fmt.Errorf("attaching an agent: %w", err)
	}
	return lateAgent{jar: both[0], options: both[1]}, nil
}

// CommandLine returns a cell's command line in the timing profile. Placeholders known only at the start of an
// invocation stay in braces.
func CommandLine(c plan.Cell, user []string) []string {
	if c.Program != nil {
		return c.CommandLine()
	}
	if c.Launch.Fixture == "" {
		return c.Work.Run
	}
	kernel, module := framework.FixtureName("kernel"), framework.FixtureName(c.Launch.Fixture)
	classPath := append([]string{kernel, module}, c.Recipe.ClassPath...)
	return slices.Concat(
		[]string{"java"},
		heapArgs(results.ProfileTiming, c.JVMOptions(user), c.Parameter(results.FactorGC)), c.Recipe.Args,
		[]string{"-cp", strings.Join(classPath, ":"), fixture.MainClass(c.Launch.Fixture)},
	)
}

// The heap of the timing profile is the same for all cells: fixed size, and the serial collector unless the cell
// has another. The young generation is small, so that all its pages are touched early in the warm-up; with a large
// one, first touches of pages would be a third of a recording probe's cost. Touching the whole heap in advance was
// rejected: it takes up to seconds per JVM.
const (
	leastHeap = "-Xms2g"
	mostHeap  = "-Xmx2g"
	youngHeap = "-Xmn64m"
)

const experimental = "-XX:+UnlockExperimentalVMOptions"

// collectors maps values of the factor gc to JVM options; "" means serial. Serial, Parallel and G1 honour the size
// of the young generation. ZGC and Shenandoah size their own, if any. Epsilon has no generations and never
// collects: a cell that allocates more than the heap ends with an OutOfMemoryError. ZGC and Shenandoah were
// experimental before Java 15.
var collectors = map[string][]string{
	"":           {"-XX:+UseSerialGC"},
	"serial":     {"-XX:+UseSerialGC"},
	"parallel":   {"-XX:+UseParallelGC"},
	"g1":         {"-XX:+UseG1GC"},
	"z":          {experimental, "-XX:+UseZGC"},
	"shenandoah": {experimental, "-XX:+UseShenandoahGC"},
	"epsilon":    {experimental, "-XX:+UseEpsilonGC"},
}

// heapArgs returns the JVM options of a profile, given the user's own and the cell's value of the factor gc, or
// "". The user's options that size the heap or choose its collector apply only to the resources profile, in which
// a cell's collector replaces the user's.
func heapArgs(profile results.Profile, user []string, gc string) []string {
	options, replaced := slices.Clone(collectors[gc]), plan.SizesHeap
	switch {
	case profile == results.ProfileResources && gc == "":
		return slices.Clip(user) // appending must not change user
	case profile == results.ProfileResources:
		replaced = plan.ChoosesCollector
	case slices.Contains(options, experimental):
		options = append(options, leastHeap, mostHeap)
	default:
		options = append(options, leastHeap, mostHeap, youngHeap)
	}
	return append(options, slices.DeleteFunc(slices.Clone(user), replaced)...)
}

// outputName is the file in a subject's folder that takes the standard output of a user's own program. The output
// is checked, so it must not contain the JVM's own messages.
const outputName = "stdout.log"

// program completes a subject that is the user's own program, without any arguments of ours; args are the
// variant's JVM arguments.
func (r *Runner) program(s *subject, inv plan.Invocation, args []string, vars map[string]string) error {
	line, env, err := inv.Fill(r.JavaOf(inv.Cell).Path, args, vars)
	if err != nil {
		return err
	}
	work, err := filepath.Abs(inv.Cell.Program.Dir)
	if err != nil {
		return fmt.Errorf("finding its working directory: %w", err)
	}
	if path := line[0]; strings.Contains(path, "/") && !filepath.IsAbs(path) {
		line[0] = filepath.Join(work, path)
	}
	s.command.Path, s.command.Args, s.command.Work, s.command.Output = line[0], line[1:], work, outputName
	s.env = append(env, s.env...) // of duplicate names the variant's, the last, wins
	if inv.Cell.ByToolOptions() {
		s.env = withToolOptions(s.env, args)
	}
	return nil
}

// withToolOptions appends JVM arguments to JAVA_TOOL_OPTIONS.
func withToolOptions(env, args []string) []string {
	options := jvm.ToolOptions(args)
	all := slices.Clone(env)
	for i, e := range slices.Backward(all) {
		if there, ok := strings.CutPrefix(e, jvm.ToolOptionsName+"="); ok {
			all[i] = jvm.ToolOptionsName + "=" + there + " " + options
			return all
		}
	}
	return append(all, jvm.ToolOptionsName+"="+options)
}

// Ports on which the user's own server may listen: below the range that the kernel gives to clients, since a
// client might take the port first, or connect to itself while the server is not up yet.
const (
	firstPort = 10_000
	somePorts = 20_000
	portTries = 100
)

// freePort returns a port of 127.0.0.1 on which nobody listens.
func freePort() (int, error) {
	var last error
	for range portTries {
		port := firstPort + rand.IntN(somePorts)
		ln, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, ln.Close()
		}
		last = err
	}
	return 0, fmt.Errorf("looking for a free port of 127.0.0.1: %w", last)
}
