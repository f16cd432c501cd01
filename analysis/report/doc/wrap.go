package doc

import (
	"strings"
	"unicode"
)

// Clean makes unprintable characters visible: control characters, escape sequences, and direction marks, which
// can reverse the digits of the numbers that follow.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// OneLine puts a text on one line of printable characters.
func OneLine(s string) string { return Clean(strings.Join(strings.Fields(s), " ")) }

// Width is the number of columns that a text takes on a terminal.
func Width(s string) int {
	n := 0
	for _, r := range Clean(s) {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana):
			n += 2
		default:
			n++
		}
	}
	return n
}

// enclosed is a text between two others; "" without a text.
func enclosed(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-Width(s))) }

// Wrap breaks a text between words into lines of at most so many columns; a longer word has a line of its own.
func Wrap(text string, columns int) []string {
	lines, used := []string{""}, 0
	for _, word := range strings.Fields(Clean(text)) {
		n, last := Width(word), len(lines)-1
		switch {
		case lines[last] == "":
			lines[last], used = word, n
		case used+1+n > columns:
			lines, used = append(lines, word), n
		default:
			lines[last], used = lines[last]+" "+word, used+1+n
		}
	}
	return lines
}

// CleanLines is Clean for a text of several lines.
func CleanLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\t", "    "), "\n")
	for i, l := range lines {
		lines[i] = Clean(l)
	}
	return strings.Join(lines, "\n")
}
