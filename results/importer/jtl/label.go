package jtl

import (
	"strings"
	"unicode"

	"moobench/results"
)

const (
	// labelsMost is the number of distinct labels; further ones share a name.
	labelsMost = 1000
	// namesMost is the number of names kept while a file is read, which include the labels of sub-results.
	namesMost = 100_000
	labelMost = 200 // characters
	others    = results.OtherLabels
)

// names numbers texts in order of first appearance.
type names struct {
	list []string
	at   map[string]int32
	most int
}

func newNames(most int) *names { return &names{at: map[string]int32{}, most: most} }

// number returns the number of a text, and adds new texts; texts beyond the limit share one.
func (n *names) number(text string) int32 {
	if i, ok := n.at[text]; ok {
		return i
	}
	if len(n.list) >= n.most {
		if i, ok := n.at[others]; ok {
			return i
		}
		text = others
	}
	text = strings.Clone(text)
	i := int32(len(n.list))
	n.list, n.at[text] = append(n.list, text), i
	return i
}

// childOf splits JMeter's name of a sub-result, PARENT-3; ok is false if the label has no such end.
func childOf(label string) (parent string, ok bool) {
	i := strings.LastIndexByte(label, '-')
	if i <= 0 || i == len(label)-1 {
		return "", false
	}
	for _, c := range label[i+1:] {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return label[:i], true
}

// cutLabel removes from a label what may be secret or session-specific: query, fragment, parameters and
// credentials of each URL in it. child says that the removed end looked like the suffix of a sub-result.
func cutLabel(label string) (cut string, child bool) {
	if !strings.ContainsAny(label, "?#;@") {
		return label, false
	}
	var b strings.Builder
	for rest := label; rest != ""; {
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		word := cutURL(rest[:end])
		if end == len(rest) && len(word) < end {
			_, child = childOf(rest[len(word):])
		}
		b.WriteString(word)
		rest = rest[end:]
		blank := strings.IndexFunc(rest, func(c rune) bool { return !unicode.IsSpace(c) })
		if blank < 0 {
			blank = len(rest)
		}
		b.WriteString(rest[:blank])
		rest = rest[blank:]
	}
	return b.String(), child
}

// cutURL returns a URL, or the path of one, without credentials, parameters, query and fragment. From other
// words it removes only a query.
func cutURL(word string) string {
	scheme, rest, whole := strings.Cut(word, "://")
	if whole {
		authority := upTo(rest, "/")
		rest = rest[strings.LastIndexByte(authority, '@')+1:]
		return scheme + "://" + upTo(rest, "?#;")
	}
	if strings.Contains(word, "/") {
		return upTo(word, "?#;")
	}
	if i := strings.IndexByte(word, '?'); i >= 0 && strings.Contains(word[i:], "=") {
		return word[:i]
	}
	return word
}

// upTo returns the text before the first of some characters.
func upTo(text, chars string) string {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return text[:i]
	}
	return text
}

// short shortens a label for display.
func short(label string) string {
	if len(label) <= labelMost {
		return label
	}
	if cut := []rune(label); len(cut) > labelMost {
		return string(cut[:labelMost-1]) + "…"
	}
	return label
}
