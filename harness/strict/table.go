package strict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// hintsMost is the number of mistakes after which unknown keys get no suggestion. Finding one
// takes longer than all other checks, and most mistakes beyond the first few are not shown.
const hintsMost = 1000

// Table describes a table of a document.
type Table struct {
	Text string // purpose of the table, in a sentence
	Keys []Key  // read in this order
	// Cases list the additional keys that depend on the value of another key, for the generated
	// reference.
	Cases []Case
	// Shared is the section name to use instead of the key's own if several keys have the same
	// table; "": the key's own.
	Shared string
	// check checks the keys against each other once all are read; may be nil.
	check func(v Value)
}

// NewTable returns a table with the given keys. text states its purpose in a sentence.
func NewTable(text string, keys ...Key) Table { return Table{Text: text, Keys: keys} }

// Checked returns the table with a check of its keys against each other.
func (t Table) Checked(check func(v Value)) Table {
	t.check = check
	return t
}

// Case lists the keys that a table accepts in addition, or with a different default, if Key has
// the value Value.
type Case struct {
	Key, Value string
	Table
}

// Key is a key of a table.
type Key struct {
	Name string
	Kind Kind
	Unit string // of a number, such as blocks; "": no unit, or the value includes it
	// Default applies if the key is missing or its value is invalid: a string, int, float64,
	// bool or map[string]any. nil: no default.
	Default  any
	Required bool
	Text     string // purpose of the key, in a sentence
	// Example is an example value: of a Default's types, or a []string. nil: no example that
	// adds to the default, the values or the type.
	Example any
	Since   string // release that introduced it; "": the first
}

// NewKey returns a key of a kind. text states its purpose in a sentence.
func NewKey(name string, kind Kind, text string) Key { return Key{Name: name, Kind: kind, Text: text} }

// Or returns the key with a default.
func (k Key) Or(holds any) Key {
	k.Default = holds
	return k
}

// In returns the key with a unit.
func (k Key) In(unit string) Key {
	k.Unit = unit
	return k
}

// Like returns the key with an example.
func (k Key) Like(example any) Key {
	k.Example = example
	return k
}

// Must returns the key as a required one.
func (k Key) Must() Key {
	k.Required = true
	return k
}

// Kind describes a type of value, and reads it.
type Kind struct {
	// Type is its human-readable name: a key of types, or several of them joined by ", or ".
	Type   string
	Values []string // the allowed or known values; nil: any
	Means  []string // meanings of the Values; nil: the key's text explains them
	Open   bool     // Values is incomplete
	Limits *Limits  // of an integer; nil: no limits
	// Section describes the table, or each of several tables; nil if the value is not a table.
	Section func() Table
	Several Several
	Read    func(v Value)
}

// Limits are the least and the greatest allowed integer; math.MaxInt64 means no upper bound.
type Limits struct{ Least, Most int64 }

// Several tells a single table from lists and maps of tables.
type Several int

// The values of Kind.Several.
const (
	One    Several = iota // [key]
	Listed                // [[key]]
	Named                 // [key.NAME]
)

// Table reads a table: each of its keys, then the checks between them.
func (v Value) Table(t Table) {
	if !v.IsTable() {
		return
	}
	for _, k := range t.Keys {
		if k.Default != nil {
			holds := v.Key(k.Name)
			holds.Raw = k.Default
			if n, ok := k.Default.(int); ok {
				holds.Raw = int64(n) // the parser's integer type
			}
			k.Kind.Read(holds)
		}
		if v.Has(k.Name) {
			k.Kind.Read(v.Key(k.Name))
		} else if k.Required {
			v.Fail("add "+k.Name+" = …", "the key %q is missing", k.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Raw.(map[string]any))) {
		if slices.ContainsFunc(t.Keys, func(k Key) bool { return k.Name == name }) {
			continue
		}
		hint := ""
		if len(v.doc.errs) < hintsMost {
			hint = Hint(name, t.names())
		}
		v.Key(name).Fail(hint, "unknown key %q", name)
	}
	if t.check != nil {
		t.check(v)
	}
}

// names returns the sorted names of the table's keys. It is called only for hints, since most
// tables have no unknown key.
func (t Table) names() []string {
	names := make([]string, 0, len(t.Keys))
	for _, k := range t.Keys {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

// Section is a table with its name, for the generated reference.
type Section struct {
	Name string // as written: [machine.pin], [[scenario]], [framework.NAME]; "": top level of the file
	Table
}

// Below returns the name of the section of a key's table.
func (s Section) Below(k Key) string {
	name := strings.Trim(s.Name, "[]")
	if name != "" {
		name += "."
	}
	switch name += cmp.Or(k.Kind.Section().Shared, k.Name); k.Kind.Several {
	case Listed:
		return "[[" + name + "]]"
	case Named:
		name += ".NAME"
	}
	return "[" + name + "]"
}

// Sections returns a table, its cases, and the tables below it, each before its own subtables.
// name is the table's name as written, "" for a whole file. Tables with the same Text are the
// same table, and only the first is returned.
func (t Table) Sections(name string) []Section {
	var all []Section
	var add func(Section)
	add = func(s Section) {
		if slices.ContainsFunc(all, func(o Section) bool { return o.Text == s.Text }) {
			return
		}
		all = append(all, s)
		for _, c := range s.Cases {
			add(Section{fmt.Sprintf("%s %s = %q", s.Name, c.Key, c.Value), c.Table})
		}
		for _, k := range s.Keys {
			if k.Kind.Section != nil {
				add(Section{s.Below(k), k.Kind.Section()})
			}
		}
	}
	add(Section{name, t})
	return all
}
