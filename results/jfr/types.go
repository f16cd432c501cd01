package jfr

import (
	"errors"
	"fmt"
	"strconv"
)

// types are the types of a chunk's events and of their fields, by number.
type types map[int64]class

// class is a type; primitive types have no fields.
type class struct {
	name   string
	fields []field
}

type field struct {
	name     string
	class    int64
	constant bool // the value is a number that refers to a constant elsewhere
	array    bool
}

// named returns the number of the type of this name, or 0.
func (t types) named(name string) int64 {
	for id, c := range t {
		if c.name == name {
			return id
		}
	}
	return 0
}

// Limits of a chunk's metadata: the measured program writes it.
const (
	mostStrings  = 1 << 20
	mostElements = 1 << 20
	mostDepth    = 16
)

var errMetadata = errors.New("it is not as Flight Recorder writes it")

// readTypes reads the metadata event: texts, and a tree of elements that refer to them.
func readTypes(in *input) (types, error) {
	in.number() // size
	if kind := in.number(); kind != metadataType && in.err == nil {
		return nil, errMetadata
	}
	in.number() // start, duration and ID
	in.number()
	in.number()
	n := in.number()
	if n < 0 || n > mostStrings {
		return nil, errMetadata
	}
	var texts []string
	for ; n > 0 && in.err == nil; n-- {
		texts = append(texts, in.text())
	}
	tree := &elements{in: in, texts: texts, types: types{}, left: mostElements}
	tree.read(0, 0)
	if in.err != nil {
		return nil, in.err
	}
	return tree.types, nil
}

// elements is the tree of elements; only classes and their fields are kept.
type elements struct {
	in    *input
	texts []string
	types types
	left  int
}

func (e *elements) name() string {
	if i := e.in.number(); i >= 0 && i < int64(len(e.texts)) {
		return e.texts[i]
	}
	e.in.fail(errMetadata)
	return ""
}

// read reads an element and its children; of is the type that it belongs to, 0 for none.
func (e *elements) read(of int64, depth int) {
	if e.left--; e.left < 0 || depth > mostDepth {
		e.in.fail(errMetadata)
	}
	if e.in.err != nil {
		return
	}
	kind, attributes := e.name(), map[string]string{}
	for n := e.in.number(); n > 0 && e.in.err == nil; n-- {
		key := e.name()
		attributes[key] = e.name()
	}
	number := func(key string) int64 { n, _ := strconv.ParseInt(attributes[key], 10, 64); return n }
	switch {
	case kind == "class":
		of = number("id")
		e.types[of] = class{name: attributes["name"]}
	case kind == "field" && of != 0:
		c := e.types[of]
		c.fields = append(c.fields, field{
			name: attributes["name"], class: number("class"),
			constant: attributes["constantPool"] == "true", array: number("dimension") > 0,
		})
		e.types[of] = c
		of = 0 // children describe the field
	}
	for n := e.in.number(); n > 0 && e.in.err == nil; n-- {
		e.read(of, depth+1)
	}
}

// Encodings of a text.
const (
	textNull = iota
	textEmpty
	textConstant // number of the constant
	textUTF8
	textChars
	textLatin1
)

// text reads a text, or "" for a constant, which is not looked up.
func (in *input) text() string {
	switch in.next() {
	case textNull, textEmpty:
	case textConstant:
		in.number()
	case textUTF8, textLatin1:
		n := in.number()
		if n < 0 || n > longestText {
			in.fail(errMetadata)
		}
		var text []byte
		for ; n > 0 && in.err == nil; n-- {
			text = append(text, in.next())
		}
		return string(text)
	case textChars:
		var text []rune
		for n := in.number(); n > 0 && in.err == nil; n-- {
			text = append(text, rune(in.number()))
		}
		return string(text)
	default:
		in.fail(errMetadata)
	}
	return ""
}

// number returns the value of a field of an event of type of, and reads the fields before it.
func (t types) number(in *input, of int64, name string) int64 {
	for _, f := range t[of].fields {
		if f.name == name && !f.constant && !f.array && (t[f.class].name == "long" || t[f.class].name == "int") {
			return in.number()
		}
		t.skip(in, f, 0)
	}
	in.fail(fmt.Errorf("%s has no field %q that is a number", t[of].name, name))
	return 0
}

// skip skips the value of a field.
func (t types) skip(in *input, f field, depth int) {
	n := int64(1)
	if f.array {
		n = in.number()
	}
	for ; n > 0 && in.err == nil; n-- {
		switch c := t[f.class]; {
		case depth > mostDepth:
			in.fail(errMetadata)
		case f.constant:
			in.number()
		case len(c.fields) > 0:
			for _, inner := range c.fields {
				t.skip(in, inner, depth+1)
			}
		case c.name == "boolean" || c.name == "byte":
			in.skip(1)
		case c.name == "float":
			in.skip(4)
		case c.name == "double":
			in.skip(8)
		case c.name == "java.lang.String":
			in.text()
		default: // char, short, int, long
			in.number()
		}
	}
}
