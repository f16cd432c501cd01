package strict

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// position is a position in the text. Line and column count from 1, the column in characters.
type position struct{ line, column int }

// Limits of a path of keys and list indexes, in parts and in bytes. No real benchmarks.toml is
// deeper or has longer names.
const maxDepth, maxPath = 32, 500

// place is the position of a key, a section or a list element, with the places below it. It
// exists because BurntSushi/toml returns values without positions.
type place struct {
	position
	depth, bytes int // of its path
	keys         map[string]*place
	elements     []*place
	tables       int  // elements of [[path]] so far
	braces       bool // it is a table in braces
}

// key returns the place of a key below p; a new one has no position yet.
func (p *place) key(name string) *place {
	if p.keys[name] == nil {
		if p.keys == nil {
			p.keys = map[string]*place{}
		}
		p.keys[name] = &place{depth: p.depth + 1, bytes: p.bytes + 1 + len(name)}
	}
	return p.keys[name]
}

// element returns the place of an element of the list p.
func (p *place) element(i int) *place {
	for len(p.elements) <= i {
		p.elements = append(p.elements, &place{depth: p.depth + 1, bytes: p.bytes + 1})
	}
	return p.elements[i]
}

// nearest returns the position of a path, or of the nearest enclosing section.
func (p *place) nearest(path []any) position {
	for _, step := range path {
		var below *place
		switch step := step.(type) {
		case string:
			below = p.keys[step]
		case int:
			if step >= 0 && step < len(p.elements) {
				below = p.elements[step]
			}
		}
		if below == nil {
			break
		}
		p = below
	}
	return p.position
}

// newlines returns the offset at which each line starts.
func newlines(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// finder walks over a text that may not be valid TOML. It understands just enough syntax to
// tell keys, lists and strings apart.
type finder struct {
	text    string
	pos     int
	lines   []int
	counted int      // offset of the latest call of at
	column  position // position of that offset
	deep    *position
}

// findPlaces finds the place of every key and element. At the first path that is too long it
// stops, and returns its position as deep.
func findPlaces(text string) (root *place, deep *position) {
	f := &finder{text: text, lines: newlines(text)}
	f.pos = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	root = &place{position: position{1, 1}}
	section := root
	for f.blank(); f.pos < len(f.text); f.blank() {
		start := f.pos
		if f.peek() == '[' {
			f.pos++
			list := f.peek() == '['
			if list {
				f.pos++
			}
			section = f.path(root, list)
			f.skipTo("\n")
		} else {
			f.keyValue(section)
		}
		if f.pos == start {
			f.pos++ // not TOML: skip the byte and go on
		}
	}
	return root, f.deep
}

func (f *finder) peek() byte {
	if f.pos < len(f.text) {
		return f.text[f.pos]
	}
	return 0
}

// mark records the position of a place at its first occurrence. If the path is too long, mark
// moves to the end of the text, which stops the finder.
func (f *finder) mark(p *place, offset int) {
	if p.line == 0 {
		p.position = f.at(offset)
	}
	if f.deep == nil && (p.depth > maxDepth || p.bytes > maxPath) {
		at := f.at(offset)
		f.deep, f.pos = &at, len(f.text)
	}
}

// at returns the position of an offset. It counts columns on from the previous call, so that a
// long line is not reread for each of its keys.
func (f *finder) at(offset int) position {
	line := sort.SearchInts(f.lines, offset+1)
	from, column := f.lines[line-1], 1
	if f.column.line == line && f.counted <= offset {
		from, column = f.counted, f.column.column
	}
	f.counted = offset
	f.column = position{line, column + utf8.RuneCountInString(f.text[from:offset])}
	return f.column
}

// blank skips white space, line ends and comments.
func (f *finder) blank() {
	for f.pos < len(f.text) {
		switch f.text[f.pos] {
		case ' ', '\t', '\r', '\n':
			f.pos++
		case '#':
			f.skipTo("\n")
		default:
			return
		}
	}
}

// skipTo moves to the next of the given characters, or to the end.
func (f *finder) skipTo(any string) {
	if i := strings.IndexAny(f.text[f.pos:], any); i >= 0 {
		f.pos += i
	} else {
		f.pos = len(f.text)
	}
}

// path reads a dotted key and returns its place below at; for [[key]], the place of a new element.
func (f *finder) path(at *place, list bool) *place {
	for {
		f.blank()
		start := f.pos
		at = at.key(f.name())
		f.mark(at, start)
		f.blank()
		more := f.peek() == '.'
		if list && !more {
			at.tables++
		}
		if at.tables > 0 {
			at = at.element(at.tables - 1)
			f.mark(at, start)
		}
		if !more {
			return at
		}
		f.pos++
	}
}

// name reads one part of a key.
func (f *finder) name() string {
	start := f.pos
	if c := f.peek(); c != '"' && c != '\'' {
		f.skipTo(" \t\r\n.=]}#")
		return f.text[start:f.pos]
	}
	f.quoted()
	s := f.text[start:f.pos]
	if !strings.Contains(s, `\`) && len(s) >= 2 {
		return s[1 : len(s)-1]
	}
	var v struct{ S string }
	if _, err := toml.Decode("S = "+s, &v); err != nil { // let the parser decode the escapes
		return s
	}
	return v.S
}

func (f *finder) keyValue(section *place) {
	if at := f.path(section, false); f.peek() == '=' {
		f.pos++
		f.value(at)
	}
}

func (f *finder) value(at *place) {
	f.blank()
	switch f.peek() {
	case '"', '\'':
		f.quoted()
	case '[':
		f.elements(']', func(i int) {
			element := at.element(i)
			f.mark(element, f.pos)
			f.value(element)
		})
	case '{':
		at.braces = true
		f.elements('}', func(int) { f.keyValue(at) })
	default: // a date may hold a space
		f.skipTo(",]}#\n")
	}
}

// elements reads a list or an inline table, and calls each at every element.
func (f *finder) elements(end byte, each func(i int)) {
	f.pos++
	for i := 0; ; i++ {
		f.blank()
		start := f.pos
		if f.pos >= len(f.text) || f.peek() == end {
			f.pos++
			break
		}
		each(i)
		f.blank()
		if f.peek() == ',' || f.pos == start {
			f.pos++
		}
	}
	f.pos = min(f.pos, len(f.text))
}

// quoted skips a string of any of the four kinds.
func (f *finder) quoted() {
	quote := f.text[f.pos : f.pos+1]
	escapes := quote == `"`
	if three := strings.Repeat(quote, 3); strings.HasPrefix(f.text[f.pos:], three) {
		quote = three
	}
	f.pos += len(quote)
	for f.pos < len(f.text) && !strings.HasPrefix(f.text[f.pos:], quote) {
		if escapes && f.text[f.pos] == '\\' {
			f.pos++
		}
		f.pos++
	}
	f.pos = min(f.pos+len(quote), len(f.text))
	for range len(quote) - 1 { // up to two quotes may precede the closing three
		if f.peek() == quote[0] {
			f.pos++
		}
	}
}
