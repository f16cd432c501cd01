package report

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// Other programs read what is written for them, those of them that are here.
func TestConsumersRead(t *testing.T) {
	campaigns := sync.OnceValue(func() map[string]*analysis.Answers { return consumed(t) })
	for name, reads := range map[string]func(*testing.T, func() map[string]*analysis.Answers){
		"benchstat": benchstatReads, "xmllint": xmllintReads, "pdflatex": pdflatexReads, "macros": pdflatexReadsMacros, "pgf": pdflatexReadsFigures,
		"promtool": promtoolReads, "prometheus_client": prometheusClientReads,
		"R": rReads,
	} {
		t.Run(name, func(t *testing.T) { reads(t, campaigns) })
	}
}

// consumed are the campaigns that other tools are given to read.
func consumed(t *testing.T) map[string]*analysis.Answers {
	return map[string]*analysis.Answers{
		"troubled": spoiltAnswers(t), "hostile": shared(t, testcampaign.Hostile), "unordered": shared(t, testcampaign.Unordered),
		"served": shared(t, testcampaign.Served), "swapped": swapped(t),
		"gated": gatedBy(t, testcampaign.Small, results.Gate{WorseBy: 0.5, Reference: "none"}),
	}
}

// tool finds a program, or skips the test by its name.
func tool(t *testing.T, name, why string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("needs %s: %s", name, why)
	}
	return path
}

// file writes a format of a campaign into a folder of its own.
func file(t *testing.T, format, name string, a *analysis.Answers) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(written(t, format, a)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// filesOf are the files of a format of campaigns, and the campaigns' names: a program that
// reads them all starts once.
func filesOf(t *testing.T, format, name string, campaigns map[string]*analysis.Answers) (names, files []string) {
	t.Helper()
	for campaign, a := range campaigns {
		names, files = append(names, campaign), append(files, file(t, format, name, a))
	}
	return names, files
}

// linesFor are the lines that a program said, one for each campaign.
func linesFor(t *testing.T, names []string, stdout string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != len(names) {
		t.Fatalf("%d lines of %d campaigns: %q", len(lines), len(names), stdout)
	}
	return lines
}

// answer runs a program on a file and returns what it says.
func answer(t *testing.T, dir, program string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, errOut strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", program, err, out.String(), errOut.String())
	}
	return out.String(), errOut.String()
}

// benchstat is the program, or how go runs it where it is in the module cache:
// the test asks no network for it.
func benchstat(t *testing.T) []string {
	t.Helper()
	if path, err := exec.LookPath("benchstat"); err == nil {
		return []string{path}
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs benchstat, or go: to read Go's benchmark format")
	}
	mod, err := filepath.Abs("../../tools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOPROXY", "off")
	run := []string{goCommand, "tool", "-modfile=" + mod, "benchstat"}
	if err := exec.CommandContext(t.Context(), run[0], "tool", "-n", run[2], run[3]).Run(); err != nil {
		t.Skip("needs benchstat, or golang.org/x/perf in the module cache: to read Go's benchmark format")
	}
	return run
}

// benchstatReads every line, and shows the marks at the numbers.
func benchstatReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	run := benchstat(t)
	for name, a := range campaigns() {
		stdout, stderr := answer(t, "", run[0], append(run[1:], file(t, "gobench", "new.txt", a))...)
		for _, complaint := range strings.Split(stderr, "\n") {
			if strings.Contains(complaint, "new.txt:") { // a line that it can't read
				t.Errorf("%s: %s", name, complaint)
			}
		}
		if !strings.Contains(stdout, "sec/op") || !strings.Contains(stdout, "MooBench/scenario=") {
			t.Errorf("%s: benchstat says\n%s", name, stdout)
		}
		if name == "troubled" && !strings.Contains(stdout, "caveats: lost") {
			t.Errorf("benchstat shows no marks:\n%s", stdout)
		}
	}
}

// rReads the table: truth values are some, and so are the numbers of means.
func rReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	r := tool(t, "Rscript", "to read CSV")
	const reads = `for (f in commandArgs(TRUE)) { a <- read.csv(f, check.names = FALSE); cat(class(a$primary), class(a$mean), sum(a$primary) > 0, "\n") }`
	names, files := filesOf(t, "csv", "answers.csv", campaigns())
	stdout, _ := answer(t, "", r, append([]string{"-e", reads}, files...)...)
	for i, line := range linesFor(t, names, stdout) {
		if line != "logical numeric TRUE " {
			t.Errorf("%s: R says %q", names[i], line)
		}
	}
}

// xmllintReads JUnit's XML and SVG.
func xmllintReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	xmllint := tool(t, "xmllint", "to read JUnit XML and SVG")
	for _, a := range campaigns() {
		for _, format := range []string{"junit", "svg"} {
			if _, stderr := answer(t, "", xmllint, "--noout", "--nonet", file(t, format, "x.xml", a)); stderr != "" {
				t.Errorf("%s: %s", format, stderr)
			}
		}
	}
}

// pdflatexReads the tables into a document that has the packages which their
// head names, and no other.
func pdflatexReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	compiles := compiler(t)
	for name, a := range campaigns() {
		t.Run(name, func(t *testing.T) {
			tables := file(t, "latex", "tables.tex", a)
			compiles(t, "\\usepackage{booktabs}", tables, written(t, "latex-methods", a)+"\\input{tables}")
		})
	}
}

// pdflatexReadsMacros into a document that says each of them.
func pdflatexReadsMacros(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	compiles := compiler(t)
	for name, a := range campaigns() {
		t.Run(name, func(t *testing.T) {
			all := regexp.MustCompile(`\\newcommand\{(.*?)\}`).FindAllStringSubmatch(written(t, "latex-macros", a), -1)
			said := strings.Join(each(all, func(m []string) string { return m[1] + "{}" }), "\n\n")
			compiles(t, "\\input{numbers}", file(t, "latex-macros", "numbers.tex", a), said)
		})
	}
}

// pdflatexReadsFigures on a page that is wide enough for them.
func pdflatexReadsFigures(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	compiles := compiler(t)
	for name, a := range campaigns() {
		t.Run(name, func(t *testing.T) {
			compiles(t, "\\usepackage{tikz}", file(t, "pgf", "figure.pgf", a), "\\resizebox{\\linewidth}{!}{\\input{figure.pgf}}")
		})
	}
}

// compiler compiles a document with what its head needs besides letters, and a body, in the
// folder of a file that it reads.
func compiler(t *testing.T) func(t *testing.T, head, read, body string) {
	pdflatex, kpsewhich := tool(t, "pdflatex", "to compile LaTeX"), tool(t, "kpsewhich", "to find the packages of LaTeX")
	return func(t *testing.T, head, read, body string) {
		for _, p := range regexp.MustCompile(`\\usepackage\{(.*?)\}`).FindAllStringSubmatch(head, -1) {
			if err := exec.CommandContext(t.Context(), kpsewhich, p[1]+".sty").Run(); err != nil {
				t.Skipf("needs %s.sty: to compile LaTeX", p[1])
			}
		}
		document := "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{textcomp}\n" +
			head + "\n\\begin{document}\n" + body + "\n\\end{document}\n"
		dir := filepath.Dir(read)
		if err := os.WriteFile(filepath.Join(dir, "document.tex"), []byte(document), 0o666); err != nil {
			t.Fatal(err)
		}
		answer(t, dir, pdflatex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "document.tex")
		log, err := os.ReadFile(filepath.Join(dir, "document.log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"LaTeX Error", "Undefined control sequence", "multiply defined", "Missing character"} {
			if strings.Contains(string(log), bad) {
				t.Errorf("the log says %s:\n%s", bad, log)
			}
		}
	}
}

// promtoolReads the metrics, and finds nothing to complain of.
func promtoolReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	promtool := tool(t, "promtool", "to check OpenMetrics text")
	for _, a := range campaigns() {
		cmd := exec.CommandContext(t.Context(), promtool, "check", "metrics")
		cmd.Stdin = strings.NewReader(written(t, "openmetrics", a))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// openMetricsReader counts the families that the reference parser finds.
const openMetricsReader = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for file in sys.argv[1:]:
    families = list(text_string_to_metric_families(open(file, encoding="utf-8", newline="\n").read()))
    seen = set()
    for f in families:
        for s in f.samples:
            key = (s.name, tuple(sorted(s.labels.items())))
            assert key not in seen, (file, key)
            seen.add(key)
    print(len(families), len(seen))
`

// prometheusClientReads the metrics: the reference parser of OpenMetrics.
func prometheusClientReads(t *testing.T, campaigns func() map[string]*analysis.Answers) {
	python := tool(t, cmp.Or(os.Getenv("MOOBENCH_TEST_PYTHON"), "python3"), "to read OpenMetrics text with prometheus_client")
	if err := exec.CommandContext(t.Context(), python, "-c", "import prometheus_client.openmetrics.parser").Run(); err != nil {
		t.Skip("needs the package prometheus_client of python3: to read OpenMetrics text")
	}
	names, files := filesOf(t, "openmetrics", "x.om", campaigns())
	stdout, _ := answer(t, "", python, append([]string{"-c", openMetricsReader}, files...)...)
	for i, line := range linesFor(t, names, stdout) {
		if fields := strings.Fields(line); len(fields) != 2 || fields[0] == "0" {
			t.Errorf("%s: the parser found %q", names[i], line)
		}
	}
}
