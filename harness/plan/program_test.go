package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moobench/harness/config"
	"moobench/harness/framework"
)

func TestFill(t *testing.T) {
	args := []string{"-javaagent:/a b.jar", "-Dx={port}"} // filled in already: braces are theirs
	for _, c := range []struct {
		name      string
		run, env  []string
		args      []string
		line, all []string
	}{
		{"words of their own", []string{"{java}", "{agent}", "-jar"}, nil, args, []string{"/bin/java", args[0], args[1], "-jar"}, nil},
		{"none for the baseline", []string{"{java}", "{agent}", "-jar"}, nil, nil, []string{"/bin/java", "-jar"}, nil},
		{"in a word", []string{"x", "-O={agent}"}, nil, args, []string{"x", "-O=" + args[0] + " " + args[1]}, nil},
		{"in the environment", []string{"x"}, []string{"A=1", "OPTS=-ea {agent}"}, nil, []string{"x"}, []string{"A=1", "OPTS=-ea "}},
		{"the rest", []string{"x{port}", "{dir}/f", "{{port}}"}, []string{"D={dir}"}, args, []string{"x4711", "/inv/f", "{port}"}, []string{"D=/inv"}},
	} {
		inv := Invocation{Port: 4711, Cell: Cell{Program: &config.Program{Run: c.run, Env: c.env}}}
		line, env, err := inv.Fill("/bin/java", c.args, map[string]string{"dir": "/inv", "port": "1"})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff([][]string{c.line, c.all}, [][]string{line, env}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestProgramOfACell(t *testing.T) {
	agent := framework.Variant{Args: []string{"-javaagent:{fixture.hotswap}", "-Dx"}}
	cell := func(v framework.Variant, run ...string) Cell {
		c := Cell{Recipe: v, Program: &config.Program{Run: run}}
		c.Launch = v.Launch()
		return c
	}
	for _, c := range []struct {
		name                        string
		cell                        Cell
		java, fixtures, toolOptions bool
		line                        string
	}{
		{"no program", Cell{}, false, false, false, ""},
		{"baseline", cell(framework.Variant{}, "shop", "{port}"), false, false, false, "shop {port}"},
		{"by the environment", cell(agent, "{java}", "-jar"), true, true, true, "{java} -jar"},
		{"by a placeholder", cell(agent, "shop", "-O{agent}", "{agent}"), false, true, false, "shop -O-javaagent:{fixture.hotswap} -Dx -javaagent:{fixture.hotswap} -Dx"},
	} {
		if got := c.cell.NeedsJava(); got != c.java {
			t.Errorf("%s: needs Java: %t", c.name, got)
		}
		if got := c.cell.NeedsFixtures(); got != c.fixtures {
			t.Errorf("%s: needs the fixtures: %t", c.name, got)
		}
		if got := c.cell.ByToolOptions(); got != c.toolOptions {
			t.Errorf("%s: by JAVA_TOOL_OPTIONS: %t", c.name, got)
		}
		if c.cell.Program == nil {
			continue
		}
		if got := strings.Join(c.cell.CommandLine(), " "); got != c.line {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
