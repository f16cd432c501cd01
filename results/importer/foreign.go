package importer

import (
	"slices"
	"strings"
)

// Advice for files that hold too little, or that another verb reads.
const (
	jmhJSON = "run JMH with -rf json, whose file has every fork and iteration"
	asJTL   = "moobench reads requests as a JTL: a first line timeStamp,elapsed,label,success, " +
		"then a line for each request, both times in ms"
	onlySums = "it holds sums, and not the single requests or runs that an interval is made of"
)

// foreign lists tools whose files no format reads: how to recognise a file by its beginning, and advice for its
// owner. The first match counts.
var foreign = []struct {
	is     func(h head) bool
	advice string
}{
	{
		columns("Benchmark", "Mode", "Threads", "Samples"),
		"this is JMH's CSV, which holds one mean per benchmark and no forks: " + jmhJSON,
	},
	{isJMHText, "this is what JMH prints, which holds one mean per benchmark and no forks: " + jmhJSON},
	{
		begins("window.BENCHMARK_DATA"),
		"this is data.js of github-action-benchmark, a number for each commit: " +
			"moobench history import FILE makes nights of it",
	},
	{
		columns("metric_name", "timestamp", "metric_value"),
		"this is k6's CSV: " + asJTL +
			"; its rows http_req_duration have them (timestamp in s, metric_value in ms)",
	},
	{
		isK6JSON,
		"this is k6's JSON, a measured value a line: " + asJTL +
			"; its points http_req_duration have them (value in ms)",
	},
	{
		object("metrics", "root_group"),
		"this is k6's summary: " + onlySums +
			"; run k6 with --out csv=FILE, and make a JTL of its rows http_req_duration",
	},
	{
		columns("response-time", "DNS+dialup", "DNS"),
		"this is hey's CSV: " + asJTL + "; its columns offset and response-time have them (in s), " +
			"status-code says whether it was a success",
	},
	{
		columns("request-start", "DNS", "DNS+dialup"),
		"this is oha's CSV: " + asJTL + "; its columns request-start and request-duration have them (in s), " +
			"status says whether it was a success",
	},
	{
		columns("Type", "Name", "Request Count"),
		"this is Locust's statistics: " + onlySums + "; log each request in a listener of events.request, " +
			"as a JTL: a first line timeStamp,elapsed,label,success, both times in ms",
	},
	{
		columns("Timestamp", "User Count"),
		"this is Locust's history of statistics: " + onlySums + "; log each request in a listener of events.request, " +
			"as a JTL: a first line timeStamp,elapsed,label,success, both times in ms",
	},
	{
		columns("Method", "Name", "Error", "Occurrences"),
		"this is Locust's list of failures, without the requests that succeeded; " +
			"log each request in a listener of events.request, " +
			"as a JTL: a first line timeStamp,elapsed,label,success, both times in ms",
	},
	{
		isHyperfine,
		"this is hyperfine's JSON, single runs of a command: moobench test compares their times " +
			"(jq '.results[0].times[]' FILE > a.txt, one such file for each command, and moobench test a.txt b.txt), " +
			"and moobench cost measures a program with and without an agent by turns",
	},
	{
		columns("command", "mean", "stddev", "median"),
		"this is hyperfine's CSV: " + onlySums +
			"; run hyperfine with --export-json, and moobench test compares the times in it",
	},
	{
		columns("Label", "# Samples"),
		"this is JMeter's aggregate report: " + onlySums + "; import the JTL that it was made of",
	},
	{
		columns("sampler_label", "aggregate_report_count"),
		"this is JMeter's aggregate report: " + onlySums + "; import the JTL that it was made of",
	},
	{
		columns("starttime", "seconds", "ctime"),
		"this is ab's table of requests (-g): " + asJTL +
			"; its columns seconds (since 1970, in s) and ttime (in ms) have them",
	},
	{
		begins("This is ApacheBench"),
		"this is what ab prints: " + onlySums + "; run it with -g FILE, and make a JTL of that",
	},
	{isWrk, "this is what wrk prints: " + onlySums + "; measure with a tool that logs every request"},
	{
		begins("RUN\t", "ASSERTION\t"),
		"this is Gatling's simulation.log: " + asJTL +
			"; its lines REQUEST have start and end in ms, and OK or KO",
	},
	{
		object("context", "benchmarks"),
		"this is Google Benchmark's JSON, of native programs: " +
			"moobench test compares two samples of numbers, one a line",
	},
	{
		begins("goos:", "goarch:"),
		"this is what go test -bench prints: benchstat compares such files; " +
			"moobench test compares two samples of numbers, one a line",
	},
	{
		object("machine_info", "benchmarks"),
		"this is pytest-benchmark's JSON: moobench test compares two samples of numbers, one a line",
	},
}

// adviceOn returns advice on a file that no format reads, recognised by its beginning: which tool wrote it, and
// what to do; "" if it is unknown.
func adviceOn(text string) string {
	h := newHead(text)
	for _, f := range foreign {
		if f.is(h) {
			return f.advice
		}
	}
	return ""
}

// head is the beginning of a file.
type head struct {
	text    string
	columns []string // of the first line, with any separators and quotes
	words   []string // of the first line, split at blanks
}

func newHead(text string) head {
	h := head{text: strings.TrimLeft(text, " \t\r\n")}
	line := FirstLine(h.text)
	for _, field := range strings.FieldsFunc(line, func(c rune) bool { return c == ',' || c == ';' || c == '\t' }) {
		h.columns = append(h.columns, strings.Trim(strings.TrimSpace(field), `"`))
	}
	h.words = strings.Fields(line)
	return h
}

// columns matches a first line that begins with these column names.
func columns(names ...string) func(head) bool {
	return func(h head) bool { return len(h.columns) >= len(names) && slices.Equal(h.columns[:len(names)], names) }
}

// begins matches a text with any of these prefixes.
func begins(any ...string) func(head) bool {
	return func(h head) bool {
		return slices.ContainsFunc(any, func(start string) bool { return strings.HasPrefix(h.text, start) })
	}
}

// object matches a JSON object whose beginning has all these keys.
func object(keys ...string) func(head) bool {
	return func(h head) bool { return strings.HasPrefix(h.text, "{") && h.has(keys...) }
}

// has reports whether all these JSON keys are in the head.
func (h head) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return !strings.Contains(h.text, `"`+key+`"`) })
}

// isJMHText matches JMH's console output: its log, or the table at its end.
func isJMHText(h head) bool {
	table := len(h.words) > 3 && h.words[0] == "Benchmark" &&
		slices.Contains(h.words, "Mode") && slices.Contains(h.words, "Score")
	return table || begins("# JMH version", "# JMH ", "# Detecting actual CPU count")(h)
}

// isK6JSON matches k6's lines, each of which is a metric or one of its points.
func isK6JSON(h head) bool {
	line := head{text: FirstLine(h.text)}
	return strings.HasPrefix(line.text, "{") && line.has("type", "metric") && (line.has("Metric") || line.has("Point"))
}

func isHyperfine(h head) bool {
	return object("results", "command")(h) && (h.has("times") || h.has("mean"))
}

func isWrk(h head) bool {
	return strings.HasPrefix(h.text, "Running ") && strings.Contains(FirstLine(h.text), " test @ ")
}
