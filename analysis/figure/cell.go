package figure

import (
	"strconv"
	"strings"
)

// Cell is a text that no spreadsheet takes for a formula: before what one begins with stands an
// apostrophe, unless it is a number.
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
