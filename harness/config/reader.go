package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"moobench/harness/suggest"
)

// reader reads decoded TOML and collects everything that is wrong with it.
type reader struct {
	file  *File
	known Known
	errs  Errors
}

// hintsMost is after how many errors nobody looks for what a key was meant to be:
// that takes longer than all else, and few of so many are shown.
const hintsMost = 1000

// fields says what to do with the value of each key of a table.
type fields map[string]func(v any, at []any)

func (r *reader) fail(path []any, hint, format string, args ...any) {
	r.errs = append(r.errs, r.file.Errorf(path, hint, format, args...))
}

// wrongType says what was wanted and what stands there.
func (r *reader) wrongType(path []any, hint, want string, got any) {
	r.fail(path, hint, "%s: want %s, got %s", nameOf(path), want, describe(got))
}

// under is path + step, never sharing memory with path.
func under(path []any, step any) []any { return append(slices.Clone(path), step) }

// nameOf is the key at the end of a path: blocks, or entry 2 of depth.
func nameOf(path []any) string {
	switch last := path[len(path)-1].(type) {
	case int:
		return fmt.Sprintf("entry %d of %s", last+1, nameOf(path[:len(path)-1]))
	default:
		return fmt.Sprint(last)
	}
}

func (r *reader) asTable(v any, path []any) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		r.wrongType(path, "", "a table", v)
	}
	return m
}

// table hands each value of a table to the function of its key, and returns
// the table.
func (r *reader) table(v any, path []any, keys fields, required ...string) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		r.wrongType(path, "", "a table", v)
		return nil
	}
	names := slices.Sorted(maps.Keys(keys))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if read := keys[name]; read != nil {
			read(m[name], under(path, name))
			continue
		}
		hint := ""
		if len(r.errs) < hintsMost {
			hint = suggest.Hint(name, names)
		}
		r.fail(under(path, name), hint, "unknown key %q", name)
	}
	for _, name := range required {
		if _, ok := m[name]; !ok {
			r.missing(path, name)
		}
	}
	return m
}

func (r *reader) missing(path []any, name string) {
	if name == "scenario" {
		r.fail(path, "it says what is to be measured", "the section [[scenario]] is missing")
		return
	}
	r.fail(path, fmt.Sprintf(`add %s = …`, name), "the key %q is missing", name)
}

func (r *reader) text(v any, path []any) string {
	s, ok := v.(string)
	switch {
	case !ok:
		r.wrongType(path, "put it into quotes", "a string", v)
	case strings.TrimSpace(s) == "":
		r.fail(path, "leave it out, or say something", "%s is empty", nameOf(path))
	case strings.ContainsFunc(s, unicode.IsControl) && nameOf(path) != "about":
		r.fail(path, "", "%s holds a control character", nameOf(path))
	default:
		return s
	}
	return ""
}

// list takes lists of both kinds: [ … ] and [[ … ]].
func (r *reader) list(v any, path []any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []map[string]any:
		all := make([]any, len(v))
		for i := range v {
			all[i] = v[i]
		}
		return all
	}
	r.wrongType(path, "put it into brackets: [ … ]", "a list", v)
	return nil
}

// texts is a list of strings; wrong ones stand in it as "".
func (r *reader) texts(v any, path []any) []string {
	var all []string
	for i, e := range r.list(v, path) {
		all = append(all, r.text(e, under(path, i)))
	}
	return all
}

// distinct refuses empty lists and equal elements; texts are the elements in
// canonical form, "" for one that is wrong already.
func (r *reader) distinct(v any, texts []string, path []any) {
	if _, isList := v.([]any); isList && len(texts) == 0 {
		r.fail(path, "", "%s is an empty list", nameOf(path))
	}
	first := map[string]int{"": len(texts)} // what is wrong already is not compared
	for i, s := range texts {
		at, twice := first[s]
		switch {
		case !twice:
			first[s] = i
		case at < i:
			r.fail(under(path, i), "", "%s says the same as entry %d", nameOf(under(path, i)), at+1)
		}
	}
}

// describe is a value with its type, as a message says it.
func describe(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %q", v)
	case int64:
		return fmt.Sprintf("the integer %d", v)
	case float64:
		return fmt.Sprintf("the number %v", v)
	case bool:
		return fmt.Sprintf("the boolean %v", v)
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
