package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// inMarkdown keeps an untrusted text one line of text in Markdown: no markup,
// no HTML, no link, no end of a table's cell.
func inMarkdown(s string) string {
	return plainMarkdown(Clean(s), func(_ int, r rune) string {
		switch r {
		case '<':
			return "&lt;"
		case '>':
			return "&gt;"
		case '&':
			return "&amp;"
		case '\\', '`', '*', '_', '[', ']', '|', '#', '~', '!', '$':
			return "\\" + string(r)
		}
		return string(r)
	})
}

// plainMarkdown writes each sign of a text as sign has it, and nothing of the text
// becomes a link: neither http://… and www.…, which GitHub's Markdown links
// without being asked to, nor @name, which tells the user of that name.
func plainMarkdown(s string, sign func(i int, r rune) string) string {
	var b strings.Builder
	for i, r := range s {
		_, width := utf8.DecodeRuneInString(s[i:])
		rest := s[i+width:]
		switch {
		case r == ':' && strings.HasPrefix(rest, "//"):
			b.WriteString(`\:`)
		case r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b.WriteString(`\.`)
		case r == '@' && beginsName(rest):
			// Names and addresses are looked for after escapes are gone, but not over the
			// borders of what else stands there: here an empty comment.
			b.WriteString(`\@<!-- -->`)
		default:
			b.WriteString(sign(i, r))
		}
	}
	return b.String()
}

func beginsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
