// Package strict reads TOML against tables of keys.
//
// A Table gives the type, default and purpose of each key. Reading a Document against it fills
// in Go values and collects every mistake with its line and column. The reference of the file
// is generated from the same tables. BurntSushi/toml does the parsing.
package strict

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Document is a TOML file being read, with every mistake found in it so far.
type Document struct {
	Path string // as given, for messages
	Text []byte // verbatim

	root   map[string]any
	places *place // of the whole file
	errs   Errors
	seen   map[Error]bool // the mistakes in errs
	failed int            // calls of Fail, repeated mistakes included
}

// Parse parses a text; path is used in messages only. Text that is not TOML, or is nested
// deeper than any real configuration file, is returned as Errors.
func Parse(path string, text []byte) (*Document, error) {
	d := &Document{Path: path, Text: slices.Clone(text), seen: map[Error]bool{}}
	// Find the places first: the TOML parser copies the path of a key for each of its parts,
	// and recurses for each list in a list, so overly deep text must not reach it.
	places, deep := findPlaces(string(text))
	if deep != nil {
		return nil, Errors{{
			Path: path, Line: deep.line, Column: deep.column,
			Msg:  fmt.Sprintf("this key has more than %d parts, or more than %d bytes", maxDepth, maxPath),
			Hint: "its section counts, and so does each list around it",
		}}
	}
	d.places = places
	if _, err := toml.Decode(string(text), &d.root); err != nil {
		return nil, Errors{d.syntaxError(err)}
	}
	return d, nil
}

// syntaxError is the TOML parser's error, with the column in characters.
func (d *Document) syntaxError(err error) *Error {
	e := &Error{Path: d.Path, Line: 1, Column: 1, Msg: err.Error()}
	p, is := errors.AsType[toml.ParseError](err)
	if !is {
		return e
	}
	e.Msg = p.Message
	if p.LastKey != "" {
		e.Hint = fmt.Sprintf("at or after key %q", p.LastKey)
	}
	lines := newlines(string(d.Text))
	e.Line = min(max(1, p.Position.Line), len(lines))
	start := lines[e.Line-1]
	end := min(start+max(0, p.Position.Col-1), len(d.Text))
	e.Column = 1 + utf8.RuneCount(d.Text[start:end])
	return e
}

// Root returns the document as a table.
func (d *Document) Root() Value { return Value{Raw: d.root, doc: d} }

// Fresh returns a copy of the document without its mistakes.
func (d *Document) Fresh() *Document {
	return &Document{Path: d.Path, Text: d.Text, root: d.root, places: d.places, seen: map[Error]bool{}}
}

// Fail adds a mistake at a path: keys as strings and list indexes as ints, such as "scenario",
// 0, "variants", 2. If the path is not in the document, the mistake gets the position of the
// nearest enclosing section. A repeated mistake is kept once.
func (d *Document) Fail(path []any, hint, format string, args ...any) {
	at := d.places.nearest(path)
	e := Error{Path: d.Path, Line: at.line, Column: at.column, Msg: fmt.Sprintf(format, args...), Hint: hint}
	if d.failed++; !d.seen[e] {
		d.seen[e] = true
		d.errs = append(d.errs, &e)
	}
}

// Err returns all mistakes so far as Errors, sorted by position, or nil.
func (d *Document) Err() error {
	if len(d.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(d.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Clone(d.errs)
}

// Value is a part of a document: a table, a list, or the value of a key.
type Value struct {
	Raw any // as BurntSushi/toml decodes it; nil: missing
	doc *Document
	at  []any // its path
}

// Key returns the value of a table's key.
func (v Value) Key(name string) Value {
	table, _ := v.Raw.(map[string]any)
	return v.below(name, table[name])
}

// Has reports whether a table has a key.
func (v Value) Has(name string) bool {
	table, _ := v.Raw.(map[string]any)
	_, ok := table[name]
	return ok
}

func (v Value) below(step, raw any) Value {
	return Value{Raw: raw, doc: v.doc, at: append(slices.Clip(v.at), step)}
}

// Path returns the value's path, in the form that Document.Fail takes.
func (v Value) Path() []any { return v.at }

// Name returns the last key of the value's path as messages show it, such as "blocks" or "entry
// 2 of depth".
func (v Value) Name() string { return nameOf(v.at) }

func nameOf(path []any) string {
	if len(path) == 0 {
		return ""
	}
	last := path[len(path)-1]
	if i, ok := last.(int); ok {
		return fmt.Sprintf("entry %d of %s", i+1, nameOf(path[:len(path)-1]))
	}
	return fmt.Sprint(last)
}

// Fail adds a mistake at the value's position.
func (v Value) Fail(hint, format string, args ...any) { v.doc.Fail(v.at, hint, format, args...) }

// Mistakes returns the number of mistakes in the value's document so far, counting repeats.
func (v Value) Mistakes() int { return v.doc.failed }

// In returns the value bound to another document of the same text, which receives its further mistakes.
func (v Value) In(d *Document) Value {
	v.doc = d
	return v
}

// WrongType reports that the value does not have the wanted type.
func (v Value) WrongType(hint, want string) {
	v.Fail(hint, "%s: want %s, got %s", v.Name(), want, v.Describe())
}

// Describe returns the value with its type, for messages.
func (v Value) Describe() string {
	switch raw := v.Raw.(type) {
	case string:
		return fmt.Sprintf("the string %q", raw)
	case int64:
		return fmt.Sprintf("the integer %d", raw)
	case float64:
		return fmt.Sprintf("the number %v", raw)
	case bool:
		return fmt.Sprintf("the boolean %v", raw)
	case []any, []map[string]any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}

// IsTable reports whether the value is a table; anything else is a mistake.
func (v Value) IsTable() bool {
	_, ok := v.Raw.(map[string]any)
	if !ok {
		v.WrongType("", "a table")
	}
	return ok
}

// Entries returns the values of a table, sorted by key. Any other type is a mistake and yields
// no entries.
func (v Value) Entries() []Value {
	var all []Value
	if !v.IsTable() {
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(v.Raw.(map[string]any))) {
		all = append(all, v.Key(name))
	}
	return all
}

// List returns the elements of both kinds of lists, [ … ] and [[ … ]]. For any other type it
// reports a mistake, and ok is false.
func (v Value) List() (all []Value, ok bool) {
	switch raw := v.Raw.(type) {
	case []any:
		for i, e := range raw {
			all = append(all, v.below(i, e))
		}
	case []map[string]any:
		for i, e := range raw {
			all = append(all, v.below(i, e))
		}
	default:
		v.WrongType("put it into brackets: [ … ]", "a list")
		return nil, false
	}
	return all, true
}
