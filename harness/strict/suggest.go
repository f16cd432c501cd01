package strict

import "strings"

// Nearest returns the candidate that word was most likely meant to be, or "" if even the
// nearest differs in more than a third of the letters (in a short word, more than two letters
// or half of them). Case is ignored, and two swapped letters count as one error.
func Nearest(word string, candidates []string) string {
	best := ""
	least := max(len(word)/3, min(len(word)/2, 2), 1) + 1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the optimal string alignment distance in bytes: insertions,
// deletions, substitutions and swaps of neighbours.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := row[j]
			if a[i] != b[j] {
				cost = 1 + min(row[j], row[j+1], next[j])
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			next[j+1] = cost
		}
		before, row = row, next
	}
	return row[len(b)]
}

// Hint suggests the nearest candidate, or else lists all candidates in the order given.
func Hint(word string, candidates []string) string {
	return Suggest(word, candidates, "known: "+strings.Join(candidates, ", "))
}

// Suggest suggests the nearest candidate, or else returns otherwise.
func Suggest(word string, candidates []string, otherwise string) string {
	if s := Nearest(word, candidates); s != "" {
		return `did you mean "` + s + `"?`
	}
	return otherwise
}
