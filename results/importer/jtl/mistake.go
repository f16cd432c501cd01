package jtl

import (
	"fmt"
	"strings"
)

// mistakesShown is how many mistakes are listed; a file of the wrong kind has
// one on every line.
const mistakesShown = 20

// Mistakes is everything wrong in JTL files, in the order of reading: the first
// twenty, and how many there are.
type Mistakes struct {
	First []string // none:1204: elapsed "12ms" is no number
	Count int
}

// Error has a line for each of the first mistakes, and counts the rest.
func (m *Mistakes) Error() string {
	text := strings.Join(m.First, "\n")
	if rest := m.Count - len(m.First); rest > 0 {
		text += fmt.Sprintf("\nand %d more", rest)
	}
	return text
}

func (m *Mistakes) add(file string, line int, format string, args ...any) {
	if m.Count++; len(m.First) >= mistakesShown {
		return
	}
	where := file
	if line > 0 {
		where = fmt.Sprintf("%s:%d", file, line)
	}
	m.First = append(m.First, where+": "+fmt.Sprintf(format, args...))
}
