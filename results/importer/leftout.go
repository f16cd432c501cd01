package importer

import (
	"fmt"
	"strings"

	"moobench/refusal"
)

// LeftOut counts omissions by reason: a bad cell costs only that cell, a bad line only that line. Each reason
// is reported once, with the count and the place of the first omission.
type LeftOut struct {
	all []reason
}

// reason is a reason for omissions.
type reason struct {
	one, many string
	count     int
	first     string // place, and content
}

// Add counts one omission. one and many name it in the singular and the plural, with a verb: "value is no
// number", "values are not numbers". The place of the first is kept, with its content, what, which may be "".
func (l *LeftOut) Add(one, many, file string, line int, what string) {
	for i := range l.all {
		if l.all[i].one == one {
			l.all[i].count++
			return
		}
	}
	first := refusal.OneLine(file)
	if line > 0 {
		first += fmt.Sprintf(":%d", line)
	}
	if what != "" {
		first += " (" + refusal.OneLine(what) + ")"
	}
	l.all = append(l.all, reason{one, many, 1, strings.Clone(first)})
}

// Texts returns one sentence per reason, in order of first occurrence.
func (l *LeftOut) Texts() []string {
	var texts []string
	for _, r := range l.all {
		text := fmt.Sprintf("%d %s: left out, at %s", r.count, r.one, r.first)
		if r.count > 1 {
			text = fmt.Sprintf("%d %s: left out, first at %s", r.count, r.many, r.first)
		}
		texts = append(texts, text)
	}
	return texts
}
