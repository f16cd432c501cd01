package config

import "moobench/results"

// windows are the windows that means can be taken over.
var windows = []results.Window{results.WindowSteady, results.WindowHalf, results.WindowAll}

// sizing are the keys that say how many timing blocks there are when a pilot,
// or time, is to decide.
func (r *reader) sizing(s *Scenario) fields {
	return fields{
		"precision":  func(v any, at []any) { s.Precision = r.percent(v, at) },
		"max_blocks": func(v any, at []any) { s.MaxBlocks = int(r.integer(v, at, results.PilotBlocks, maxBlocks)) },
		"max_time":   func(v any, at []any) { s.MaxTime = r.span(v, at) },
		"strict":     func(v any, at []any) { s.Strict = r.boolean(v, at) },
	}
}

// checkSizing refuses keys that don't go together, and makes the blocks of a
// sized scenario those of its pilot.
func (r *reader) checkSizing(s *Scenario, given map[string]any, path []any) {
	_, sized := given["precision"]
	if sized {
		if _, fixed := given["blocks"]; fixed {
			r.fail(under(path, "blocks"), "take one of them out: precision finds the number of blocks, and max_blocks bounds it", "blocks and precision contradict each other")
		}
		s.Blocks = results.PilotBlocks
		return
	}
	for _, key := range []string{"max_blocks", "strict"} {
		if _, ok := given[key]; ok {
			r.fail(under(path, key), `add precision = "2%", or take it out`, "%s means nothing without precision", key)
		}
	}
}
