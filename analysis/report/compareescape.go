package report

import "strings"

// inMarkdown keeps an untrusted text one line of text in Markdown: no markup,
// no HTML, no link, no end of a table's cell.
func inMarkdown(s string) string {
	var b strings.Builder
	for _, r := range Clean(s) {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@': // else a name of a user, who would be told
			b.WriteString("&#64;")
		case '\\', '`', '*', '_', '[', ']', '|', '#', '~', '!', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "://", ":&#47;&#47;")
}
