package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// analysed is the time and memory of the tools' own analyses.
type analysed struct {
	files int
	bytes int64  // of MooBench's files
	lines string // as tools/measure printed them
}

// analyse imports the files of the peers, and measures the time and memory of each tool's own analysis.
func analyse(ctx context.Context, checkout, dir string, s size) (analysed, error) {
	var a analysed
	tool, err := filepath.Abs("bin/moobench")
	if err != nil {
		return a, err
	}
	measure := filepath.Join(dir, "measure")
	source, err := filepath.Abs("tools/measure/main.go")
	if err != nil {
		return a, err
	}
	if err := run(ctx, dir, "go", "build", "-C", filepath.Dir(source), "-o", measure, source); err != nil {
		return a, err
	}
	args := []string{"import", "--from", "jmh", "--name", jmh, "-o", imported(dir, jmh)}
	for _, variant := range append([]string{nothing}, variants...) {
		for n := range s.rounds {
			args = append(args, "--variant", variant+"="+(&measuring{dir: dir}).jmhFile(n+1, variant))
		}
	}
	if err := run(ctx, dir, tool, args...); err != nil {
		return a, err
	}
	raw := filepath.Join(dir, mooBench)
	titles := fmt.Sprintf("TITLE[%d]=\"No instrumentation\"\nTITLE[%d]=%q\n",
		configurations[0].number, configurations[1].number, kiekerAgent)
	if err := os.WriteFile(filepath.Join(raw, "labels.sh"), []byte(titles), 0o666); err != nil {
		return a, err
	}
	steps := [][]string{
		{"moobench import of MooBench's files", tool, "import", raw, "--name", mooBench, "-o", imported(dir, mooBench)},
		{"moobench report of these", tool, "report", imported(dir, mooBench)},
		{"moobench report of these, from samples", tool, "report", "--from-samples", imported(dir, mooBench)},
		{"moobench report of its own campaign", tool, "report", filepath.Join(dir, "campaign")},
	}
	found, err := filepath.Glob(filepath.Join(raw, "*.csv"))
	if err != nil {
		return a, err
	}
	a.files = len(found)
	for _, file := range found {
		info, err := os.Stat(file)
		if err != nil {
			return a, err
		}
		a.bytes += info.Size()
	}
	if script, err := statisticsR(checkout, dir, s); err != nil {
		return a, err
	} else if _, missing := exec.LookPath("Rscript"); missing == nil {
		steps = append(steps, []string{"MooBench's statistics.r of its files", "Rscript", "--vanilla", script})
	} else {
		a.lines += "skipped: MooBench's statistics.r (Rscript is not installed)\n"
	}
	for _, step := range steps {
		out, err := exec.CommandContext(ctx, measure, step...).Output()
		if err != nil {
			return a, fmt.Errorf("%s: %w", step[0], err)
		}
		a.lines += string(out)
	}
	return a, nil
}

// statisticsR writes the settings that MooBench's scripts put in front of their statistics.r.
func statisticsR(checkout, dir string, s size) (string, error) {
	script, err := filepath.Abs(filepath.Join(checkout, "frameworks", "statistics.r"))
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "statistics.r")
	return name, os.WriteFile(name, fmt.Appendf(nil, `results_fn=%q
out_yaml_fn=%q
configs.loop=%d
configs.recursion=%d
configs.labels=c("No instrumentation","Deactivated probe",%q)
configs.framework_name="Kieker-java"
configs.indices=c(%d,%d)
results.count=%d
results.skip=%d
source(%q)
`, filepath.Join(dir, mooBench, "raw"), filepath.Join(dir, "results.yaml"), s.rounds, s.depth, kiekerAgent,
		configurations[0].number, configurations[1].number, s.calls, s.calls/2, script), 0o666)
}
