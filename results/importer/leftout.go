package importer

import (
	"fmt"
	"strings"

	"moobench/refusal"
)

// LeftOut counts what is left out of files, by why: a bad cell costs that cell, a bad line that line, and
// each reason is said once, with how many there are and where the first one stands.
type LeftOut struct {
	all []reason
}

// reason is why something is left out.
type reason struct {
	one, many string
	count     int
	first     string // where, and what it is
}

// Add counts one more. one and many name what is left out, with its verb: "value is no number", "values are
// no numbers". The place of the first is kept, with what stands there; what may be "".
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

// Texts are sentences, one for each reason, in the order in which they came up.
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
