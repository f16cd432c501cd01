package framework

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"moobench/harness/suggest"
)

// reader reads one framework's table and collects everything that is wrong
// with it.
type reader struct {
	dir  string // relative paths are relative to it; "" leaves them
	errs []KeyError
	seen map[string]bool
}

// fail records an error, once: what a framework says is looked at again for
// each of its variants.
func (r *reader) fail(path []string, hint, format string, args ...any) {
	e := KeyError{Path: slices.Clone(path), Msg: fmt.Sprintf(format, args...), Hint: hint}
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	if id := e.Error(); !r.seen[id] {
		r.seen[id] = true
		r.errs = append(r.errs, e)
	}
}

// fields hands each value of a table to the function of its key.
func (r *reader) fields(raw map[string]any, path []string, keys map[string]func(any, []string)) {
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		at := under(path, name)
		if read, ok := keys[name]; ok {
			read(raw[name], at)
			continue
		}
		r.fail(at, suggest.Hint(name, slices.Sorted(maps.Keys(keys))), "unknown key %q", name)
	}
}

// under is path + name, never sharing memory with path.
func under(path []string, name string) []string {
	return append(slices.Clone(path), name)
}

func (r *reader) table(v any, path []string) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		r.fail(path, "", "want a table, got %s", kindOf(v))
	}
	return m
}

// text is a string with the place it came from.
type text struct {
	s    string
	path []string
}

func (r *reader) text(v any, path []string) text {
	s, ok := v.(string)
	switch {
	case !ok:
		r.fail(path, "", "want a string, got %s", kindOf(v))
	case s == "":
		r.fail(path, "leave the key out instead", "the string is empty")
	case strings.ContainsRune(s, 0):
		r.fail(path, "", "the string holds a zero byte")
	}
	return text{s, path}
}

func (r *reader) texts(v any, path []string) []text {
	list, ok := v.([]any)
	if !ok {
		r.fail(path, "", "want a list of strings, got %s", kindOf(v))
	}
	var out []text
	for _, e := range list {
		out = append(out, r.text(e, path))
	}
	return out
}

func (r *reader) textMap(v any, path []string) map[string]text {
	out := map[string]text{}
	table := r.table(v, path)
	for _, name := range slices.Sorted(maps.Keys(table)) {
		out[name] = r.text(table[name], under(path, name))
	}
	return out
}

func (r *reader) integer(v any, path []string) int64 {
	n, ok := v.(int64)
	if !ok {
		r.fail(path, "", "want an integer, got %s", kindOf(v))
	} else if n < 0 {
		r.fail(path, "", "%d is negative", n)
	}
	return n
}

func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case []map[string]any:
		return "a list of tables"
	case map[string]any:
		return "a table"
	}
	return fmt.Sprintf("a %T", v)
}
