package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/importer/internal/testimport"
)

const small = `timeStamp,elapsed,label,responseCode,responseMessage,success,Latency,Connect
1700000000100,12,home,200,OK,true,7,3
1700000000000,15,"a ""quoted"", label",500,Internal Server Error,false,9,0
1700000000200,21,home,Non HTTP response code: org.apache.http.conn.HttpHostConnectException,Non HTTP response message: refused,false,0,0
1700000000300,5000,home,Non HTTP response code: java.net.SocketTimeoutException,,false,0,0
1700000000400,3,home,Non HTTP response code: javax.net.ssl.SSLException,,false,0,0
1700000000000,27,both,200,"Number of samples in transaction : 2, number of failing samples : 1",true,0,0
`

// importing imports what this format knows.
var importing = testimport.Importer(importFiles)

// files are of a variant each.
func files(t *testing.T, texts ...string) []importer.File {
	t.Helper()
	all := testimport.Files(t, "v%d.jtl", texts...)
	for i := range all {
		all[i].Variant = fmt.Sprintf("v%d", i)
	}
	return all
}

// later is a text with times of another hour; the times of small begin with 17000000.
func later(text string, begins int) string {
	return strings.ReplaceAll(text, "17000000", strconv.Itoa(begins))
}

func TestImport(t *testing.T) {
	sources := files(t, small, later(small, 1_700_000_1), later(small, 1_700_000_2))
	sources[1].Variant, sources[2].Variant = "agent", "agent"
	s := importing.Store(t, importer.Request{}, sources)
	if damages := s.Damages(t.Context()); len(damages) > 0 {
		t.Error(damages)
	}
	c, list := s.Campaign(), testimport.Invocations(t, s)
	if c.Design != results.DesignUnordered || c.Source != "JMeter" || len(c.Cells) != 2 || len(list) != 3 {
		t.Fatalf("%s of %s has %d cells and %d invocations", c.Design, c.Source, len(c.Cells), len(list))
	}
	if list[0].Cell != "c00" || list[1].Cell != "c01" || list[2].Cell != "c01" || c.Cells[1].Baseline != "c00" {
		t.Errorf("cells %s %s %s", list[0].Cell, list[1].Cell, list[2].Cell)
	}
	want := map[string]float64{
		"requests": 5, "lost": 4, "right": 1, "wrong": 1, "refused": 1, "reset": 1, "timed_out": 1, "truncated": 0,
		"throughput": 1 / 5.3,
	}
	if diff := cmp.Diff(want, list[0].Scalars); diff != "" {
		t.Errorf("scalars (-want +got):\n%s", diff)
	}
	if len(list[0].Warnings) != 2 || !strings.Contains(list[0].Warnings[1], "1 requests failed with javax.net.ssl.SSLException") {
		t.Errorf("warnings %q", list[0].Warnings)
	}
	if got := list[0].End.Sub(list[0].Start); got != 5300*time.Millisecond {
		t.Errorf("it took %v", got)
	}
}

// What came from a JTL goes into one again as it was.
func TestImportAndWrite(t *testing.T) {
	s := importing.Store(t, importer.Request{}, files(t, small))
	var b bytes.Buffer
	done, err := Write(&b, s, testimport.Invocations(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if done.Requests != 5 || done.Exact != 0 {
		t.Errorf("wrote %+v", done)
	}
	want := strings.Join(header, ",") + `
1700000000000,15,"a ""quoted"", label",,,b0001.s00.r0,,false,wrong answer,0,0,0,0,null,9,0,0
1700000000100,12,home,200,OK,b0001.s00.r0,,true,,0,0,0,0,null,7,0,3
1700000000200,21,home,Non HTTP response code: java.net.ConnectException,Non HTTP response message: Connection refused,b0001.s00.r0,,false,,0,0,0,0,null,0,0,0
1700000000300,5000,home,Non HTTP response code: java.net.SocketTimeoutException,Non HTTP response message: Read timed out,b0001.s00.r0,,false,,0,0,0,0,null,0,0,0
1700000000400,3,home,Non HTTP response code: java.net.SocketException,Non HTTP response message: Connection reset,b0001.s00.r0,,false,,0,0,0,0,null,0,0,0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("JTL (-want +got):\n%s", diff)
	}
}

func TestColumnsInAnyOrder(t *testing.T) {
	for name, text := range map[string]string{
		"few columns":       "success,timeStamp,elapsed\nTRUE,1700000000000,12\n",
		"status instead":    "elapsed,responseCode,timeStamp\n12,204,1700000000000\n",
		"semicolons":        "timeStamp;elapsed;success\n1700000000000;12;true\n",
		"tabs":              "timeStamp\telapsed\tsuccess\n1700000000000\t12\ttrue\n",
		"of another system": "\ufefftimeStamp,elapsed,success\r\n1700000000000,12,true\r\n",
		"columns of a user": "timeStamp,elapsed,\"user,id\",success\n1700000000000,12,\"a\nb\",true\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := importing.Store(t, importer.Request{}, files(t, text))
			inv := testimport.Invocations(t, s)[0]
			if inv.Scalars["right"] != 1 || inv.Scalars["requests"] != 1 {
				t.Errorf("scalars %v", inv.Scalars)
			}
			for _, m := range s.Campaign().Scenarios[0].Metrics {
				if m.Name == "first_byte" || m.Name == "connect" {
					t.Errorf("it has the metric %s, which the file does not", m.Name)
				}
			}
		})
	}
}

func TestMistakes(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"xml":           {"<?xml version=\"1.0\"?>\n<testResults>", "v0.jtl:1: this is a JTL in XML; save it as CSV: set jmeter.save.saveservice.output_format=csv"},
		"empty":         {"", "v0.jtl: it is empty"},
		"no samples":    {"timeStamp,elapsed,success\n", "v0.jtl: it has no samples"},
		"no header":     {"1700000000000,12,true\n", "v0.jtl:1: the first line does not name the columns (timeStamp,elapsed,label,…): set jmeter.save.saveservice.print_field_names=true"},
		"columns":       {"timeStamp,timeStamp,label\n", "v0.jtl:1: there are two columns timeStamp\nv0.jtl:1: there is no column elapsed: nothing can be said without it\nv0.jtl:1: there is neither success nor responseCode: nothing says which requests were lost"},
		"numbers":       {"timeStamp,elapsed,success\n2023/11/14 22:13:20,12ms,yes\n1700000000000,-1,true\n9223372036854,9223372036854,true\n1700000000000,99999999999999999999,true\n", "v0.jtl:2: timeStamp \"2023/11/14 22:13:20\" is not a number of milliseconds: set jmeter.save.saveservice.timestamp_format=ms\nv0.jtl:2: elapsed \"12ms\" is not a number of milliseconds\nv0.jtl:2: success \"yes\" is neither true nor false\nv0.jtl:3: elapsed \"-1\" is not a time: want milliseconds from 0 to 9223372036854\nv0.jtl:4: timeStamp and elapsed add up to more than any clock\nv0.jtl:5: elapsed \"99999999999999999999\" is not a time: want milliseconds from 0 to 9223372036854"},
		"widths":        {"timeStamp,elapsed,success\n1,2\n1,2,true,4\n", "v0.jtl:2: it has 2 columns, and the first line 3: a line break in a field without quotes?\nv0.jtl:3: it has 4 columns, and the first line 3: a comma in a field without quotes?"},
		"quotes":        {"timeStamp,elapsed,success\n1,2,tr\"u\"e\n1700000000000,x,true\n", "v0.jtl:2: bare \" in non-quoted-field\nv0.jtl:3: elapsed \"x\" is not a number of milliseconds"},
		"an open quote": {"timeStamp,elapsed,success\n1,2,\"true\n1,2\n", "v0.jtl:2: a quote is not closed\nv0.jtl:3: it has 2 columns, and the first line 3: a line break in a field without quotes?"},
		"a long line":   {"timeStamp,elapsed,success\n1,2,\"" + strings.Repeat("x", 3*recordMost) + "\n", "v0.jtl:2: a line is longer than 1 MiB: is this a JTL?"},
		"seconds":       {"timeStamp,elapsed,success\n1700000000,2,true\n1700000001,2,true\n", "v0.jtl:2: timeStamp \"1700000000\" is of January 1970: seconds instead of milliseconds? Set jmeter.save.saveservice.timestamp_format=ms"},
		"cut off":       {"timeStamp,elapsed,success\n1700000000,2", "v0.jtl:2: the file ends within this line: was JMeter killed while it wrote?"},
		"JMH's CSV":     {"\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"\n", "v0.jtl: this is JMH's CSV, which holds one mean per benchmark and no forks: run JMH with -rf json, whose file has every fork and iteration"},
		"nothing sent":  {"timeStamp,elapsed,label,responseCode,success\n1700000000000,0,,Non HTTP response code: java.net.MalformedURLException,false\n1700000000009,0,,Non HTTP response code: java.net.MalformedURLException,false\n", "v0.jtl: no request was sent: 2 of 2 MalformedURLException in the load generator"},
		"binary":        {"\x00\x01\x02PAR1", "v0.jtl:1: the first line does not name the columns (timeStamp,elapsed,label,…): set jmeter.save.saveservice.print_field_names=true"},
	} {
		t.Run(name, func(t *testing.T) {
			sources := files(t, c.text)
			dir := filepath.Join(t.TempDir(), "campaign")
			_, err := importFiles(t.Context(), importer.Request{Dir: dir, Files: sources, Name: "x"})
			var mistakes *refusal.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v", err)
			}
			if got := strings.ReplaceAll(err.Error(), filepath.Dir(sources[0].Path)+"/", ""); got != c.want {
				t.Errorf("mistakes\n%s\nwant\n%s", got, c.want)
			}
			if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
		})
	}
}

// The mistakes of all files are in one error, which does not grow with them.
func TestManyMistakes(t *testing.T) {
	text := "timeStamp,elapsed,success\n" + strings.Repeat("1700000000000,x,true\n", 30)
	_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(t, text, text+"\n")})
	if err == nil || strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(), "\nand 40 more") {
		t.Errorf("error %v", err)
	}
}

// The samples of a file are held in memory: they have an end.
func TestSamplesAreLimited(t *testing.T) {
	text := "timeStamp,elapsed,success\n" + strings.Repeat("1700000000000,2,true\n", 30)
	for most, want := range map[int]string{30: "", 29: "x:31: it has more than 29 samples: split the file, each part of it is an invocation then"} {
		mistakes := &refusal.Mistakes{}
		f := readFile("x", strings.NewReader(text), most, false, newTables(), mistakes)
		if got := mistakes.Error(); got != want || f.lines != most {
			t.Errorf("%d samples, %q, want %q", f.lines, got, want)
		}
	}
}

// What is not a file is not waited for, nor read without end.
func TestNoFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.jtl")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: []importer.File{{Variant: "none", Path: path}}})
		if err == nil || !strings.HasSuffix(err.Error(), "it is not a regular file") {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

func TestImportIntoWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := importFiles(t.Context(), importer.Request{Dir: dir, Files: files(t, small)}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("error %v", err)
	}
}

func TestManyLabelsShareAName(t *testing.T) {
	text := "timeStamp,elapsed,label,success\n"
	for i := range 3 * labelsMost {
		text += fmt.Sprintf("%d,1,/item/%d,true\n", 1_700_000_000_000+i, i)
	}
	inv := testimport.Invocations(t, importing.Store(t, importer.Request{}, files(t, text)))[0]
	for _, c := range inv.Series[0].Columns {
		if c.Name == columns[rowRequest].name && (len(c.Dict) != labelsMost+1 || c.Dict[labelsMost] != others) {
			t.Errorf("%d labels, the last is %s", len(c.Dict), c.Dict[len(c.Dict)-1])
		}
	}
}

// measured is a campaign of moobench's own: the first request was sent at 1 ms
// of the load's clock, and the last answer was there at 10 s.
func measured(t *testing.T, requests int) (*results.Store, int64) {
	t.Helper()
	s, err := results.Create(filepath.Join(t.TempDir(), "c"), &results.Campaign{Scenarios: []results.Scenario{{Label: "x"}}, Cells: []results.Cell{{ID: "c00"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const boot = 123_456_789_012_345
	start := time.UnixMilli(1_700_000_000_000).UTC()
	inv := &results.Invocation{Cell: "c00", Status: results.StatusOK, Start: start, End: start.Add(13 * time.Second)}
	rng := rand.New(rand.NewPCG(1, 2))
	var all []importer.Samples
	for i, name := range []string{results.SeriesRequest, results.SeriesBroken, results.SeriesRamp, results.SeriesTimeline} {
		columns := results.RequestColumns()
		values := make([][]int64, len(columns))
		for n := range requests {
			at := int64(boot) + rng.Int64N(9e9)
			switch {
			case i == 0 && n == 0:
				at = boot
			case i == 0 && n == 1:
				at = boot + 10e9 - 5e6 - 1e6
			}
			for c, v := range []int64{at, 6e6, 5e6, 1e6, int64(n % 7), 0} {
				values[c] = append(values[c], v)
			}
		}
		all = append(all, importer.Samples{Series: results.Series{Name: name, Columns: columns, Batch: 1}, Values: values})
	}
	if err := importer.Seal(s, results.Identity{Block: 1}, inv, all...); err != nil {
		t.Fatal(err)
	}
	return s, 3 * int64(requests)
}

// Whether rows are sorted in memory or in files makes no difference, and none is
// lost.
func TestWriteSorts(t *testing.T) {
	s, n := measured(t, 500)
	var inMemory, inFiles bytes.Buffer
	done, err := Write(&inMemory, s, testimport.Invocations(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(&inFiles, s, testimport.Invocations(t, s), 64); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(inMemory.Bytes(), inFiles.Bytes()) {
		t.Error("rows sorted in files differ from those sorted in memory")
	}
	lines := strings.Split(strings.TrimSpace(inMemory.String()), "\n")[1:]
	if int64(len(lines)) != n || done.Requests != n {
		t.Errorf("%d lines, said to be %d, instead of %d", len(lines), done.Requests, n)
	}
	before := ""
	for _, line := range lines {
		stamp, _, _ := strings.Cut(line, ",")
		if stamp < before {
			t.Fatalf("%s stands behind %s", stamp, before)
		}
		before = stamp
	}
}

// The load took 9.999 s of the 13 s of its invocation: that the middle is at most
// half of the rest off is all that is known.
func TestTimesOfDay(t *testing.T) {
	s, _ := measured(t, 50)
	var b bytes.Buffer
	done, err := Write(&b, s, testimport.Invocations(t, s))
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Split(b.String(), "\n")[1]
	if want := "1700000001500,5,request 0,200,OK,"; !strings.HasPrefix(first, want) {
		t.Errorf("first line %s, want %s", first, want)
	}
	if done.Exact != 1500500*time.Microsecond {
		t.Errorf("exact to %v", done.Exact)
	}
}

func TestWriteSaysThatTheDiskIsFull(t *testing.T) {
	s, _ := measured(t, 500)
	if _, err := Write(full{}, s, testimport.Invocations(t, s)); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

var errFull = errors.New("no space left")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestJMeterReportsWhatIsWritten(t *testing.T) {
	jmeter, err := exec.LookPath("jmeter")
	if err != nil {
		t.Skip("needs jmeter (3.0 or later) on PATH")
	}
	s, n := measured(t, 100)
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "export.jtl"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Write(f, s, testimport.Invocations(t, s)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(jmeter, "-g", f.Name(), "-o", filepath.Join(dir, "report"), "-j", filepath.Join(dir, "jmeter.log"))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	statistics, err := os.ReadFile(filepath.Join(dir, "report", "statistics.json"))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`"sampleCount" : %d,`, n); !strings.Contains(string(statistics), want) {
		t.Errorf("JMeter's statistics do not say %s:\n%s", want, statistics)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("timeStamp,elapsed,success\n1700000000000,2,true\n1700000000000,2,\"tr\n")
	f.Add("timeStamp,elapsed,label,responseMessage,threadName,success\n1700000000000,2,a,\"Number of samples in transaction : 1, number of failing samples : 0\",T,true\n1700000000000,2,a-0,,T,true\n")
	f.Fuzz(func(t *testing.T, text string) {
		mistakes, tables := &refusal.Mistakes{}, newTables()
		x := readFile("x", strings.NewReader(text), samplesMost, false, tables, mistakes)
		if mistakes.Count > 0 {
			return
		}
		if x.lines == 0 {
			t.Error("neither a sample nor a mistake")
		}
		for _, run := range runsOf([]*file{x}, tables) {
			s := run.samples(tables)
			for _, values := range s.values {
				if len(values) != len(s.values[rowSent]) {
					t.Error("columns differ in length")
				}
			}
		}
	})
}
