package framework

import (
	"slices"
	"strings"

	"moobench/harness/suggest"
	"moobench/results"
)

// steps reads a path: names of results.Steps, each once and in their order.
func (r *reader) steps(v any, path []string) []string {
	known := results.Steps()
	var steps []string
	last := -1
	for _, t := range r.texts(v, path) {
		at := slices.IndexFunc(known, func(s results.Step) bool { return s.Name == t.s })
		switch {
		case t.s == "":
		case at < 0:
			r.fail(path, suggest.Hint(t.s, stepNames()), "unknown step %q: there are %s", t.s, strings.Join(stepNames(), ", "))
		case at <= last:
			r.fail(path, "the order is "+strings.Join(stepNames(), ", "), "step %q stands twice or too late", t.s)
		default:
			last = at
		}
		steps = append(steps, t.s)
	}
	if list, ok := v.([]any); ok && len(list) == 0 {
		r.fail(path, "omit the key where no probe is left", "the path is empty")
	}
	return steps
}

func stepNames() []string {
	var names []string
	for _, s := range results.Steps() {
		names = append(names, s.Name)
	}
	return names
}

// change reads how probes get into and out of a running program.
func (r *reader) change(v any, path []string) text {
	t := r.text(v, path)
	r.source("change", t, []string{results.ChangeSwitched, results.ChangeSwapped})
	return t
}
