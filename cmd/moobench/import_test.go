package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
)

// here runs moobench in this process, in the current folder.
func here(t *testing.T, args ...string) (out string, status int) {
	t.Helper()
	var b bytes.Buffer
	status = Main(t.Context(), args, &b, &b)
	return b.String(), status
}

// writeFiles writes files below the current folder.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// rawFile is a raw file of MooBench: a warm-up of 500 calls that take three times
// as long, and 1,500 that take about ns.
func rawFile(ns int) string {
	var b strings.Builder
	for i := range 2000 {
		took := ns + 1 - 2*(i/2%2)
		if i < 500 {
			took = 3 * ns
		}
		fmt.Fprintf(&b, "1;%d;%d;0\n", took, 1<<20)
	}
	return b.String()
}

// A folder of MooBench is answered for over loops: the mean is that of the
// loops' means, and its interval has a degree of freedom for each loop but one.
func TestMooBenchIsAnalysedOverLoops(t *testing.T) {
	t.Chdir(t.TempDir())
	loops := []float64{1000, 1010, 1040, 980}
	for i, ns := range loops {
		writeFiles(t, map[string]string{
			fmt.Sprintf("r/raw-%d-10-0.csv", i+1): rawFile(int(ns)),
			fmt.Sprintf("r/raw-%d-10-1.csv", i+1): rawFile(2 * int(ns)),
		})
	}
	for _, window := range []string{"steady", "half"} {
		if out, status := here(t, "import", "r", "--window", window, "-o", window); status != exitFine {
			t.Fatalf("exit status %d\n%s", status, out)
		}
		s, err := results.Open(window)
		if err != nil {
			t.Fatal(err)
		}
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		mean, half := expected(loops)
		m := a.Scenarios[0].Cells[0].Metrics[0]
		if m.Mean == nil || m.Mean.N != len(loops) || m.Mean.Interval == nil {
			t.Fatalf("%s: mean %+v", window, m.Mean)
		}
		if got := (m.Mean.Interval.High - m.Mean.Interval.Low) / 2; math.Abs(m.Mean.Value-mean) > 0.5 || math.Abs(got-half) > 0.5 {
			t.Errorf("%s: %v ± %v ns over %d loops, want %v ± %v", window, m.Mean.Value, got, m.Mean.N, mean, half)
		}
	}
}

// An import that was interrupted says so in our words, and leaves nothing.
func TestImportInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"r/raw-1-10-0.csv": rawFile(100)})
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out bytes.Buffer
	status := Main(ctx, []string{"import", "r", "-o", "c"}, &out, &out)
	if want := "moobench: error: interrupted: nothing was imported, and c was not made\n"; status != exitError || out.String() != want {
		t.Errorf("exit status %d, %q, want %q", status, out.String(), want)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// expected are the mean and the half-width of its 95 % interval; t with three
// degrees of freedom is 3.182446.
func expected(loops []float64) (mean, half float64) {
	n := float64(len(loops))
	for _, x := range loops {
		mean += x / n
	}
	var ss float64
	for _, x := range loops {
		ss += (x - mean) * (x - mean)
	}
	return mean, 3.182446 * math.Sqrt(ss/(n-1)/n)
}

// importReadme is what says how R, pandas and DuckDB read a campaign.
const importReadme = "../../results/importer/README.md"

// readmeCampaigns runs every moobench command of the importers' README, in its
// order, in a new folder that becomes the current one, and returns the README.
func readmeCampaigns(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(importReadme)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	jtl := "timeStamp,elapsed,success\n1700000000000,%d,true\n1700000000100,12,true\n"
	writeFiles(t, map[string]string{
		"Kieker-java/labels.sh":              "TITLE[0]=\"No instrumentation\"\nTITLE[4]=\"Binary file\"\n",
		"Kieker-java/results/raw-1-10-0.csv": rawFile(90), "Kieker-java/results/raw-1-10-4.csv": rawFile(1690),
		"Kieker-java/results/raw-2-10-0.csv": rawFile(110), "Kieker-java/results/raw-2-10-4.csv": rawFile(1710),
		"jmh-result.json": `[{"benchmark": "a.B.c", "mode": "avgt", "params": {"agent": "none"}, "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[1, 2], [3, 4]]}}]`,
		"results.csv":     "timestamp,none:requestAvg,x:requestAvg\n1700000000,10,11\n",
		"1.jtl":           fmt.Sprintf(jtl, 10), "2.jtl": fmt.Sprintf(jtl, 20), "3.jtl": fmt.Sprintf(jtl, 11), "4.jtl": fmt.Sprintf(jtl, 21),
	})
	ran := 0
	for _, block := range blocks(string(text), "") {
		for _, line := range strings.Split(block, "\n") {
			command, _, _ := strings.Cut(line, "#")
			if args := words(command); len(args) > 0 && args[0] == "moobench" {
				ran++
				if out, status := here(t, args[1:]...); status != exitFine {
					t.Errorf("%s: exit status %d\n%s", command, status, out)
				}
			}
		}
	}
	if ran == 0 {
		t.Fatal("the README has no command of moobench")
	}
	return string(text)
}

func TestImportReadmeCommands(t *testing.T) { readmeCampaigns(t) }

// example is the one block of the README in a language.
func example(t *testing.T, readme, language string) string {
	t.Helper()
	found := blocks(readme, language)
	if len(found) != 1 {
		t.Fatalf("the README has %d examples in %s", len(found), language)
	}
	return found[0]
}

// check runs a program on the README's example, and looks for the means of its
// two variants in what it prints.
func check(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, mean := range []string{"100", "1700"} {
		if !slices.ContainsFunc(strings.FieldsFunc(string(out), func(r rune) bool { return strings.ContainsRune(" \t\n|,", r) }), func(w string) bool { return w == mean || strings.HasPrefix(w, mean+".") }) {
			t.Errorf("the output has no mean of %s ns:\n%s", mean, out)
		}
	}
}

func TestReadmeInR(t *testing.T) {
	r, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("needs Rscript on PATH")
	}
	text := example(t, readmeCampaigns(t), "r")
	for _, name := range regexp.MustCompile(`library\((\w+)\)`).FindAllStringSubmatch(text, -1) {
		if err := exec.Command(r, "-e", "library("+name[1]+")").Run(); err != nil {
			t.Skipf("needs the package %s of R: %v", name[1], err)
		}
	}
	check(t, r, "-e", text)
}

func TestReadmeInPandas(t *testing.T) {
	python := pythonWith(t, "pandas", "pyarrow")
	check(t, python, "-c", example(t, readmeCampaigns(t), "python"))
}

func TestReadmeInDuckDB(t *testing.T) {
	if duckdb, err := exec.LookPath("duckdb"); err == nil {
		check(t, duckdb, "-list", "-c", example(t, readmeCampaigns(t), "sql"))
		return
	}
	python := pythonWith(t, "duckdb") // the same engine
	sql := example(t, readmeCampaigns(t), "sql")
	check(t, python, "-c", "import duckdb, sys\nfor q in sys.argv[1].split(';'):\n  if q.strip():\n    for row in duckdb.execute(q).fetchall(): print(*row)", sql)
}

// pythonWith finds a Python that has these modules: python3, or the one that
// MOOBENCH_TEST_PYTHON names.
func pythonWith(t *testing.T, modules ...string) string {
	t.Helper()
	python := "python3"
	if named := os.Getenv("MOOBENCH_TEST_PYTHON"); named != "" {
		python = named
	}
	if err := exec.Command(python, "-c", "import "+strings.Join(modules, ", ")).Run(); err != nil {
		t.Skipf("needs python3 with %s", strings.Join(modules, " and "))
	}
	return python
}

// What MooBench's own script prints stands beside the answer of a folder: of the
// second half of the last loop alone, whose JVM here is slower than the others.
func TestMooBenchsOwnFigures(t *testing.T) {
	t.Chdir(t.TempDir())
	second := strings.ReplaceAll("\n"+rawFile(7), "\n1;", "\n2;")[1:] // a second thread's calls
	for i, ns := range []int{1000, 1040, 1500} {
		writeFiles(t, map[string]string{
			fmt.Sprintf("r/raw-%d-10-0.csv", i+1): rawFile(ns) + second,
			fmt.Sprintf("r/raw-%d-10-1.csv", i+1): rawFile(2*ns) + second,
		})
	}
	if out, status := here(t, "import", "r", "-o", "c"); status != exitFine {
		t.Fatalf("exit status %d\n%s", status, out)
	}
	s, err := results.Open("c")
	if err != nil {
		t.Fatal(err)
	}
	a, err := analysis.Analyse(s)
	if err != nil {
		t.Fatal(err)
	}
	if kind := a.Scenarios[0].PoolKind; kind != results.PoolLastLoop {
		t.Errorf("kind %q", kind)
	}
	for i, mean := range []float64{1500, 3000} {
		c := a.Scenarios[0].Cells[i]
		p, ours := c.Pooled, c.Metrics[0].Mean.Interval
		// A thousand calls are 1 ns above or below their mean: R's sd is
		// sqrt(1000/999), and 1.959964 of it over the root of 1000 is 0.0620105.
		if p == nil || p.N != 1000 || p.Mean != mean || math.Abs(p.SD-math.Sqrt(1000./999)) > 1e-9 || math.Abs(p.Half-0.0620105) > 1e-7 || p.Test != nil {
			t.Fatalf("%s: %+v", c.Label, p)
		}
		if want := (ours.High - ours.Low) / 2 / p.Half; p.TooNarrow == nil || math.Abs(*p.TooNarrow/want-1) > 1e-9 || want < 1000 {
			t.Errorf("%s: ours is %v times as wide, want %v", c.Label, p.TooNarrow, want)
		}
	}
	for _, format := range []string{"text", "markdown", "html", "json"} {
		out, status := here(t, "report", "c", "--format", format)
		if status != exitFine {
			t.Fatalf("%s: exit status %d\n%s", format, status, out)
		}
		for _, want := range []string{"of the loop before", "last loop"} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%s lacks %q:\n%s", format, want, out)
			}
		}
		if format == "html" && (strings.Contains(out, "Complete.") || !strings.Contains(out, "Imported from MooBench.")) {
			t.Error("the page calls an import complete")
		}
	}
}
