package jtl

import "strings"

// foreign are the first lines of other tools' files that are taken for a JTL by their names.
var foreign = []struct {
	begins string // of the first line, in lower case and without quotes
	text   string
}{
	{"<", "this is a JTL in XML; save it as CSV: set jmeter.save.saveservice.output_format=csv"},
	{"benchmark,mode,", "this is JMH's CSV, which holds one mean for each benchmark and none of its forks: run it with -rf json -rff result.json, and import that"},
	{
		"metric_name,timestamp,metric_value", "this is k6's CSV: k6's results are not read; each of its runs is one invocation, " +
			"so that its mean http_req_duration is one number: give those of several runs to moobench test",
	},
	{
		"response-time,dns+dialup,dns,", "this is hey's CSV, which hey writes without the time of day: it is not read; each of its runs is one invocation, " +
			"so that its mean response-time is one number: give those of several runs to moobench test",
	},
	{
		"type,name,request count,", "this is Locust's table of statistics, which has no requests: it is not read; each of its runs is one invocation, " +
			"so that its average response time is one number: give those of several runs to moobench test",
	},
	{
		"timestamp,user count,type,name,", "this is Locust's history, which has no requests: it is not read; each of its runs is one invocation, " +
			"so that its average response time is one number: give those of several runs to moobench test",
	},
	{
		"command,mean,stddev,", "this is hyperfine's CSV, which has no single runs: run it with --export-json, " +
			"and give the times of its runs to moobench test; moobench cost measures a command with an agent and without",
	},
	{"percentage served,time in ms", "this is ab's table of percentiles, which has no requests: it is not read; record with JMeter, as CSV"},
	{"pk\x03\x04", "this is a zip file: unpack it"},
	{"\x1f\x8b", "this is a gzip file: unpack it"},
	{"\xff\xfe", utf16},
	{"\xfe\xff", utf16},
}

const utf16 = "this file is UTF-16, as PowerShell's > writes: save it as UTF-8"

// notJTL says what a file is whose first line does not name JMeter's columns.
func notJTL(first string) string {
	lower := strings.ToLower(strings.ReplaceAll(first, `"`, ""))
	for _, f := range foreign {
		if strings.HasPrefix(first, f.begins) || strings.HasPrefix(lower, f.begins) {
			return f.text
		}
	}
	return "the first line does not name the columns (timeStamp,elapsed,label,…): set jmeter.save.saveservice.print_field_names=true"
}
