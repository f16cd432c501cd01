package importer

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"moobench/refusal"
)

// write writes files into a new folder, and returns their paths.
func write(t *testing.T, texts ...string) []File {
	t.Helper()
	dir := t.TempDir()
	var all []File
	for i, text := range texts {
		path := filepath.Join(dir, string(rune('a'+i)))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all = append(all, File{Path: path})
	}
	return all
}

// readAll reads files as a format does; mistakes are without the folder.
func readAll(t *testing.T, files []File) (texts []string, wrong string) {
	t.Helper()
	err := Request{Files: files}.ReadFiles(t.Context(), Bound{}, &refusal.Mistakes{}, func(_ File, in io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(in, 5)) // a format may stop early
		texts = append(texts, string(text))
		return err
	})
	if err != nil {
		wrong = strings.ReplaceAll(err.Error(), filepath.Dir(files[0].Path)+"/", "")
	}
	return texts, wrong
}

func TestTexts(t *testing.T) {
	for name, c := range map[string]struct{ text, want, wrong string }{
		"plain":             {"1,2,3\n", "1,2,3", ""},
		"short":             {"1", "1", ""},
		"empty":             {"", "", ""},
		"byte order mark":   {"\ufeff1,2,3\n", "1,2,3", ""},
		"UTF-16":            {"\xff\xfe" + sixteen("1,2\n", false), "", "a: it is UTF-16"},
		"UTF-16, the other": {"\xfe\xff" + sixteen("1,2\n", true), "", "a: it is UTF-16"},
		"UTF-16 unmarked":   {sixteen("1,2\n", false), "", "a: it is UTF-16"},
		"UTF-16, a letter":  {sixteen("1\n", true), "", "a: it is UTF-16"},
		"a byte, and zeros": {"1\x00\x00\x00", "1\x00\x00\x00", ""},
		"of another tool":   {"\ufeffresponse-time,DNS+dialup,DNS\n1,2,3\n", "", "a: this is hey's CSV"},
	} {
		t.Run(name, func(t *testing.T) {
			texts, wrong := readAll(t, write(t, c.text))
			if got := strings.Join(texts, ""); got != c.want || !strings.HasPrefix(wrong, c.wrong) || (wrong == "") != (c.wrong == "") {
				t.Errorf("%q, %q", got, wrong)
			}
		})
	}
}

// TestBound: a file that is longer than any result file of a tool is not read, and said to be.
func TestBound(t *testing.T) {
	for n, wrong := range map[int]bool{9: false, 10: false, 11: true} {
		files, read, mistakes := write(t, strings.Repeat("x", n)), 0, &refusal.Mistakes{}
		err := Request{Files: files}.ReadFiles(t.Context(), Bound{Bytes: 10, Tool: "JMH"}, mistakes, func(_ File, in io.Reader) error {
			text, err := io.ReadAll(in)
			read += len(text)
			return err
		})
		if said := err != nil && strings.Contains(err.Error(), "it is longer than 10 bytes: is this a result file of JMH?"); said != wrong || read != map[bool]int{false: n, true: 0}[wrong] {
			t.Errorf("%d bytes: %d are read, %v", n, read, err)
		}
	}
}

// sixteen is a text in UTF-16 without a byte order mark.
func sixteen(text string, big bool) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		low, high := byte(unit), byte(unit>>8)
		if big {
			low, high = high, low
		}
		b.Write([]byte{low, high})
	}
	return b.String()
}

// What is given twice was measured once, whatever it is called, and however much of it a format reads.
func TestCopies(t *testing.T) {
	_, wrong := readAll(t, write(t, "1,2,3,4", "1,2,3,5", "1,2,3,4"))
	if want := "c: it has the content of a, byte for byte: what is given twice was measured once; leave one out"; wrong != want {
		t.Errorf("%q, want %q", wrong, want)
	}
	one := write(t, "1")
	if _, wrong := readAll(t, append(one, one...)); !strings.HasPrefix(wrong, "a: it is named twice") {
		t.Errorf("%q", wrong)
	}
}

// Each of these tools writes such a beginning; who has its file is told which tool's it is.
func TestForeign(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"JMH's CSV":         {"\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\",\"Score Error (99.9%)\",\"Unit\"\n", "this is JMH's CSV"},
		"JMH's SCSV":        {"\"Benchmark\";\"Mode\";\"Threads\";\"Samples\";\"Score\"\r\n", "this is JMH's CSV"},
		"JMH's table":       {"Benchmark  (agent)  Mode  Cnt  Score   Error  Units\n", "this is what JMH prints"},
		"JMH's log":         {"# JMH version: 1.37\n# VM version: JDK 17\n", "this is what JMH prints"},
		"github":            {"window.BENCHMARK_DATA = {\n", "this is data.js of github-action-benchmark"},
		"k6's CSV":          {"metric_name,timestamp,metric_value,check\n", "this is k6's CSV"},
		"k6's JSON":         {"{\"type\":\"Metric\",\"data\":{},\"metric\":\"x\"}\n{\"type\":\"Point\"}\n", "this is k6's JSON"},
		"k6's summary":      {"{\n \"root_group\": {},\n \"metrics\": {}\n}", "this is k6's summary"},
		"hey":               {"response-time,DNS+dialup,DNS,Request-write\n", "this is hey's CSV"},
		"oha":               {"request-start,DNS,DNS+dialup,Response-delay,request-duration\n", "this is oha's CSV"},
		"Locust":            {"Type,Name,Request Count,Failure Count\n", "this is Locust's statistics"},
		"Locust's history":  {"Timestamp,User Count,Type,Name\n", "this is Locust's history"},
		"hyperfine":         {"{\n \"results\": [\n {\n \"command\": \"x\",\n \"mean\": 0.1, \"times\": [1]}]}", "this is hyperfine's JSON"},
		"hyperfine's means": {"{\"results\": [{\"command\": \"x\", \"mean\": 0.1}]}", "this is hyperfine's JSON"},
		"hyperfine's CSV":   {"command,mean,stddev,median,user,system,min,max\n", "this is hyperfine's CSV"},
		"JMeter's report":   {"Label,# Samples,Average,Median\n", "this is JMeter's aggregate report"},
		"ab":                {"starttime\tseconds\tctime\tdtime\tttime\twait\n", "this is ab's table"},
		"wrk":               {"Running 30s test @ http://127.0.0.1/\n  2 threads\n", "this is what wrk prints"},
		"Go":                {"goos: linux\ngoarch: amd64\n", "this is what go test -bench prints"},
		"ours: JMH":         {"[\n {\n  \"jmhVersion\": \"1.37\",\n  \"benchmark\": \"x\"", ""},
		"ours: JTL":         {"timeStamp,elapsed,label,responseCode\n", ""},
		"ours: JTL in XML":  {"<?xml version=\"1.0\"?>\n<testResults>", ""},
		"ours: MooBench":    {"1;1000;2000;0\n", ""},
		"ours: OTel":        {"timestamp,none:requestAvg\n", ""},
		"no columns of JMH": {"Benchmark  Time  CPU  Iterations  Score\n", ""},
		"no score of JMH":   {"Benchmark  Mode  Cnt  Time  Units\n", ""},
		"no table of JMH":   {"Machine  Mode  Cnt  Score  Units\n", ""},
		"a score alone":     {"Name  Cnt  Games  Score  Rank\n", ""},
		"k6's first key":    {"{\"type\":\"Metric\"}\n{\"metric\":\"x\"}\n", ""},
		"no metric of k6":   {"{\"type\":\"Line\",\"metric\":\"x\"}\n", ""},
		"no run of wrk":     {"Running tests\n test @ x\n", ""},
		"no command":        {"{\"results\": [{\"mean\": 1, \"times\": [1]}]}", ""},
		"no times":          {"{\"results\": [{\"command\": \"x\"}]}", ""},
		"an empty file":     {"", ""},
		"a line of columns": {"a,b", ""},
	} {
		if got := adviceOn(c.text); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
