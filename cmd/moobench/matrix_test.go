package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// matrixCampaign is what the written workflow and pipeline measure here.
const matrixCampaign = `name = "matrix"

[[scenario]]
use       = "overhead"
variants  = ["none", "dear"]
calls     = 1000
blocks    = 4
resources = 0

[framework.dear]
args  = ["-Dfake.cost=5000", "-Dfake.records=1"]
proof = { count = "fixture", per_call = "depth" }
`

// engineStep is a piece of shell that an engine runs.
type engineStep struct {
	shell string
	env   []string
}

// TestMatrixSteps runs the steps of the written workflow, and of the written pipeline, in their order; the artifacts that
// jobs hand on lie in one folder.
func TestMatrixSteps(t *testing.T) {
	if !*fleetNights {
		t.Skip("-fleet-nights: it measures two plans")
	}
	for _, tt := range []struct {
		kind, file string
		steps      func(t *testing.T, text string) []engineStep
	}{
		{"github-matrix", ".github/workflows/moobench-fleet.yml", githubSteps},
		{"gitlab-matrix", ".gitlab-ci.yml", gitlabSteps},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			p := newPlace(t)
			if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(matrixCampaign), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := p.moobench("init", tt.kind).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			steps := tt.steps(t, textOf(t, p.dir, tt.file))
			said := ""
			for _, s := range steps {
				cmd := p.moobench()
				cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-e", "-c", s.shell}
				cmd.Env = append(cmd.Env, s.env...)
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", s.shell, err, out)
				}
				said = string(out)
			}
			if len(steps) < 6 || !strings.Contains(said, "4 of 4 shards in merged") {
				t.Errorf("%d steps; the last one said:\n%s", len(steps), said)
			}
		})
	}
}

// githubSteps are the scripts of the workflow, those of the matrix once for each of its parts.
func githubSteps(t *testing.T, text string) (steps []engineStep) {
	shards := regexp.MustCompile(`SHARDS: (\d+)`).FindStringSubmatch(text)
	matrix := regexp.MustCompile(`index: \[(.*?)\]`).FindStringSubmatch(text)
	if shards == nil || matrix == nil {
		t.Fatal("it has no matrix")
	}
	parts := strings.Split(matrix[1], ", ")
	if fmt.Sprint(len(parts)) != shards[1] {
		t.Errorf("%d parts, and SHARDS is %s", len(parts), shards[1])
	}
	env := []string{"SHARDS=" + shards[1]}
	jobs := regexp.MustCompile(`(?m)^  \w+:\n    (needs|runs-on)`).Split(text, -1)
	for _, job := range jobs[1:] {
		var scripts []string
		for _, m := range regexp.MustCompile(`(?m)^        run: (\|\n(?:          .*\n)+|.*\n)`).FindAllStringSubmatch(job, -1) {
			scripts = append(scripts, strings.TrimPrefix(m[1], "|\n"))
		}
		of := []string{""}
		if strings.Contains(job, "matrix.index") {
			of = parts
		}
		for _, part := range of {
			for _, script := range scripts {
				steps = append(steps, engineStep{strings.ReplaceAll(script, "${{ matrix.index }}", part), env})
			}
		}
	}
	return steps
}

// gitlabSteps are the scripts of the pipeline, those of a parallel job once for each of its parts.
func gitlabSteps(t *testing.T, text string) (steps []engineStep) {
	for _, job := range regexp.MustCompile(`(?m)^moobench-\w+:\n`).Split(text, -1)[1:] {
		_, script, ok := strings.Cut(job, "  script:\n")
		if !ok {
			t.Fatalf("a job without a script:\n%s", job)
		}
		parts := 1
		fmt.Sscanf(regexp.MustCompile(`parallel: \d+`).FindString(job), "parallel: %d", &parts)
		for part := 1; part <= parts; part++ {
			for line := range strings.Lines(script) {
				command, is := strings.CutPrefix(line, "    - ")
				if !is {
					break
				}
				steps = append(steps, engineStep{command, []string{fmt.Sprint("CI_NODE_INDEX=", part), fmt.Sprint("CI_NODE_TOTAL=", parts)}})
			}
		}
	}
	return steps
}
