package pattern

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"moobench/results/names"
)

// Characters with a meaning in patterns, and characters that no JVM name contains
// (moobench.probes.patterns.Names).
const (
	ours  = "(),<>[]\\*@;/"
	never = ".;[/"
)

func isNever(c uint16) bool { return c < utf8.RuneSelf && strings.IndexByte(never, byte(c)) >= 0 }

// isWritten reports whether character i of a name must be written by its number, because it has
// a meaning in patterns or is not printable.
func isWritten(name []uint16, i int) bool {
	c := name[i]
	switch {
	case c >= 0xD800 && c < 0xDC00: // half of a surrogate pair is not printable
		return i+1 == len(name) || name[i+1] < 0xDC00 || name[i+1] > 0xDFFF
	case c >= 0xDC00 && c <= 0xDFFF:
		return i == 0 || name[i-1] < 0xD800 || name[i-1] >= 0xDC00
	}
	return c <= ' ' || unicode.IsControl(rune(c)) || c < utf8.RuneSelf && strings.IndexByte(ours, byte(c)) >= 0
}

// spelled returns a name in canonical form, with characters escaped by number as necessary. A
// dot keeps its backslash, so that Check rejects it: no name contains a dot.
func spelled(name []uint16) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.':
			b.WriteString(`\.`)
		case isWritten(name, i):
			fmt.Fprintf(&b, `\u%04x`, c)
		case utf16.IsSurrogate(rune(c)):
			b.WriteRune(utf16.DecodeRune(rune(c), rune(name[i+1])))
			i++
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// Canonical returns a pattern in canonical form: with single blanks, and with the characters of
// names that have a meaning in patterns escaped by number, such as \u0020 for a blank.
func Canonical(pattern string) string {
	var b strings.Builder
	var name []uint16 // adjacent escaped characters
	blank := false
	text := utf16.Encode([]rune(pattern))
	for i := 0; i < len(text); {
		c, length := names.Escape(text[i:])
		if length == 0 && c <= ' ' {
			blank = true
			i++
			continue
		}
		if length == 0 || blank {
			b.WriteString(spelled(name))
			name = name[:0]
		}
		if blank && b.Len() > 0 {
			b.WriteByte(' ')
		}
		blank = false
		switch {
		case length > 0:
			name = append(name, c)
			i += length
		case utf16.IsSurrogate(rune(c)):
			b.WriteRune(utf16.DecodeRune(rune(c), rune(text[i+1])))
			i += 2
		default:
			b.WriteRune(rune(c))
			i++
		}
	}
	return b.String() + spelled(name)
}

// Named returns the name of a class, which may hold wildcards, as a pattern. All characters
// except wildcards, dots and existing escapes are taken literally.
func Named(class string) string {
	var b strings.Builder
	text := utf16.Encode([]rune(class))
	for i := 0; i < len(text); {
		c, length := names.Escape(text[i:])
		switch {
		case length > 0:
			b.WriteString(string(utf16.Decode(text[i : i+length])))
			i += length
		case utf16.IsSurrogate(rune(c)) && !isWritten(text, i):
			b.WriteString(string(utf16.Decode(text[i : i+2])))
			i += 2
		default:
			if c != '*' && !isNever(c) && isWritten(text, i) {
				b.WriteByte('\\')
			}
			b.WriteString(string(utf16.Decode(text[i : i+1])))
			i++
		}
	}
	return Canonical(b.String())
}

// ASCII returns a text of patterns with all non-ASCII characters escaped by number, for a JVM
// that reads its arguments in another encoding.
func ASCII(text string) string {
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(text)) {
		if c <= unicode.MaxASCII {
			b.WriteByte(byte(c))
		} else {
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

func hint(c uint16) string {
	if isNever(c) || c == '\\' || c == ']' || utf16.IsSurrogate(rune(c)) || c < ' ' {
		return ""
	}
	return fmt.Sprintf(`; \%c stands for %c`, c, c)
}
