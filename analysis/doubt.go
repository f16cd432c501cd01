package analysis

import (
	"fmt"
	"strings"

	"moobench/results"
)

// sealable is a Source that knows whether its files are as they were sealed;
// *results.Store is one.
type sealable interface {
	// Sealed says in changed what is not, "" when all is.
	Sealed() (sealed bool, changed string)
}

// doubt adds what is to be known of the files that the answers were read from:
// they are not as they were sealed, or a summary is not the one that was recorded.
func (a *Answers) doubt(src Source, all []evidence) {
	if s, ok := src.(sealable); ok {
		_, a.Changed = s.Sealed()
	}
	measured := make([]Measured, len(all))
	for i, e := range all {
		measured[i] = Measured{Invocation: e.Invocation, anew: e.anew}
	}
	for _, text := range []string{a.Changed, Recomputed(measured)} {
		if text != "" {
			a.Warnings = append(a.Warnings, text)
		}
	}
}

// recomputedNamed is how many invocations Recomputed names.
const recomputedNamed = 3

// Recomputed says of which invocations the stored summary was not used, and why that
// of the last; "" of none.
func Recomputed(all []Measured) string {
	var ids []string
	why := ""
	for _, m := range all {
		if m.anew != "" {
			ids, why = append(ids, m.Identity.String()), m.anew
		}
	}
	if len(ids) == 0 {
		return ""
	}
	named, more := ids[:min(len(ids), recomputedNamed)], ""
	if n := len(ids) - len(named); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("the summary of %s%s is damaged, not used, and computed anew from the samples: %s; moobench verify names every damaged file",
		strings.Join(named, ", "), more, why)
}

var _ sealable = (*results.Store)(nil)
