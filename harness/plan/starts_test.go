package plan

import (
	"slices"
	"strings"
	"testing"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// plain is a scenario without parameters that starts what it is made of.
type plain struct {
	Plain
	section string
	run     []string
}

func (plain) Questions([]results.Cell) []results.Question { return nil }
func (s plain) Schema() config.Schema                     { return config.Schema{Name: "plain", Section: s.section} }
func (s plain) Work(*results.Cell) Work                   { return Work{Run: s.run} }

// TestSomethingIsStarted: whoever drives a planned cell finds the fixture, the section or
// the program that its scenario is about, and no variant that needs a fixture where there
// is none.
func TestSomethingIsStarted(t *testing.T) {
	const command, server = "[command]\nrun = \"x\"\n", "[server]\nrun = \"x\"\nready = \"http://127.0.0.1/\"\n[[server.request]]\nurl = \"http://127.0.0.1/\"\n"
	program := []string{"true"}
	for _, c := range []struct {
		name     string
		scenario plain
		mine     string // what [framework.mine] says
		sections string
		want     string // "": it is planned
	}{
		{"a program", plain{run: program}, "", "", ""},
		{"a program with an agent", plain{run: program}, `args = ["-Dx"]`, "", ""},
		{"a command", plain{section: CommandSection}, "", command, ""},
		{"a server", plain{section: ServerSection}, "", server, ""},
		{"nothing", plain{}, "", "", "scenario plain starts nothing: it has neither a fixture nor a program"},
		{"no command", plain{section: CommandSection}, "", "", "scenario plain is about the section [command], which is missing"},
		{"no server", plain{section: ServerSection}, "", "", "scenario plain is about the section [server], which is missing"},
		{"a command for a server", plain{section: ServerSection}, "", command, "scenario plain is about the section [server], which is missing"},
		{"no such section", plain{section: "nothing"}, "", "", "scenario plain is about the section [nothing], which is missing"},
		{"attached to a program", plain{run: program}, `attach = "/a.jar"`, "", "mine/bci/default can't get into a program that is not a fixture: its agent is attached"},
		{"swapped into a program", plain{run: program}, `activate = "+ x"`, "", "mine/bci/default can't get into a program that is not a fixture: its probes are swapped"},
		{"compiled into a fixture", plain{run: program}, `target = "a.B"`, "", "mine/bci/default can't get into a program that is not a fixture: it is compiled into a.B"},
		{"attached to a command", plain{section: CommandSection}, `attach = "/a.jar"`, command, "mine/bci/default can't get into a program of your own: its agent is attached"},
	} {
		text := "name = \"x\"\n[[scenario]]\nuse = \"plain\"\nvariants = [\"none\", \"mine\"]\n[framework.mine]\n" + c.mine + "\n" + c.sections
		f, err := config.Parse("benchmarks.toml", []byte(text), config.Known{Scenarios: []config.Schema{{Name: "plain"}}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		p, err := New(f, new(framework.Set).With(f.Frameworks, ""), []Scenario{c.scenario}, nil, 1)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, cell := range p.Cells {
			if (cell.Program != nil) != (c.scenario.section != "") || cell.Program.IsServer() != (c.scenario.section == ServerSection) ||
				len(cell.Work.Run) == 0 && cell.Program == nil {
				t.Errorf("%s: cell %s has %v, program %q", c.name, cell.ID, cell.Program, cell.Work.Run)
			}
			if own := cell.Program; own != nil && !slices.Equal(cell.Launch.Run, []string{"x"}) {
				t.Errorf("%s: cell %s is kept as started by %q, not by %q", c.name, cell.ID, cell.Launch.Run, own.Run)
			}
		}
	}
}
