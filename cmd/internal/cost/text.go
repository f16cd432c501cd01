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

// Number of blocks per question, and the time limits that may lower it. For a method, runs that
// measure resources come on top.
const (
	usualBlocks, quickBlocks = 20, 10
	methodTime, programTime  = "90s", "2min"
	quickTime                = "40s"
)

// text is the benchmarks.toml.
func (q *Question) text(agent, other subject) []byte {
	d := &strict.Draft{}
	name, _, _ := strings.Cut(agent.variant, "/")
	sign := func(r rune) bool { return strings.ContainsRune("+@~ ", r) }
	folder := strings.Join(strings.FieldsFunc(name[:min(len(name), 50)], sign), "-")
	d.Set("name", "cost-"+folder) // it becomes that of a folder
	if q.Quick {
		d.Set("about", QuickAbout)
	}
	if q.JDK != "" {
		d.Table("jvm").Set("home", q.rooted(q.JDK))
	}
	switch q.use() {
	case "command":
		command := d.Table("command")
		q.program(command, q.Command)
		if q.Expect != "" {
			command.Set("output", q.Expect)
		}
	case "server":
		q.server(d.Table("server"))
	}
	d.List("scenario", q.scenario(agent, other))
	if q.WorseBy != "" {
		d.Put("gate", q.gate(other.variant))
	}
	for _, s := range []subject{other, agent} {
		for _, section := range s.sections {
			d.Table(section.kind).Put(section.name, section.Draft)
		}
	}
	return d.Text(fmt.Sprintf("What does %s cost? Written by moobench cost; measured again by moobench run %s", name,
		filepath.Base(cmp.Or(q.Save, "benchmarks.toml"))))
}

// scenario returns the section of that name.
func (q *Question) scenario(agent, other subject) *strict.Draft {
	d, use := &strict.Draft{}, q.use()
	d.Set("use", use)
	variants := []string{"none", other.variant, agent.variant}
	d.Set("variants", slices.DeleteFunc(variants, func(v string) bool { return v == "" }))
	if q.Pattern != "" {
		d.Set("pattern", q.Pattern)
	}
	blocks, within := usualBlocks, methodTime
	if use != "overhead" {
		within = programTime
	}
	if q.Quick {
		blocks, within = quickBlocks, quickTime
	}
	switch {
	case q.Precision != "":
		d.Set("precision", q.Precision)
	case q.Blocks > 0:
		d.Set("blocks", q.Blocks)
	default:
		d.Set("blocks", blocks)
		d.Note("max_time", within, "then there are fewer blocks")
	}
	if q.Within != "" && use != "server" {
		d.Set("timeout", q.Within)
	}
	if use == "server" {
		q.load(d)
	}
	switch usual := 3; { // as the file has it by default
	case use != "overhead":
		d.Note("resources", 0, "memory is measured in every run")
	case q.Memory >= 0:
		d.Note("resources", q.Memory, "runs in which only memory is measured")
	case q.Blocks > 0 && q.Blocks < usual:
		d.Note("resources", q.Blocks, "no more runs for memory than blocks")
	}
	return d
}

// load says what is sent to a server.
func (q *Question) load(d *strict.Draft) {
	d.Note("arrival", "constant", "the same load for each: no client waits for a slow server")
	if q.Rate > 0 {
		d.Set("rate", q.Rate)
	} else {
		d.Note("rate", usualRate, "moobench cost takes half of what the server handles, which was not tried")
	}
	d.Set("ramp", "2s")
	d.Set("hold", "5s")
}

// environment returns the variables of a program, or of the JVM of an agent.
func environment(all []string) map[string]any {
	values := map[string]any{}
	for _, e := range all {
		name, value, _ := strings.Cut(e, "=")
		values[name] = value
	}
	return values
}

// QuickAbout is the description of a quick campaign.
const QuickAbout = "Measured in a minute (--quick): its intervals are wide."

// program says how a program of the user's own is started: in this folder, with the agent's
// arguments just behind a java.
func (q *Question) program(d *strict.Draft, words []string) {
	run := slices.Clone(words)
	if holds := strings.Contains(strings.Join(words, " "), "{agent}"); !holds && filepath.Base(run[0]) == "java" {
		run = slices.Insert(run, 1, "{agent}")
	}
	if run[0] == "java" {
		run[0] = "{java}"
	}
	d.Set("run", run)
	if here, err := os.Getwd(); err == nil && q.rooted(".") == here {
		d.Set("dir", here)
	}
	if len(q.Env) > 0 {
		d.Set("env", environment(q.Env))
	}
}

// server says how the user's own server is started, and what it is asked for.
func (q *Question) server(d *strict.Draft) {
	at := func(path string) string {
		if strings.HasPrefix(path, "/") {
			return "http://127.0.0.1:{port}" + path
		}
		return path
	}
	q.program(d, strings.Fields(q.Server))
	d.Set("ready", at(cmp.Or(q.Ready, q.Get[0])))
	if q.Within != "" {
		d.Set("within", q.Within)
	}
	d.List("request", results.Each(q.Get, func(path string) *strict.Draft {
		request := &strict.Draft{}
		request.Set("url", at(path))
		if q.Expect != "" {
			request.Set("match", q.Expect)
		}
		return request
	})...)
}

// proof is a proof as the file has it. Short for a table are the name of a source, and
// NAME=VALUE of a source that has to be told what to look at: file=PATTERN (its lines are
// counted), log=EXPRESSION, http=URL METRIC, command=WORDS.
func (q *Question) proof(short string) any {
	name, value, told := strings.Cut(short, "=")
	_, err := receiver.FormatNamed(name)
	switch {
	case strings.HasPrefix(short, "{"):
		doc, err := strict.Parse("--proof", []byte("proof = "+short))
		if err != nil {
			return short // which is not proof: what reads the file says so
		}
		return doc.Root().Key("proof").Raw
	case short == "none" || err != nil && !told:
		return short
	case !told:
		return map[string]any{"count": short}
	case name == "file":
		return map[string]any{"file": value, "lines": true}
	case name == "command":
		words := strings.Fields(value)
		if len(words) > 0 && strings.HasPrefix(words[0], ".") {
			words[0] = q.rooted(words[0])
		}
		return map[string]any{"command": words}
	}
	if url, metric, two := strings.Cut(value, " "); two && name == "http" {
		return map[string]any{"http": url, "metric": strings.TrimSpace(metric)}
	}
	return map[string]any{name: value}
}
