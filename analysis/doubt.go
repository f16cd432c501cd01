package analysis

import (
	"fmt"
	"strings"

	"moobench/results"
)

// sealable is a Source that knows whether its files are as they were sealed;
// *results.Store is one.
type sealable interface {
	// Changed says what is not, "" when all is.
	Changed() string
}

// doubt adds what is to be known of the files that the answers were read from:
// they are not as they were sealed, or a summary is not the one that was recorded.
func (a *Answers) doubt(src Source, all []evidence) {
	if s, ok := src.(sealable); ok {
		a.Changed = s.Changed()
	}
	var ids []string
	why := ""
	for _, e := range all {
		if e.anew != "" {
			ids, why = append(ids, e.Identity.String()), e.anew
		}
	}
	for _, text := range []string{a.Changed, recomputed(ids, why)} {
		if text != "" {
			a.Warnings = append(a.Warnings, text)
		}
	}
}

// Recomputed says of which invocations the stored summary was not used; "" of none.
func Recomputed(all []Measured) string {
	var ids []string
	why := ""
	for _, m := range all {
		if m.anew != "" {
			ids, why = append(ids, m.Identity.String()), m.anew
		}
	}
	return recomputed(ids, why)
}

// recomputedNamed is how many invocations recomputed names.
const recomputedNamed = 3

// recomputed is the sentence about summaries that are not used; why is the last
// one's reason.
func recomputed(ids []string, why string) string {
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
