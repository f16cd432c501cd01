// Package swap changes which methods of a running JVM are monitored, by asking
// moobench's hotswap agent in it, and says what that did.
package swap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/pattern"
	"moobench/refusal"
)

// Settings are those of the agent that were given, as it reads them; "" and false are its
// defaults. An agent that is there already keeps those that it began with.
func Settings(given func(name string) string) []string {
	var all []string
	for _, name := range []string{"linger", "probe", "file", "interval"} {
		if value := given(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	for _, name := range []string{"update", "jmx"} {
		if given(name) == "true" {
			all = append(all, name+"=true")
		}
	}
	return all
}

// Wanted is what is to be changed: nothing, or the list that is put in place of the
// agent's, and then patterns that are taken off and added.
type Wanted struct {
	replace  bool
	list     []string
	remove   []string // without signs
	patterns []string // with signs
}

// Parse reads what is wanted: patterns with their signs, patterns that are taken off
// whatever their sign, and the file that holds the list with its text, "" when there is
// none. All that is wrong is in the error.
func Parse(patterns, remove []string, file, text string) (Wanted, error) {
	w := Wanted{replace: file != ""}
	var wrong []error
	add := func(to *[]string, given, where string) {
		text := strings.Join(strings.Fields(given), " ")
		if sign(text) == "" || strings.ContainsRune(text, ';') {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s%q is not + or - and one pattern", where, given),
				"in quotes, such as '+ public * com.acme..*.*(..)'"))
		} else if err := pattern.Check(unsigned(text)); err != nil {
			wrong = append(wrong, refusal.New(fmt.Errorf("%s%w", where, err), "such as '+ public * com.acme..*.*(..)'"))
		}
		*to = append(*to, text)
	}
	for _, p := range patterns {
		add(&w.patterns, p, "")
	}
	for _, p := range remove {
		if p = strings.Join(strings.Fields(p), " "); sign(p) != "" {
			p = unsigned(p)
		}
		w.remove = append(w.remove, p)
	}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			add(&w.list, line, fmt.Sprintf("%s:%d: ", file, i+1))
		}
	}
	return w, errors.Join(wrong...)
}

// sign is + or -, "" when a pattern begins with neither.
func sign(pattern string) string {
	if len(pattern) > 1 && (pattern[0] == '+' || pattern[0] == '-') {
		return pattern[:1]
	}
	return ""
}

func unsigned(pattern string) string { return strings.TrimSpace(pattern[1:]) }

// Result is what was done to a JVM, and how it is now.
type Result struct {
	PID      int              `json:"pid"`
	JVM      string           `json:"jvm"`
	VM       string           `json:"vm"`
	Probe    string           `json:"probe"` // whose records: moobench, kieker
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
	Failed      int64    `json:"failed"`             // classes that stay as they were
	Failures    []string `json:"failures,omitempty"` // class and reason, the first 100
}

// agent answers requests about probes.
type agent interface {
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
}

// Do makes the change in the process with this ID, by an agent that is attached from
// these jars unless it is there, and looks at how it is after it.
func Do(ctx context.Context, pid int, jars jvm.AgentJars, settings []string, w Wanted) (*Result, error) {
	a, err := jvm.AttachAgent(ctx, pid, jars, settings...)
	if err != nil {
		return nil, err
	}
	r := newResult(pid, a.Hello())
	return r, errors.Join(r.carryOut(ctx, a, w), a.Close())
}

func newResult(pid int, hello jvm.Message) *Result {
	return &Result{PID: pid, JVM: hello.String("jvm"), VM: hello.String("vm"), Probe: hello.String("probe"), Records: map[string]int64{}}
}

func (r *Result) carryOut(ctx context.Context, a agent, w Wanted) error {
	request, patterns, err := w.request(ctx, a)
	if err != nil {
		return err
	}
	if request.Verb != "" {
		answer, err := a.Ask(ctx, request)
		if err != nil {
			return err
		}
		c := &Change{Request: request.Verb, Patterns: patterns}
		last := answer[len(answer)-1]
		for _, m := range answer[:len(answer)-1] {
			c.Failures = append(c.Failures, m.String("reason"))
		}
		for key, to := range map[string]*int64{
			"classes": &c.Classes, "methods": &c.Methods, "match_ns": &c.MatchNS, "transform_ns": &c.TransformNS,
			"swap_ns": &c.SwapNS, "took_ns": &c.TookNS, "failed": &c.Failed,
		} {
			if *to, err = last.Int(key); err != nil {
				return err
			}
		}
		r.Change = c
	}
	if r.Patterns, _, err = texts(ctx, a, "patterns", "text"); err != nil {
		return err
	}
	if r.Methods, r.Count, err = texts(ctx, a, "instrumented", "signature"); err != nil {
		return err
	}
	slices.Sort(r.Methods)
	answer, err := a.Ask(ctx, jvm.Message{Verb: "records"})
	if err != nil {
		return err
	}
	last := answer[len(answer)-1]
	for key := range last.Args {
		if n, err := last.Int(key); err == nil {
			r.Records[key] = n
		}
	}
	return nil
}

// request is the one request that makes the whole change; none has no verb. Several
// changes are made by exchanging the list, so that the JVM stops once.
func (w Wanted) request(ctx context.Context, a agent) (request jvm.Message, patterns []string, err error) {
	named := slices.Concat(w.remove, w.patterns)
	switch {
	case w.replace:
		named = w.merged()
	case len(named) == 0:
		return request, nil, nil
	case len(named) == 1:
		verb, pattern := "remove", named[0]
		if len(w.patterns) == 1 {
			verb, pattern = map[string]string{"+": "activate", "-": "deactivate"}[sign(pattern)], unsigned(pattern)
		}
		return jvm.Message{Verb: verb, Args: map[string]string{"pattern": pattern}}, named, nil
	default:
		w.list, _, err = texts(ctx, a, "patterns", "text")
	}
	return jvm.Message{Verb: "replace", Args: map[string]string{"patterns": strings.Join(w.merged(), "; ")}}, named, err
}

// merged is the list without what is removed, and with what is added at its end.
func (w Wanted) merged() []string {
	list := slices.DeleteFunc(slices.Clone(w.list), func(old string) bool { return slices.Contains(w.remove, unsigned(old)) })
	for _, p := range w.patterns {
		list = append(slices.DeleteFunc(list, func(old string) bool { return unsigned(old) == unsigned(p) }), p)
	}
	return list
}

// texts are the lines of an answer, and how many there are of them, which may be more.
func texts(ctx context.Context, a agent, verb, key string) ([]string, int64, error) {
	answer, err := a.Ask(ctx, jvm.Message{Verb: verb})
	if err != nil {
		return nil, 0, err
	}
	all, last := []string{}, len(answer)-1 // an empty list, not null
	for _, m := range answer[:last] {
		all = append(all, m.String(key))
	}
	count, err := answer[last].Int("count")
	return all, count, err
}
