// Package swap changes which methods of a running JVM are monitored, through moobench's hotswap
// agent, and reports the result.
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

// Wanted is the change to make: optionally a list that replaces the agent's, and then patterns to
// remove and to add.
type Wanted struct {
	replace  bool
	list     []string
	remove   []string // without signs
	patterns []string // with signs
	// Keep is the folder, as seen by the JVM, where the agent stores each entry and exit; "":
	// records are only counted.
	Keep string
}

// Parse parses the change: patterns with their signs, patterns to remove whatever their sign, and
// the name and text of the file with the list; name "": no file. The error lists all mistakes.
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

// Result is the change made in a JVM, and the JVM's state afterwards.
type Result struct {
	PID      int              `json:"pid"`
	JVM      string           `json:"jvm"`
	VM       string           `json:"vm"`
	Probe    string           `json:"probe"`          // source of records: moobench, kieker; events if kept
	Keep     string           `json:"keep,omitempty"` // folder of kept events
	Change   *Change          `json:"change,omitempty"`
	Patterns []string         `json:"patterns"`     // oldest first
	Methods  []string         `json:"instrumented"` // the first 10,000
	Count    int64            `json:"instrumented_count"`
	Records  map[string]int64 `json:"records"` // entered, exited, recorded, as far as known
}

// Change is the result of a request. MatchNS, TransformNS and SwapNS are consecutive, and add up to
// TookNS except for the time of reading the clock.
type Change struct {
	Request     string   `json:"request"`
	Patterns    []string `json:"patterns"`
	Classes     int64    `json:"classes"` // exchanged in the JVM
	Methods     int64    `json:"methods"` // newly monitored, or no longer monitored
	MatchNS     int64    `json:"match_ns"`
	TransformNS int64    `json:"transform_ns"`
	SwapNS      int64    `json:"swap_ns"` // while the threads are stopped
	TookNS      int64    `json:"took_ns"`
	Failed      int64    `json:"failed"`             // unchanged classes and methods
	Failures    []string `json:"failures,omitempty"` // with the reasons, the first 100
}

// agent answers requests about probes.
type agent interface {
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
}

// Do makes the change in the process, and reads its state afterwards. If the JVM has no agent yet,
// it attaches one from jars, with these settings.
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
		err := refusal.New(fmt.Errorf("process %d has had its agent before, which %s", pid, has),
			"leave --keep out, or restart the JVM")
		return nil, errors.Join(err, a.Close())
	}
	return r, errors.Join(r.carryOut(&dialog{ctx: ctx, agent: a}, w), a.Close())
}

// newResult returns the agent's self-description. Like everything that comes from the JVM it can't
// be trusted, so it is made safe for a terminal.
func newResult(pid int, hello jvm.Message) *Result {
	said := func(key string) string { return console.Visible(hello.String(key)) }
	return &Result{
		PID: pid, JVM: said("jvm"), VM: said("vm"), Probe: said("probe"), Keep: said("keep"),
		Records: map[string]int64{},
	}
}

func (r *Result) carryOut(d *dialog, w Wanted) error {
	if request, patterns := w.request(d); request.Verb != "" {
		failures, done := d.ask(request, "reason")
		r.Change = &Change{
			Request: request.Verb, Patterns: visible(patterns),
			Failures: visible(failures), Failed: d.number(done, "failed"),
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

// visible makes texts safe for a terminal; an empty list is [] in JSON, not null.
func visible(texts []string) []string {
	shown := make([]string, len(texts))
	for i, text := range texts {
		shown[i] = console.Visible(text)
	}
	return shown
}

// dialog asks an agent questions in turn, until the first error.
type dialog struct {
	agent
	ctx context.Context
	err error // the first
}

// ask returns the values of a key in the lines of an answer, and the last line.
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

// number returns the integer value of a key in a line.
func (d *dialog) number(line jvm.Message, key string) int64 {
	n, err := line.Int(key)
	d.err = cmp.Or(d.err, err)
	return n
}

// request returns a single request for the whole change; without a change its verb is empty.
// Several changes are combined into a new list, so that the JVM stops only once.
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
			verbs := map[string]string{"+": "activate", "-": "deactivate"}
			verb, text = verbs[pattern.Sign(text)], pattern.Unsigned(text)
		}
		return jvm.Message{Verb: verb, Args: map[string]string{"pattern": text}}, named
	default:
		w.list, _ = d.ask(jvm.Message{Verb: "patterns"}, "text")
	}
	return jvm.Message{Verb: "replace", Args: map[string]string{"patterns": strings.Join(w.merged(), "; ")}}, named
}

// merged returns the list without removed patterns, and with new ones at its end.
func (w Wanted) merged() []string {
	list := slices.DeleteFunc(slices.Clone(w.list), func(old string) bool {
		return slices.Contains(w.remove, pattern.Unsigned(old))
	})
	for _, p := range w.patterns {
		list = slices.DeleteFunc(list, func(old string) bool { return pattern.Unsigned(old) == pattern.Unsigned(p) })
		list = append(list, p)
	}
	return list
}
