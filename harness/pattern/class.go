package pattern

import (
	"regexp"
	"strings"
	"unicode"

	"moobench/results/names"
)

// Regular expressions for the wildcards in a class name. A letter is any character that a JVM
// allows in a name.
const (
	letters      = `[^./;\[]*`
	lettersDots  = `[^/;\[]*`
	somePackages = `(?:[^/;\[]*\.)?`
	classesBelow = `(?:\.[^/;\[]+)?`
)

// Class returns a function that reports whether a class, given by its displayed name with its
// package, matches the class part of a pattern: com.acme.Queue, com.acme.*, com..*Queue. below also
// accepts classes below that name, as if it were a package, which patterns of all methods match too.
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
	return regexp.MustCompile(b.String()).MatchString // all other text is quoted
}

// Reaches returns a function that reports whether methods of a class may match a pattern
// without its sign. If Check rejects the pattern, no class matches.
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
