package strict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// hintsMost is the number of mistakes after which unknown keys get no suggestion any
// more: finding one takes longer than everything else, and few of so many are shown.
const hintsMost = 1000

// Table describes what may stand in a table of a document.
type Table struct {
	Text string // what the table is about, in a sentence
	Keys []Key  // read in this order
	// Cases are what it may hold besides, for a reference.
	Cases []Case
	// Shared is the name of its section, in place of the key's, where several keys stand for
	// it; "" is a table of its own.
	Shared string
	// check checks the keys against each other, once all are read; nil checks nothing.
	check func(v Value)
}

// NewTable returns a table that is about something, in a sentence, with these keys.
func NewTable(text string, keys ...Key) Table { return Table{Text: text, Keys: keys} }

// Checked returns the table with a check of its keys against each other.
func (t Table) Checked(check func(v Value)) Table {
	t.check = check
	return t
}

// Case is what a table may hold besides, or has another default of, where a key has a
// value.
type Case struct {
	Key, Value string
	Table
}

// Key is a key of a table.
type Key struct {
	Name string
	Kind Kind
	Unit string // of a number, such as blocks; "" where it has none, or the value includes it
	// Default holds where the key is missing or its value is wrong: a string, int,
	// float64, bool or map[string]any. Nil is no default.
	Default  any
	Required bool
	Text     string // what it says, in a sentence
	// Example is a value that may stand there: as Default, or a []string. Nil is none that
	// says more than the default, the values or the type.
	Example any
	Since   string // release that it came with; "" is the first one
}

// NewKey returns a key of a kind; text is what it is for, in a sentence.
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

// Must returns the key, required.
func (k Key) Must() Key {
	k.Required = true
	return k
}

// Kind is what may stand behind a key, and how it is read.
type Kind struct {
	// Type is its name for people: one of types, or several with ", or " between them.
	Type   string
	Values []string // the allowed ones, or those that are known; nil: any
	Means  []string // of each of the Values; nil where the key's text says it
	Open   bool     // there are others than the Values
	Limits *Limits  // of an integer; nil: none
	// Section describes the table that stands there, or each of several; nil for anything
	// else.
	Section func() Table
	Several Several
	Read    func(v Value)
}

// Limits are the least and the greatest integer that may stand there; math.MaxInt64 means
// no upper bound.
type Limits struct{ Least, Most int64 }

// Several is how many tables stand behind a key.
type Several int

// The values of Kind.Several.
const (
	One    Several = iota // [key]
	Listed                // [[key]]
	Named                 // [key.NAME]
)

// Table reads a table: each of its keys, then what they mean together.
func (v Value) Table(t Table) {
	if !v.IsTable() {
		return
	}
	for _, k := range t.Keys {
		if k.Default != nil {
			holds := v.Key(k.Name)
			holds.Raw = k.Default
			if n, ok := k.Default.(int); ok {
				holds.Raw = int64(n) // as the parser has them
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

// names returns the names of the table's keys, sorted. Only a hint needs them: most tables have no unknown key.
func (t Table) names() []string {
	names := make([]string, 0, len(t.Keys))
	for _, k := range t.Keys {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	return names
}

// Section is a table of a file as a reference shows it.
type Section struct {
	Name string // as it is written: [machine.pin], [[scenario]], [framework.NAME]; "" is the top of the file
	Table
}

// Below is the name of the section that stands behind a key.
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

// Sections returns a table, what it may hold besides, and the tables below it, each before
// its own. Name is that of the table as it is written, "" for a whole file. Tables that are
// about the same are the same, and the first of them stands for all.
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
