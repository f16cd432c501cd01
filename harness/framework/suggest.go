package framework

import (
	"fmt"
	"slices"
	"strings"
)

// nearest returns the candidate with the least edit distance to word, or ""
// when even that one differs in more than a third of its letters (in a short
// word, more than two letters or half of them).
func nearest(word string, candidates []string) string {
	best, least := "", max(len(word)/3, min(len(word)/2, 2))+1
	for _, c := range candidates {
		if d := distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// suggestion is a hint: the nearest candidate, or else all of them.
func suggestion(word string, candidates []string) string {
	if n := nearest(word, candidates); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	all := slices.Sorted(slices.Values(candidates))
	return "known: " + strings.Join(all, ", ")
}
