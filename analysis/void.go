package analysis

import (
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/results"
)

// voids are the invocations of a cell that ended well and yet count in no number.
func (r *reader) voids(cell string, p results.Profile) []evidence {
	return slices.DeleteFunc(slices.Clone(r.made[cell]), func(e evidence) bool {
		return e.Void == "" || e.Profile != p || e.Status != results.StatusOK
	})
}

// voidMark says how many invocations of a cell are void, and why.
func (r *reader) voidMark(c *Cell) (Mark, bool) {
	es := r.voids(c.ID, r.profile())
	if len(es) == 0 {
		return Mark{}, false
	}
	return Mark{
		"void invocations", fmt.Sprintf("void %d of %d", len(es), len(es)+c.OK),
		"not what was planned, and in no number: " + whyVoid(es) + "; invocations of extra blocks stand for as many of them as were repeated",
	}, true
}

// whyVoid names invocations with why each is void.
func whyVoid(es []evidence) string {
	var texts []string
	for _, e := range es[:min(named, len(es))] {
		texts = append(texts, fmt.Sprintf("%s (%s)", e.Identity, e.Void))
	}
	if more := len(es) - named; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more, which the JSON names", more))
	}
	return strings.Join(texts, ", ")
}

// allVoid says why a cell has no number, where that is because all of its
// invocations are void; else "".
func (r *reader) allVoid(cell string, p results.Profile) string {
	es := r.voids(cell, p)
	if len(es) == 0 || len(succeeded(r.all[cell], p)) > 0 {
		return ""
	}
	return figure.Plural(len(es), "invocation", "invocations") + ", and every one is void: " + whyVoid(es)
}
