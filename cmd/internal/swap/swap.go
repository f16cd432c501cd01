// Package swap changes which methods of a running JVM are monitored, by asking
// moobench's hotswap agent in it, and says what that did.
package swap

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
	"moobench/harness/pattern"
	"moobench/refusal"
)

// Wanted is what is to be changed: nothing, or the list that is put in place of the
// agent's, and then patterns that are taken off and added.
type Wanted struct {
	replace  bool
	list     []string
	remove   []string // without signs
	patterns []string // with signs
	// Keep is the folder in which the agent keeps each entry and exit, as the JVM knows it; ""
	// where records are counted.
	Keep string
}

// Parse reads what is wanted: patterns with their signs, patterns that are taken off
// whatever their sign, and the file that holds the list with its text, "" when there is
// none. All that is wrong is in the error.
func Parse(patterns, remove []string, file, text string) (Wanted, error) {
	w := Wanted{replace: file != ""}
	var wrong []error
	add := func(to *[]string, given, where string) {
		text := pattern.Canonical(given)
		if pattern.Sign(text) == "" || strings.ContainsRune(text, ';') {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s%q is not + or - and one pattern", where, given),
				"in quotes, such as '+ com.acme..*.*(..)'"))
		} else if err := pattern.Check(pattern.Unsigned(text)); err != nil {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s%w", where, err), "such as '+ com.acme..*.*(..)'"))
		}
		*to = append(*to, text)
	}
	for _, p := range patterns {
		add(&w.patterns, p, "")
	}
	for _, p := range remove {
		if p = pattern.Canonical(p); pattern.Sign(p) != "" {
			p = pattern.Unsigned(p)
		}
		w.remove = append(w.remove, p)
	}
	pattern.Lines(text, func(line int, p string) { add(&w.list, p, fmt.Sprintf("%s:%d: ", file, line)) })
	return w, errors.Join(wrong...)
}

// Result is what was done to a JVM, and how it is now.
type Result struct {
	PID      int              `json:"pid"`
	JVM      string           `json:"jvm"`
	VM       string           `json:"vm"`
	Probe    string           `json:"probe"`          // whose records: moobench, kieker; events where they are kept
	Keep     string           `json:"keep,omitempty"` // the folder of those
	Change   *Change          `json:"change,omitempty"`
	Patterns []string         `json:"patterns"`     // the oldest first
	Methods  []string         `json:"instrumented"` // the first 10,000
	Count    int64            `json:"instrumented_count"`
	Records  map[string]int64 `json:"records"` // entered, exited, recorded; those that are known
}

// Change is what a request did. MatchNS, TransformNS and SwapNS follow each other, and
// add up to TookNS but for the stamps between them.
type Change struct {
	Request     string   `json:"request"`
	Patterns    []string `json:"patterns"`
	Classes     int64    `json:"classes"` // exchanged in the JVM
	Methods     int64    `json:"methods"` // monitored now and not before, or the other way round
	MatchNS     int64    `json:"match_ns"`
	TransformNS int64    `json:"transform_ns"`
	SwapNS      int64    `json:"swap_ns"` // in which the threads are stopped
	TookNS      int64    `json:"took_ns"`
	Failed      int64    `json:"failed"`             // classes and methods that stay as they were
	Failures    []string `json:"failures,omitempty"` // each with the reason, the first 100
}

// agent answers requests about probes.
type agent interface {
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
}

// Do makes the change in the process with this ID, by an agent that is attached from
// these jars and with these settings unless it is there, and looks at how it is after it.
func Do(ctx context.Context, pid int, jars jvm.AgentJars, settings []string, w Wanted) (*Result, error) {
	if w.Keep != "" {
		settings = append(slices.Clip(settings), "keep="+w.Keep)
	}
	a, err := jvm.AttachAgent(ctx, pid, jars, settings...)
	if err != nil {
		return nil, err
	}
	r := newResult(pid, a.Hello())
	if w.Keep != "" && a.Hello().String("keep") != w.Keep {
		has := "counts records and keeps none"
		if r.Keep != "" {
			has = "keeps events in " + r.Keep
		}
		err := refusal.New(fmt.Errorf("process %d has had its agent before, which %s", pid, has), "leave --keep out, or start the JVM anew")
		return nil, errors.Join(err, a.Close())
	}
	return r, errors.Join(r.carryOut(&dialog{ctx: ctx, agent: a}, w), a.Close())
}

// newResult has what the agent says of itself. As all that comes from the JVM it is somebody
// else's, and kept as it may reach a terminal.
func newResult(pid int, hello jvm.Message) *Result {
	said := func(key string) string { return console.Visible(hello.String(key)) }
	return &Result{PID: pid, JVM: said("jvm"), VM: said("vm"), Probe: said("probe"), Keep: said("keep"), Records: map[string]int64{}}
}

func (r *Result) carryOut(d *dialog, w Wanted) error {
	if request, patterns := w.request(d); request.Verb != "" {
		failures, done := d.ask(request, "reason")
		r.Change = &Change{
			Request: request.Verb, Patterns: visible(patterns), Failures: visible(failures), Failed: d.number(done, "failed"),
			Classes: d.number(done, "classes"), Methods: d.number(done, "methods"),
			MatchNS: d.number(done, "match_ns"), TransformNS: d.number(done, "transform_ns"),
			SwapNS: d.number(done, "swap_ns"), TookNS: d.number(done, "took_ns"),
		}
	}
	patterns, _ := d.ask(jvm.Message{Verb: "patterns"}, "text")
	methods, counted := d.ask(jvm.Message{Verb: "instrumented"}, "signature")
	r.Patterns, r.Methods, r.Count = visible(patterns), visible(methods), d.number(counted, "count")
	slices.Sort(r.Methods)
	_, records := d.ask(jvm.Message{Verb: "records"}, "")
	for key := range records.Args {
		if n, err := records.Int(key); err == nil {
			r.Records[key] = n
		}
	}
	return d.err
}

// visible are texts as they may reach a terminal; an empty list is none of JSON's nulls.
func visible(texts []string) []string {
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = console.Visible(text)
	}
	return shown
}

// dialog asks an agent one thing after the other, until something goes wrong.
type dialog struct {
	agent
	ctx context.Context
	err error // the first
}

// ask returns what the lines of an answer say by a key, and its last line.
func (d *dialog) ask(request jvm.Message, key string) (texts []string, last jvm.Message) {
	if d.err != nil {
		return nil, last
	}
	var answer []jvm.Message
	if answer, d.err = d.Ask(d.ctx, request); d.err != nil {
		return nil, last
	}
	end := len(answer) - 1
	for _, m := range answer[:end] {
		texts = append(texts, m.String(key))
	}
	return texts, answer[end]
}

// number is one that a line says by a key.
func (d *dialog) number(line jvm.Message, key string) int64 {
	n, err := line.Int(key)
	d.err = cmp.Or(d.err, err)
	return n
}

// request is the one request that makes the whole change; none has no verb. Several
// changes are made by exchanging the list, so that the JVM stops once.
func (w Wanted) request(d *dialog) (request jvm.Message, patterns []string) {
	named := slices.Concat(w.remove, w.patterns)
	switch {
	case w.replace:
		named = w.merged()
	case len(named) == 0:
		return request, nil
	case len(named) == 1:
		verb, text := "remove", named[0]
		if len(w.patterns) == 1 {
			verb, text = map[string]string{"+": "activate", "-": "deactivate"}[pattern.Sign(text)], pattern.Unsigned(text)
		}
		return jvm.Message{Verb: verb, Args: map[string]string{"pattern": text}}, named
	default:
		w.list, _ = d.ask(jvm.Message{Verb: "patterns"}, "text")
	}
	return jvm.Message{Verb: "replace", Args: map[string]string{"patterns": strings.Join(w.merged(), "; ")}}, named
}

// merged is the list without what is removed, and with what is added at its end.
func (w Wanted) merged() []string {
	list := slices.DeleteFunc(slices.Clone(w.list), func(old string) bool { return slices.Contains(w.remove, pattern.Unsigned(old)) })
	for _, p := range w.patterns {
		list = append(slices.DeleteFunc(list, func(old string) bool { return pattern.Unsigned(old) == pattern.Unsigned(p) }), p)
	}
	return list
}
