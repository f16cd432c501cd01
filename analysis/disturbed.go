package analysis

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/results"
)

// named is how many invocations, or warnings, a mark names.
const named = 4

// markRepeated is the kind of the mark of cells whose invocations were disturbed
// and repeated.
const markRepeated = "repeated"

// disturbances are the marks of a cell whose invocations were disturbed, or
// warn of something.
func (r *reader) disturbances(c *Cell) []Mark {
	var ms []Mark
	stay := slices.DeleteFunc(succeeded(r.all[c.ID], r.profile()), func(e evidence) bool { return e.Disturbed == nil || e.repeatedBy != "" })
	if n := len(stay); n > 0 {
		of := len(succeeded(r.all[c.ID], r.profile()))
		ms = append(ms, Mark{"disturbed", fmt.Sprintf("disturbed %d of %d", n, of), whatDisturbed(stay) + ": they stay in, and may have widened the interval; quieten the machine"})
	}
	if again := r.repeated(c.ID); len(again) > 0 {
		ms = append(ms, Mark{markRepeated, fmt.Sprintf("%d repeated", len(again)), "each was repeated in an extra block, with a fresh baseline, and counts all the same: " + listed(again)})
	}
	if m, some := r.voidMark(c); some {
		ms = append(ms, m)
	}
	if text, n, of := r.warned(c.ID); n > 0 {
		ms = append(ms, Mark{"warned", fmt.Sprintf("warned %d of %d", n, of), text})
	}
	return ms
}

// whatDisturbed says how many invocations were disturbed by what.
func whatDisturbed(es []evidence) string {
	others, changed, knobs := 0, 0, map[string]bool{}
	for _, e := range es {
		if len(e.Disturbed.Knobs) == 0 {
			others++
			continue
		}
		changed++
		for _, k := range e.Disturbed.Knobs {
			knobs[k] = true
		}
	}
	var parts []string
	if others > 0 {
		parts = append(parts, "other processes took CPU time on the measured CPUs in "+figure.Plural(others, "invocation", "invocations"))
	}
	if changed > 0 {
		names := slices.Sorted(maps.Keys(knobs))
		parts = append(parts, fmt.Sprintf("%s changed in or before %s", strings.Join(names, ", "), figure.Plural(changed, "invocation", "invocations")))
	}
	return strings.Join(parts, ", ")
}

// listed names invocations with what disturbed each.
func listed(es []evidence) string {
	var texts []string
	for _, e := range es[:min(named, len(es))] {
		texts = append(texts, fmt.Sprintf("%s (%s)", e.Identity, e.Disturbed.Because))
	}
	text := strings.Join(texts, ", ")
	if more := len(es) - named; more > 0 {
		text += fmt.Sprintf(" and %d more, which the page and the JSON name", more)
	}
	return text
}

var digits = regexp.MustCompile(`[0-9]+([.,][0-9]+)*`)

// warned says what invocations of a cell warn of, those warnings together that
// differ only in their figures, and how many of how many do. What disturbed one
// has its own mark.
func (r *reader) warned(cell string) (text string, n, of int) {
	var kinds []string
	first, count := map[string]string{}, map[string]int{}
	es := succeeded(r.all[cell], r.profile())
	for _, e := range es {
		seen := map[string]bool{}
		for _, w := range e.Warnings {
			kind := digits.ReplaceAllString(w, "0")
			if e.Disturbed != nil && w == e.Disturbed.Because || seen[kind] {
				continue
			}
			seen[kind] = true
			if count[kind]++; count[kind] == 1 {
				kinds, first[kind] = append(kinds, kind), w
			}
		}
		if len(seen) > 0 {
			n++
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return count[b] - count[a] })
	var texts []string
	for _, k := range kinds[:min(named, len(kinds))] {
		texts = append(texts, fmt.Sprintf("%s (%d ×)", first[k], count[k]))
	}
	if more := len(kinds) - named; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more kinds", more))
	}
	return strings.Join(texts, "; "), n, len(es)
}

// manyRepeated says whether so many of a cell's invocations were repeated that
// its answers say so.
func (c *Cell) manyRepeated() bool { return 10*c.Repeated > c.OK }

// extras counts the extra blocks that repeat failures, disturbed invocations and
// void ones.
func extras(c *results.Campaign, all []evidence) (failed, disturbed, void int) {
	status, isVoid := map[string]results.Status{}, map[string]bool{}
	for _, e := range all {
		status[e.Identity.String()], isVoid[e.Identity.String()] = e.Status, e.Void != ""
	}
	for _, b := range c.Blocks {
		if b.Kind != results.BlockExtra {
			continue
		}
		switch {
		case slices.ContainsFunc(b.Repeats, func(id string) bool { return isVoid[id] }):
			void++
		case slices.ContainsFunc(b.Repeats, func(id string) bool { return status[id] == results.StatusOK }):
			disturbed++
		default:
			failed++
		}
	}
	return failed, disturbed, void
}

// leastDisturbanceNS is the CPU time from which on other programs disturb an
// invocation, as the harness counts it.
const leastDisturbanceNS = 50e6

// blind names the cells of a campaign that repeats what was disturbed whose
// windows are too short for that: nothing can take so much CPU time of them.
func (r *reader) blind(cells []*results.Cell) []string {
	if r.campaign.Control == nil || !r.campaign.Control.Repeat {
		return nil
	}
	var names []string
	longest := 0.0
	for _, c := range cells {
		most := 0.0
		for _, e := range succeeded(r.all[c.ID], r.profile()) {
			most = max(most, e.Scalars[loopScalar]*float64(max(1, cpuCount(e.CPUs))))
		}
		if c.Role != results.RoleAA && most > 0 && most < leastDisturbanceNS {
			names, longest = append(names, c.Label()), max(longest, most)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: the windows are so short (%s of CPU time at most) that other programs can't take the %s from which on an invocation counts as disturbed: make more calls, else only longer cells are repeated",
		strings.Join(names, ", "), figure.Quantity(longest, "ns"), figure.Quantity(leastDisturbanceNS, "ns"))}
}
