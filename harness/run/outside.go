package run

import (
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/plan"
)

// outputName is the file in a subject's folder that takes the standard output of the
// user's own program: the output is checked, and the JVM's own messages are not part of
// it.
const outputName = "stdout.log"

// program completes a subject that is the user's own program; args are the variant's JVM
// arguments. Nothing of ours is among its own.
func (r *Runner) program(s *subject, inv plan.Invocation, args []string) error {
	line, env, err := inv.Fill(r.java(inv.Cell).Path, s.command.Dir, args)
	if err != nil {
		return err
	}
	work, err := filepath.Abs(inv.Cell.Program().Dir)
	if err != nil {
		return fmt.Errorf("finding its working directory: %w", err)
	}
	if path := line[0]; strings.Contains(path, "/") && !filepath.IsAbs(path) {
		line[0] = filepath.Join(work, path)
	}
	s.command.Path, s.command.Args, s.command.Work, s.command.Output = line[0], line[1:], work, outputName
	s.env = append(env, s.env...) // of equal names the variant's wins
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

// Where the user's own server may listen: below the ports that the kernel gives to
// clients, one of which might take the port first, or connect to itself while the server
// is not up yet.
const (
	firstPort = 10_000
	somePorts = 20_000
	portTries = 100
)

// freePort is a port of 127.0.0.1 that nobody listens on.
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
