package cost

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// How many blocks a question gets, if so many fit into the time: there are runs of
// resources besides, where a method is called.
const (
	usualBlocks, quickBlocks = 20, 10
	methodTime, programTime  = "90s", "2min"
	quickTime                = "40s"
)

// text is the benchmarks.toml.
func (q *Question) text(agent, other subject) string {
	var t strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&t, format+"\n", args...) }
	name, _, _ := strings.Cut(agent.variant, "/")
	line("# What does %s cost? Written by moobench cost; measured again by moobench run %s", name, filepath.Base(cmp.Or(q.Save,
		"benchmarks.toml")))
	line("name  = %s", strict.Literal("cost-"+strings.NewReplacer("+", "-", "@", "-", "~", "-").Replace(name[:min(len(name), 50)]))) // it becomes that of a folder
	if q.Quick {
		line("about = %s", strict.Literal(QuickAbout))
	}
	if q.JDK != "" {
		line("\n[jvm]\nhome  = %s", strict.Literal(q.rooted(q.JDK)))
	}
	use, blocks, within := q.use(), usualBlocks, methodTime
	switch use {
	case "command":
		within = programTime
		line("\n[command]")
		q.program(line, q.Command)
		if q.Expect != "" {
			line("output = %s", strict.Literal(q.Expect))
		}
	case "server":
		within = programTime
		q.server(line)
	}
	line("\n[[scenario]]\nuse       = %s", strict.Literal(use))
	variants := []string{"none", other.variant, agent.variant}
	line("variants  = %s", strict.Literal(slices.DeleteFunc(variants, func(v string) bool { return v == "" })))
	if q.Pattern != "" {
		line("pattern   = %s", strict.Literal(q.Pattern))
	}
	if q.Quick {
		blocks, within = quickBlocks, quickTime
	}
	switch {
	case q.Precision != "":
		line("precision = %s", strict.Literal(q.Precision))
	case q.Blocks > 0:
		line("blocks    = %d", q.Blocks)
	default:
		line("blocks    = %d\nmax_time  = %s # then there are fewer blocks", blocks, strict.Literal(within))
	}
	if q.Within != "" && use != "server" {
		line("timeout   = %s", strict.Literal(q.Within))
	}
	q.load(line, use)
	switch usual := 3; { // as the file has it by default
	case use != "overhead":
		line("resources = 0 # memory is measured in every run")
	case q.Memory >= 0:
		line("resources = %d # runs in which only memory is measured", q.Memory)
	case q.Blocks > 0 && q.Blocks < usual:
		line("resources = %d # no more runs for memory than blocks", q.Blocks)
	}
	q.gate(line, other.variant)
	for _, s := range []subject{other, agent} {
		for _, section := range s.sections {
			line("\n[%s]\n%s", section.name, strings.Join(section.lines, "\n"))
		}
	}
	return t.String()
}

// load writes what is sent to a server.
func (q *Question) load(line func(format string, args ...any), use string) {
	if use != "server" {
		return
	}
	line("arrival   = \"constant\" # the same load for each: no client waits for a slow server")
	if q.Rate > 0 {
		line("rate      = %d", q.Rate)
	} else {
		line("rate      = %d # moobench cost takes half of what the server bears, which was not tried", usualRate)
	}
	line("ramp      = \"2s\"\nhold      = \"5s\"")
}

// environment writes the variables of a program, or of the JVM of an agent.
func environment(all []string) string {
	pairs := results.Each(all, func(e string) string {
		name, value, _ := strings.Cut(e, "=")
		return strict.LiteralKey(name) + " = " + strict.Literal(value)
	})
	return "{ " + strings.Join(pairs, ", ") + " }"
}

// QuickAbout is what a quick campaign says of itself.
const QuickAbout = "Measured in a minute (--quick): its intervals are wide."

// program writes how a program of the user's own is started: in this folder, with the
// agent's arguments just behind a java.
func (q *Question) program(line func(format string, args ...any), words []string) {
	run := slices.Clone(words)
	if holds := strings.Contains(strings.Join(words, " "), "{agent}"); !holds && filepath.Base(run[0]) == "java" {
		run = slices.Insert(run, 1, "{agent}")
	}
	if run[0] == "java" {
		run[0] = "{java}"
	}
	line("run   = %s", strict.Literal(run))
	if here, err := os.Getwd(); err == nil && q.rooted(".") == here {
		line("dir   = %s", strict.Literal(here))
	}
	if len(q.Env) > 0 {
		line("env   = %s", environment(q.Env))
	}
}

// server writes how the user's own server is started, and what it is asked for.
func (q *Question) server(line func(format string, args ...any)) {
	at := func(path string) string {
		if strings.HasPrefix(path, "/") {
			path = "http://127.0.0.1:{port}" + path
		}
		return strict.Literal(path)
	}
	line("\n[server]")
	q.program(line, strings.Fields(q.Server))
	line("ready = %s", at(cmp.Or(q.Ready, q.Get[0])))
	if q.Within != "" {
		line("within = %s", strict.Literal(q.Within))
	}
	for _, path := range q.Get {
		line("\n[[server.request]]\nurl   = %s", at(path))
		if q.Expect != "" {
			line("match = %s", strict.Literal(q.Expect))
		}
	}
}

// proofText is a proof as the file has it. Short for a table are the name of a source, and
// NAME=VALUE of a source that has to be told what to look at: file=PATTERN (its lines are
// counted), log=EXPRESSION, http=URL METRIC, command=WORDS.
func (q *Question) proofText(short string) string {
	name, value, told := strings.Cut(short, "=")
	_, err := receiver.FormatNamed(name)
	switch {
	case strings.HasPrefix(short, "{"):
		return short
	case short == "none" || err != nil && !told:
		return strict.Literal(short)
	case !told:
		return "{ count = " + strict.Literal(short) + " }"
	case name == "file":
		return "{ file = " + strict.Literal(value) + ", lines = true }"
	case name == "command":
		words := strings.Fields(value)
		if len(words) > 0 && strings.HasPrefix(words[0], ".") {
			words[0] = q.rooted(words[0])
		}
		return "{ command = " + strict.Literal(words) + " }"
	}
	if url, metric, two := strings.Cut(value, " "); two && name == "http" {
		return "{ http = " + strict.Literal(url) + ", metric = " + strict.Literal(strings.TrimSpace(metric)) + " }"
	}
	return "{ " + strict.LiteralKey(name) + " = " + strict.Literal(value) + " }"
}
