package main

import (
	"context"
	"slices"
	"strings"

	"moobench/harness/jvm"
)

// asked is whoever answers requests about probes.
type asked interface {
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
}

// swapped is what was done to a JVM, and how it is now.
type swapped struct {
	PID      int              `json:"pid"`
	JVM      string           `json:"jvm"`
	VM       string           `json:"vm"`
	Probe    string           `json:"probe"` // whose records: moobench, kieker
	Change   *change          `json:"change,omitempty"`
	Patterns []string         `json:"patterns"`     // the oldest first
	Methods  []string         `json:"instrumented"` // the first 10,000
	Count    int64            `json:"instrumented_count"`
	Records  map[string]int64 `json:"records"` // entered, exited, recorded; those that are known
}

// change is what a request did. MatchNS, TransformNS and SwapNS follow each
// other, and add up to TookNS but for the stamps between them.
type change struct {
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

func newSwapped(pid int, hello jvm.Message) *swapped {
	return &swapped{PID: pid, JVM: hello.String("jvm"), VM: hello.String("vm"), Probe: hello.String("probe"), Records: map[string]int64{}}
}

// carryOut makes the change, and looks at how it is after it.
func (s *swapped) carryOut(ctx context.Context, a asked, w wanted) error {
	request, patterns, err := w.request(ctx, a)
	if err != nil {
		return err
	}
	if request.Verb != "" {
		answer, err := a.Ask(ctx, request)
		if err != nil {
			return err
		}
		if s.Change, err = changeOf(answer); err != nil {
			return err
		}
		s.Change.Request, s.Change.Patterns = request.Verb, patterns
	}
	return s.look(ctx, a)
}

// request is the one request that makes the whole change; none has no verb.
// Several changes are made by exchanging the list, so that the JVM stops once.
func (w wanted) request(ctx context.Context, a asked) (jvm.Message, []string, error) {
	named := slices.Concat(w.remove, w.patterns)
	switch {
	case w.replace:
	case len(named) == 0:
		return jvm.Message{}, nil, nil
	case len(named) == 1:
		verb, pattern := "remove", named[0]
		if len(w.patterns) == 1 {
			verb, pattern = map[string]string{"+": "activate", "-": "deactivate"}[sign(pattern)], unsigned(pattern)
		}
		return jvm.Message{Verb: verb, Args: map[string]string{"pattern": pattern}}, named, nil
	default:
		var err error
		if w.list, _, err = texts(ctx, a, "patterns", "text"); err != nil {
			return jvm.Message{}, nil, err
		}
	}
	list := w.merged()
	if w.replace {
		named = list
	}
	return jvm.Message{Verb: "replace", Args: map[string]string{"patterns": strings.Join(list, "; ")}}, named, nil
}

// merged is the list with what is removed off it, and what is added at its end.
func (w wanted) merged() []string {
	list := slices.Clone(w.list)
	without := func(pattern string) {
		list = slices.DeleteFunc(list, func(p string) bool { return unsigned(p) == pattern })
	}
	for _, p := range w.remove {
		without(p)
	}
	for _, p := range w.patterns {
		without(unsigned(p))
		list = append(list, p)
	}
	return list
}

func changeOf(answer []jvm.Message) (*change, error) {
	last := answer[len(answer)-1]
	c := &change{}
	for _, m := range answer[:len(answer)-1] {
		c.Failures = append(c.Failures, m.String("reason"))
	}
	for key, to := range map[string]*int64{
		"classes": &c.Classes, "methods": &c.Methods, "match_ns": &c.MatchNS, "transform_ns": &c.TransformNS,
		"swap_ns": &c.SwapNS, "took_ns": &c.TookNS, "failed": &c.Failed,
	} {
		n, err := last.Int(key)
		if err != nil {
			return nil, err
		}
		*to = n
	}
	return c, nil
}

// look asks how it is now.
func (s *swapped) look(ctx context.Context, a asked) error {
	var err error
	if s.Patterns, _, err = texts(ctx, a, "patterns", "text"); err != nil {
		return err
	}
	if s.Methods, s.Count, err = texts(ctx, a, "instrumented", "signature"); err != nil {
		return err
	}
	slices.Sort(s.Methods)
	answer, err := a.Ask(ctx, jvm.Message{Verb: "records"})
	if err != nil {
		return err
	}
	last := answer[len(answer)-1]
	for key := range last.Args {
		if n, err := last.Int(key); err == nil {
			s.Records[key] = n
		}
	}
	return nil
}

// texts are the lines of an answer, and how many there are of them, which may
// be more.
func texts(ctx context.Context, a asked, verb, key string) ([]string, int64, error) {
	answer, err := a.Ask(ctx, jvm.Message{Verb: verb})
	if err != nil {
		return nil, 0, err
	}
	all := []string{} // an empty list, not null
	for _, m := range answer[:len(answer)-1] {
		all = append(all, m.String(key))
	}
	count, err := answer[len(answer)-1].Int("count")
	return all, count, err
}
