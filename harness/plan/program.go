package plan

import (
	"fmt"
	"strconv"
	"strings"

	"moobench/harness/config"
	"moobench/harness/framework"
)

// agent is the placeholder of the variant's JVM arguments.
const agent = "{" + config.AgentPlaceholder + "}"

// Program is the user's own program; nil where a fixture is driven.
func (c *Cell) Program() *config.Program {
	switch {
	case c.Command != nil:
		return &c.Command.Program
	case c.Server != nil:
		return &c.Server.Program
	}
	return nil
}

// NeedsJava reports whether the cell starts something with the campaign's JDK.
func (c *Cell) NeedsJava() bool {
	p := c.Program()
	return c.Launch.Fixture != "" || p != nil && p.Holds(config.JavaPlaceholder)
}

// NeedsFixtures reports whether the cell starts a fixture, or puts one of their jars into
// another program.
func (c *Cell) NeedsFixtures() bool { return c.Launch.Fixture != "" || len(c.Recipe.Modules()) > 0 }

// ByToolOptions reports whether the variant's JVM arguments reach the user's program in
// JAVA_TOOL_OPTIONS, because nothing in it says where they belong.
func (c *Cell) ByToolOptions() bool {
	p := c.Program()
	return p != nil && len(c.Recipe.Args) > 0 && !p.Holds(config.AgentPlaceholder)
}

// CommandLine is what a cell starts of the user's own, with the variant's arguments;
// everything that is known only at its start stands in braces.
func (c *Cell) CommandLine() []string {
	var line []string
	for _, word := range c.Program().Run {
		if word == agent { // then the arguments are words of their own
			line = append(line, c.Recipe.Args...)
			continue
		}
		line = append(line, strings.ReplaceAll(word, agent, strings.Join(c.Recipe.Args, " ")))
	}
	return line
}

// Fill returns the command line and the environment of the user's own program, with the
// java of the cell's JDK, the invocation's folder and the variant's JVM arguments filled
// in. It leaves out those for JAVA_TOOL_OPTIONS.
func (i Invocation) Fill(java, dir string, args []string) (line, env []string, err error) {
	vars := map[string]string{
		config.JavaPlaceholder: java, config.DirPlaceholder: dir, config.PortPlaceholder: strconv.Itoa(i.Port),
		config.AgentPlaceholder: strings.Join(args, " "),
	}
	for name, path := range i.Jars {
		vars[config.JarPlaceholder+name] = path
	}
	p := i.Cell.Program()
	for _, word := range p.Run {
		if word == agent {
			line = append(line, args...)
			continue
		}
		word, err := framework.Expand(word, vars)
		if err != nil {
			return nil, nil, fmt.Errorf("filling in its command line: %w", err)
		}
		line = append(line, word)
	}
	if len(p.Env) == 0 {
		return line, nil, nil
	}
	if env, err = framework.ExpandAll(p.Env, vars); err != nil {
		return nil, nil, fmt.Errorf("filling in its environment: %w", err)
	}
	return line, env, nil
}
