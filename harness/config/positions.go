package config

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// position is a place in the text, from 1; the column is in characters.
type position struct{ line, column int }

// positions maps pathKey of every key, section and element of a list to its
// place. BurntSushi/toml tells what a file says, but not where.
type positions map[string]position

// pathKey is a path as text; no two paths share one.
func pathKey(path []any) string {
	var b strings.Builder
	for _, p := range path {
		switch p := p.(type) {
		case string:
			fmt.Fprintf(&b, ".%q", p)
		case int:
			fmt.Fprintf(&b, "[%d]", p)
		}
	}
	return b.String()
}

// newlines is the offset at which each line starts.
func newlines(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// maxDepth is how deep lists in lists are told apart: a path has no end, but
// memory has.
const maxDepth = 32

// finder walks over a text that is known to be TOML. It understands just
// enough of it to tell keys, lists and strings apart.
type finder struct {
	text   string
	pos    int
	lines  []int
	found  positions
	tables map[string]int // pathKey → elements of [[path]] so far
}

func findPositions(text string) positions {
	f := &finder{text: text, lines: newlines(text), found: positions{}, tables: map[string]int{}}
	f.pos = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	var section []any
	for f.blank(); f.pos < len(f.text); f.blank() {
		start := f.pos
		if f.peek() == '[' {
			section = f.header()
		} else {
			f.keyValue(section)
		}
		if f.pos == start {
			f.pos++ // not TOML after all: go on anyhow
		}
	}
	return f.found
}

func (f *finder) peek() byte {
	if f.pos < len(f.text) {
		return f.text[f.pos]
	}
	return 0
}

// mark records where path stands. The first place counts.
func (f *finder) mark(path []any, offset int) {
	key := pathKey(path)
	if _, known := f.found[key]; known {
		return
	}
	line := sort.SearchInts(f.lines, offset+1)
	f.found[key] = position{line, 1 + utf8.RuneCountInString(f.text[f.lines[line-1]:offset])}
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

// skipTo goes to the next of the given characters, or to the end.
func (f *finder) skipTo(any string) {
	if i := strings.IndexAny(f.text[f.pos:], any); i >= 0 {
		f.pos += i
	} else {
		f.pos = len(f.text)
	}
}

// header reads [a.b] or [[a.b]] and returns the path of what follows.
func (f *finder) header() []any {
	f.pos++
	list := f.peek() == '['
	if list {
		f.pos++
	}
	var path []any
	names, offsets := f.key()
	for i, name := range names {
		path = append(path, name)
		f.mark(path, offsets[i])
		key := pathKey(path)
		if list && i == len(names)-1 {
			f.tables[key]++
		}
		if n := f.tables[key]; n > 0 {
			path = append(path, n-1)
			f.mark(path, offsets[i])
		}
	}
	f.skipTo("\n")
	return path
}

// key reads a key and the offset of each of its dotted parts.
func (f *finder) key() (names []string, offsets []int) {
	for {
		f.blank()
		offsets = append(offsets, f.pos)
		names = append(names, f.name())
		f.blank()
		if f.peek() != '.' {
			return names, offsets
		}
		f.pos++
	}
}

func (f *finder) name() string {
	start := f.pos
	if c := f.peek(); c == '"' || c == '\'' {
		f.quoted()
		return unquote(f.text[start:f.pos])
	}
	f.skipTo(" \t\r\n.=]}#")
	return f.text[start:f.pos]
}

// unquote leaves the escapes to those who know them.
func unquote(s string) string {
	var v struct{ S string }
	if _, err := toml.Decode("S = "+s, &v); err != nil {
		return s
	}
	return v.S
}

func (f *finder) keyValue(section []any) {
	path := section[:len(section):len(section)]
	names, offsets := f.key()
	for i, name := range names {
		path = append(path, name)
		f.mark(path, offsets[i])
	}
	if f.peek() != '=' {
		return
	}
	f.pos++
	f.value(path)
}

func (f *finder) value(path []any) {
	f.blank()
	switch f.peek() {
	case '"', '\'':
		f.quoted()
	case '[':
		f.elements(']', func(i int) {
			element := path
			if len(path) < maxDepth {
				element = append(path[:len(path):len(path)], i)
			}
			f.mark(element, f.pos)
			f.value(element)
		})
	case '{':
		f.elements('}', func(int) { f.keyValue(path) })
	default: // a date may hold a space
		f.skipTo(",]}#\n")
	}
}

// elements reads a list or an inline table: each is called at each element.
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
	if strings.HasPrefix(f.text[f.pos:], strings.Repeat(quote, 3)) {
		f.quotedLines(strings.Repeat(quote, 3))
		return
	}
	f.pos++
	for f.pos < len(f.text) && f.text[f.pos] != quote[0] {
		f.escaped(quote)
		f.pos++
	}
	f.pos = min(f.pos+1, len(f.text))
}

func (f *finder) quotedLines(quotes string) {
	f.pos += 3
	for f.pos < len(f.text) && !strings.HasPrefix(f.text[f.pos:], quotes) {
		f.escaped(quotes[:1])
		f.pos++
	}
	f.pos = min(f.pos+3, len(f.text))
	for range 2 { // up to two quotes may stand before the closing three
		if f.peek() == quotes[0] {
			f.pos++
		}
	}
}

// escaped steps onto what a backslash escapes.
func (f *finder) escaped(quote string) {
	if quote == `"` && f.text[f.pos] == '\\' {
		f.pos++
	}
}
