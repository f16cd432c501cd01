// Package names knows how methods and classes of a JVM are written in signatures and patterns. A JVM takes
// names that no Java compiler does; characters with a meaning there are escaped by a backslash, or as a
// backslash, u and four digits (moobench.probes.patterns.Names).
package names

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Escape decodes the character at the start of text, which may be escaped, and returns the number of UTF-16
// units of the escape; 0: it is not escaped. text must not be empty.
func Escape(text []uint16) (c uint16, length int) {
	if text[0] != '\\' || len(text) == 1 || utf16.IsSurrogate(rune(text[1])) {
		return text[0], 0
	}
	if text[1] == 'u' && len(text) >= 6 {
		if n, err := strconv.ParseUint(string(utf16.Decode(text[2:6])), 16, 16); err == nil {
			return uint16(n), 6
		}
	}
	return text[1], 2
}

// Readable unescapes a name from a signature; unprintable characters stay escaped.
func Readable(written string) string {
	if !strings.Contains(written, `\`) {
		return written
	}
	var b strings.Builder
	text := utf16.Encode([]rune(written))
	for i := 0; i < len(text); {
		c, length := Escape(text[i:])
		switch n := max(1, length); {
		case length == 0 && utf16.IsSurrogate(rune(c)):
			b.WriteString(string(utf16.Decode(text[i : i+2])))
			i += 2
		case length > 0 && unicode.IsPrint(rune(c)):
			b.WriteRune(rune(c))
			i += n
		default:
			b.WriteString(string(utf16.Decode(text[i : i+n])))
			i += n
		}
	}
	return b.String()
}
