package strict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Func returns a kind that read reads into dst. If read reports a mistake and returns false,
// dst keeps its value.
func Func[T any](typ string, dst *T, read func(v Value) (T, bool)) Kind {
	return Kind{Type: typ, Read: func(v Value) {
		if x, ok := read(v); ok {
			*dst = x
		}
	}}
}

// String is the kind of a non-blank line of text.
func String(dst *string) Kind { return Func("string", dst, Value.Line) }

// Among is the kind of one of the known names, read by read. what is the noun for it in messages.
func Among(dst *string, what string, known []string, read func(v Value) (string, bool)) Kind {
	k := Func("string", dst, func(v Value) (string, bool) {
		s, ok := read(v)
		if ok && !slices.Contains(known, s) {
			v.Fail(Hint(s, known), "unknown %s %q", what, s)
		}
		return s, ok
	})
	k.Values = known
	return k
}

// OneOf is the kind of one of the allowed words.
func OneOf[S ~string](dst *S, allowed ...S) Kind {
	var words []string
	for _, a := range allowed {
		words = append(words, string(a))
	}
	k := Func("string", dst, func(v Value) (S, bool) {
		s, ok := v.OneOf(words)
		return S(s), ok
	})
	k.Values = words
	return k
}

// Int is the kind of an integer from least to most; math.MaxInt64 means no upper bound.
func Int[N ~int | ~int64 | ~uint64](dst *N, least, most int64) Kind {
	k := Func("integer", dst, func(v Value) (N, bool) {
		n, ok := v.Int(least, most)
		return N(n), ok
	})
	k.Limits = &Limits{least, most}
	return k
}

// Bool is the kind of a boolean.
func Bool(dst *bool) Kind { return Func("true or false", dst, Value.Bool) }

// Strings is the kind of a list of strings, each read by read; invalid elements are kept as "".
func Strings(dst *[]string, read func(v Value) (string, bool)) Kind {
	return Func("list of strings", dst, func(v Value) ([]string, bool) { return Each(v, read) })
}

// Distinct is the kind of a non-empty list of strings without duplicates, each read by read.
func Distinct(dst *[]string, read func(v Value) (string, bool)) Kind {
	return Func("list of strings", dst, func(v Value) ([]string, bool) {
		all, ok := Each(v, read)
		if ok {
			v.Distinct(all)
		}
		return all, ok
	})
}

// Sub is the kind of a table that describe describes.
func Sub[T any](dst *T, describe func(t *T) Table) Kind {
	return Kind{
		Type:    "table",
		Section: func() Table { return describe(new(T)) },
		Read:    func(v Value) { v.Table(describe(dst)) },
	}
}

// Optional is Sub for a pointer that stays nil if the table is missing.
func Optional[T any](dst **T, describe func(t *T) Table) Kind {
	return Kind{Type: "table", Section: func() Table { return describe(new(T)) }, Read: func(v Value) {
		*dst = new(T)
		v.Table(describe(*dst))
	}}
}

// Tables is the kind of a list of tables, each described by describe. To generate the
// reference, describe is called with the zero Value.
func Tables[T any](dst *[]T, describe func(t *T, v Value) Table) Kind {
	section := func() Table { return describe(new(T), Value{}) }
	return Kind{Type: "list of tables", Several: Listed, Section: section, Read: func(v Value) {
		if _, one := v.Raw.(map[string]any); one {
			v.singleTable()
			return
		}
		list, _ := v.List()
		for _, e := range list {
			var t T
			e.Table(describe(&t, e))
			*dst = append(*dst, t)
		}
	}}
}

// singleTable reports that [x] should be written [[x]].
func (v Value) singleTable() {
	var names []string
	for _, step := range v.at {
		if name, ok := step.(string); ok {
			names = append(names, name)
		}
	}
	name := strings.Join(names, ".")
	owner := "a campaign"
	if len(names) > 1 {
		owner = "a " + names[0]
	}
	v.Fail("write [["+name+"]]", "[%s] is one table, %s has a list of them", name, owner)
}

// ByName is the kind of a table of tables, each described by describe. To generate the
// reference, describe is called with the zero Value.
func ByName(describe func(v Value) Table) Kind {
	section := func() Table { return describe(Value{}) }
	return Kind{Type: "tables by name", Several: Named, Section: section, Read: func(v Value) {
		for _, e := range v.Entries() {
			e.Table(describe(e))
		}
	}}
}

// Each reads the elements of a list; an invalid one becomes the zero value.
func Each[T any](v Value, read func(v Value) (T, bool)) ([]T, bool) {
	list, ok := v.List()
	var all []T
	for _, e := range list {
		x, ok := read(e)
		if !ok {
			x = *new(T)
		}
		all = append(all, x)
	}
	return all, ok
}

// Distinct reports an empty list and equal elements as mistakes. texts are the elements in
// canonical form, "" for those already found invalid.
func (v Value) Distinct(texts []string) {
	if len(texts) == 0 {
		v.Fail("", "%s is an empty list", v.Name())
	}
	first := map[string]int{"": len(texts)} // invalid elements are not compared
	for i, s := range texts {
		switch at, twice := first[s]; {
		case !twice:
			first[s] = i
		case at < i:
			e := v.below(i, s)
			e.Fail("", "%s says the same as entry %d", e.Name(), at+1)
		}
	}
}

// Line reads a string that is not blank and has no control characters.
func (v Value) Line() (string, bool) { return v.text(blank, unicode.IsControl, "a control character") }

// Parsed returns a function that reads a string with text and parses it with parse. hint goes
// with an error of parse.
func Parsed[T any](
	text func(v Value) (string, bool), hint string, parse func(text string) (T, error),
) func(v Value) (T, bool) {
	return func(v Value) (x T, ok bool) {
		s, ok := text(v)
		if !ok {
			return x, false
		}
		x, err := parse(s)
		if err != nil {
			v.Fail(hint, "%s: %v", v.Name(), err)
		}
		return x, err == nil
	}
}

// Prose reads a non-blank string, which may span lines.
func (v Value) Prose() (string, bool) { return v.text(blank, func(rune) bool { return false }, "") }

// NotEmpty reads a non-empty string, which may span lines or consist of blanks.
func (v Value) NotEmpty() (string, bool) {
	return v.text(func(s string) bool { return s == "" }, nul, "a NUL character")
}

// Any reads any string, including the empty one.
func (v Value) Any() (string, bool) {
	return v.text(func(string) bool { return false }, nul, "a NUL character")
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
func nul(c rune) bool     { return c == 0 }

func (v Value) text(empty func(string) bool, wrong func(rune) bool, what string) (string, bool) {
	s, ok := v.Raw.(string)
	switch {
	case !ok:
		v.WrongType("put it into quotes", "a string")
	case empty(s):
		v.Fail("leave it out, or say something", "%s is empty", v.Name())
	case strings.ContainsFunc(s, wrong):
		v.Fail("", "%s holds %s", v.Name(), what)
	default:
		return s, true
	}
	return "", false
}

// OneOf reads one of the allowed words.
func (v Value) OneOf(words []string) (string, bool) {
	s, ok := v.Line()
	if ok && !slices.Contains(words, s) {
		v.Fail(Hint(s, words), "%s: unknown value %q", v.Name(), s)
		return "", false
	}
	return s, ok
}

// Bool reads true or false.
func (v Value) Bool() (b, ok bool) {
	if b, ok = v.Raw.(bool); !ok {
		v.WrongType("without quotes", "true or false")
	}
	return b, ok
}

// Int reads an integer from least to most; math.MaxInt64 means no upper bound.
func (v Value) Int(least, most int64) (int64, bool) {
	n, ok := v.Raw.(int64)
	switch {
	case !ok:
		hint := ""
		switch raw := v.Raw.(type) {
		case string:
			if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
				hint = fmt.Sprintf("without quotes: %d", n)
			}
		case float64:
			if raw == math.Trunc(raw) && math.Abs(raw) < 1<<53 {
				hint = fmt.Sprintf("write %d", int64(raw))
			}
		}
		v.WrongType(hint, "an integer")
	case n < least && most == math.MaxInt64:
		v.Fail(fmt.Sprintf("at least %d", least), "%s: %d is too small", v.Name(), n)
	case n < least || n > most:
		v.Fail(fmt.Sprintf("%d to %d", least, most), "%s: %d is out of range", v.Name(), n)
	default:
		return n, true
	}
	return 0, false
}
