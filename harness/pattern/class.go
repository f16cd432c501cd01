package pattern

import (
	"regexp"
	"strings"
	"unicode"

	"moobench/results/names"
)

// What wildcards stand for in the name of a class, as regular expressions. A letter is anything
// that a JVM takes in a name.
const (
	letters      = `[^./;\[]*`
	lettersDots  = `[^/;\[]*`
	somePackages = `(?:[^/;\[]*\.)?`
	classesBelow = `(?:\.[^/;\[]+)?`
)

// Class returns what says whether the name of a class, with its package and as it is shown, is one
// of those that the class part of a pattern stands for: com.acme.Queue, com.acme.*, com..*Queue. A pattern of
// all methods also reaches classes below that name, as if it was that of a package.
func Class(name string, below bool) (matches func(class string) bool) {
	var b strings.Builder
	b.WriteString("^(?:")
	rest, leading := strings.CutPrefix(strings.ToValidUTF8(name, string(unicode.ReplacementChar)), "..")
	if leading {
		b.WriteString(somePackages)
	}
	parts := strings.Split(rest, ".")
	for i, part := range parts {
		if part == "" { // between two dots
			b.WriteString(somePackages)
			continue
		}
		tail, wild := strings.CutPrefix(part, "*")
		if wild {
			b.WriteString(lettersDots)
		}
		for k, text := range strings.Split(tail, "*") {
			if k > 0 {
				b.WriteString(letters)
			}
			b.WriteString(regexp.QuoteMeta(names.Readable(text)))
		}
		if i < len(parts)-1 {
			b.WriteString(`\.`)
		}
	}
	b.WriteString(")")
	if below {
		b.WriteString(classesBelow)
	}
	b.WriteString("$")
	return regexp.MustCompile(b.String()).MatchString // all of the name is quoted
}

// Reaches returns what says whether methods of a class of that name may match a pattern without
// its sign. A pattern that Check refuses reaches none.
func Reaches(text string) (matches func(class string) bool) {
	text = Canonical(text)
	if text == "*" {
		return func(string) bool { return true }
	}
	if Check(text) != nil {
		return func(string) bool { return false }
	}
	head, _, _ := strings.Cut(text, "(")
	words := strings.Split(strings.TrimSpace(head), " ")
	name := words[len(words)-1]
	dot := strings.LastIndexByte(name, '.')
	return Class(name[:dot], strings.HasPrefix(name[dot+1:], "*"))
}
