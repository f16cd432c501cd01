package strict

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Draft is a TOML table that a program makes or changes. A user reads it afterwards: its keys
// keep the order in which they were set, and a value may have a comment. The zero value is an
// empty table.
type Draft struct {
	entries []draftEntry
}

// draftEntry is a key with a value or, where tables is not nil, with tables of their own.
type draftEntry struct {
	key     string
	value   any
	comment string
	tables  []*Draft
	list    bool // [[key]], else [key]
}

// Draft returns the document as it can be changed. Keys keep the order of the text; comments are
// lost.
func (d *Document) Draft() *Draft { return draftOf(d.root, d.places) }

// draftOf returns a table that stands at a place. A table in braces stays a value.
func draftOf(table map[string]any, at *place) *Draft {
	d := &Draft{}
	inOrder := func(a, b string) int {
		p, q := at.nearest([]any{a}), at.nearest([]any{b})
		return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column), cmp.Compare(a, b))
	}
	for _, key := range slices.SortedFunc(maps.Keys(table), inOrder) {
		below := at.key(key)
		switch v := table[key].(type) {
		case map[string]any:
			if !below.braces {
				d.Put(key, draftOf(v, below))
				continue
			}
		case []map[string]any:
			if below.tables == len(v) {
				var all []*Draft
				for i := range v {
					all = append(all, draftOf(v[i], below.element(i)))
				}
				d.List(key, all...)
				continue
			}
		}
		d.Set(key, table[key])
	}
	return d
}

// find returns the entry of a key, nil if there is none.
func (d *Draft) find(key string) *draftEntry {
	i := slices.IndexFunc(d.entries, func(e draftEntry) bool { return e.key == key })
	if i < 0 {
		return nil
	}
	return &d.entries[i]
}

// put replaces the entry of a key, or adds it at the end.
func (d *Draft) put(e draftEntry) {
	if old := d.find(e.key); old != nil {
		*old = e
		return
	}
	d.entries = append(d.entries, e)
}

// open makes tables of their own out of a value in braces, or of a list of such.
func (e *draftEntry) open() {
	all, list := e.value.([]any)
	if !list {
		all = []any{e.value}
	}
	var tables []*Draft
	for _, v := range all {
		table, is := v.(map[string]any)
		if !is {
			return
		}
		tables = append(tables, draftOf(table, &place{}))
	}
	if len(tables) > 0 {
		*e = draftEntry{key: e.key, tables: tables, list: list}
	}
}

// Set gives a key a value: a string, an integer, a boolean, a list of them, or a map from strings
// to them, which is written in braces.
func (d *Draft) Set(key string, value any) { d.Note(key, value, "") }

// Note is as Set, with a comment behind the value.
func (d *Draft) Note(key string, value any, comment string) {
	d.put(draftEntry{key: key, value: value, comment: comment})
}

// Put gives a key a table of its own, [key].
func (d *Draft) Put(key string, table *Draft) {
	d.put(draftEntry{key: key, tables: []*Draft{table}})
}

// List gives a key tables of their own, [[key]] each.
func (d *Draft) List(key string, tables ...*Draft) {
	d.put(draftEntry{key: key, tables: tables, list: true})
}

// Table returns the table of a key, a new one if there is none.
func (d *Draft) Table(key string) *Draft {
	if all := d.Tables(key); len(all) > 0 {
		return all[0]
	}
	table := &Draft{}
	d.Put(key, table)
	return table
}

// Tables returns the tables of a key. Tables in braces become tables of their own, which can be changed.
func (d *Draft) Tables(key string) []*Draft {
	e := d.find(key)
	if e == nil {
		return nil
	}
	e.open()
	return e.tables
}

// Value returns the value of a key, nil if it has none.
func (d *Draft) Value(key string) any {
	if e := d.find(key); e != nil {
		return e.value
	}
	return nil
}

// Keys returns the keys that have values.
func (d *Draft) Keys() []string {
	var all []string
	for _, e := range d.entries {
		if e.tables == nil {
			all = append(all, e.key)
		}
	}
	return all
}

// Delete removes keys with all that they hold.
func (d *Draft) Delete(keys ...string) {
	d.entries = slices.DeleteFunc(d.entries, func(e draftEntry) bool { return slices.Contains(keys, e.key) })
}

// Text returns the TOML of a whole file below a comment of one or several lines, "" for none.
func (d *Draft) Text(comment string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(comment) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimSuffix(line, "\n"))
	}
	d.write(&b, "")
	return bytes.TrimPrefix(b.Bytes(), []byte("\n"))
}

// write writes the values of a table, which align, and then the tables below it.
func (d *Draft) write(b *bytes.Buffer, path string) {
	width := 0
	for _, key := range d.Keys() {
		width = max(width, utf8.RuneCountInString(literalKey(key)))
	}
	for _, e := range d.entries {
		if e.tables != nil {
			continue
		}
		fmt.Fprintf(b, "%-*s = %s", width, literalKey(e.key), Literal(e.value))
		if e.comment != "" {
			b.WriteString(" # " + e.comment)
		}
		b.WriteByte('\n')
	}
	for _, e := range d.entries {
		below := path + literalKey(e.key)
		for _, t := range e.tables {
			switch {
			case e.list:
				fmt.Fprintf(b, "\n[[%s]]\n", below)
			case len(t.Keys()) > 0 || len(t.entries) == 0: // else the tables below it say that it is there
				fmt.Fprintf(b, "\n[%s]\n", below)
			}
			t.write(b, below+".")
		}
	}
}
