package strict

import (
	"maps"
	"slices"
)

// hintsMost is the number of mistakes after which unknown keys get no suggestion any
// more: finding one takes longer than everything else, and few of so many are shown.
const hintsMost = 1000

// Table describes what may stand in a table of a document.
type Table struct {
	Text string // what the table is about, in a sentence
	Keys []Key  // read in this order
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

// Must returns the key, required.
func (k Key) Must() Key {
	k.Required = true
	return k
}

// Kind is what may stand behind a key, and how it is read.
type Kind struct {
	Type   string   // its name in messages: integer, time, list of strings
	Values []string // the allowed ones; nil: any
	// Section describes the table that stands there, or each of several; nil for anything
	// else.
	Section func() Table
	Several Several
	Read    func(v Value)
}

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
	var names []string
	for _, k := range t.Keys {
		names = append(names, k.Name)
		at := v.Key(k.Name)
		if k.Default != nil {
			holds := at
			holds.Raw = k.Default
			if n, ok := k.Default.(int); ok {
				holds.Raw = int64(n) // as the parser has them
			}
			k.Kind.Read(holds)
		}
		if v.Has(k.Name) {
			k.Kind.Read(at)
		} else if k.Required {
			v.Fail("add "+k.Name+" = …", "the key %q is missing", k.Name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Sorted(maps.Keys(v.Raw.(map[string]any))) {
		if _, known := slices.BinarySearch(names, name); known {
			continue
		}
		hint := ""
		if len(v.doc.errs) < hintsMost {
			hint = Hint(name, names)
		}
		v.Key(name).Fail(hint, "unknown key %q", name)
	}
	if t.check != nil {
		t.check(v)
	}
}

// Section is a table of a file as a reference shows it.
type Section struct {
	Name string // as it is written: [machine.pin], [[scenario]], [framework.NAME]; "" is the top of the file
	Table
}

// Sections returns a table and those below it, each before its own. Path is its name
// without brackets, "" for a whole file.
func (t Table) Sections(path string) []Section {
	all := []Section{{Table: t}}
	if path != "" {
		all[0].Name = "[" + path + "]"
	}
	for _, k := range t.Keys {
		if k.Kind.Section == nil {
			continue
		}
		name := k.Name
		if path != "" {
			name = path + "." + name
		}
		if k.Kind.Several == Named {
			name += ".NAME"
		}
		below := k.Kind.Section().Sections(name)
		if k.Kind.Several == Listed {
			below[0].Name = "[" + below[0].Name + "]"
		}
		all = append(all, below...)
	}
	return all
}
