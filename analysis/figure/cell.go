package figure

import (
	"strconv"
	"strings"
)

// Cell protects a text from being read as a formula by spreadsheets: if it begins like one and is
// no number, it gets an apostrophe in front.
func Cell(text string) string {
	start := strings.TrimLeft(text, " ")
	if start == "" || !strings.ContainsRune("=+-@＝＋－＠", []rune(start)[0]) {
		return text
	}
	if _, err := strconv.ParseFloat(start, 64); err == nil {
		return text
	}
	return "'" + text
}
