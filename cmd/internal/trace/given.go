package trace

import (
	"regexp"
	"slices"
	"strings"

	"moobench/harness/pattern"
)

// The verbs that log a program's events.
const (
	Trace = "trace"
	Locks = "locks"
)

// given holds the command line's choice of events; patterns from a file are included.
type given struct {
	Classes     []string `json:"classes,omitempty"`
	Annotations []string `json:"annotations,omitempty"`
	Patterns    []string `json:"patterns,omitempty"`
	Log         []string `json:"log,omitempty"` // additional events of locks
}

// marks returns a function that reports whether a class of the log was named. With --annotation,
// classes that no pattern reaches count as named, since only an annotation can have brought them
// into the log. The log does not record which pattern made a method monitored.
func (w *Wanted) marks() (marked func(class string) bool) {
	var named, reached []func(class string) bool
	for _, c := range w.given.Classes {
		named = append(named, pattern.Class(pattern.Named(c), true))
	}
	for _, p := range w.given.Patterns {
		switch pattern.Sign(p) {
		case "":
			reached = append(reached, pattern.Reaches(p))
		case "+":
			reached = append(reached, pattern.Reaches(pattern.Unsigned(p)))
		}
	}
	annotated := len(w.given.Annotations) > 0
	return func(class string) bool {
		is := func(matches func(string) bool) bool { return matches(class) }
		return slices.ContainsFunc(named, is) || annotated && !slices.ContainsFunc(reached, is)
	}
}

// line returns the command line for such a report; for kept logs also the one that recorded them.
func (w *Wanted) line() string {
	words := []string{"moobench", w.verb}
	for _, each := range []struct {
		flag   string
		values []string
	}{{"--class", w.given.Classes}, {"--annotation", w.given.Annotations}, {"--pattern", w.given.Patterns}} {
		for _, v := range each.values {
			words = append(words, each.flag, v)
		}
	}
	if w.verb == Locks {
		words = append(words, "--log", strings.Join(w.given.Log, ","))
	}
	var view []string
	for i, flag := range []string{"--from", "--to"} {
		if d := w.Window[i]; d > 0 {
			view = append(view, flag, d.String())
		}
	}
	if w.Against != "" {
		view = append(view, "--against", w.Against)
	}
	if w.kept == "" {
		return shellLine(slices.Concat(words, view, []string{"--"}, w.command))
	}
	again := shellLine(slices.Concat([]string{"moobench", w.verb, "--kept", w.kept}, view))
	if len(w.command) == 0 {
		return again
	}
	return shellLine(slices.Concat(words, []string{"--keep", w.kept, "--"}, w.command)) + "; " + again
}

// shellLine quotes a command for a shell.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// shellWord quotes a word for a shell.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// platform lists the JDK's packages that the boot loader defines, from where an agent's classes
// can't be seen: their classes are never instrumented. Packages such as java.sql have another
// loader, and many javax packages belong to libraries.
var platform = []string{
	"java.", "jdk.internal.", "org.xml.sax.",
	"javax.accessibility.", "javax.crypto.", "javax.imageio.", "javax.management.", "javax.naming.", "javax.net.",
	"javax.print.", "javax.security.cert.", "javax.security.sasl.", "javax.sound.", "javax.swing.",
	"javax.xml.catalog.", "javax.xml.datatype.", "javax.xml.namespace.", "javax.xml.parsers.", "javax.xml.stream.",
	"javax.xml.transform.", "javax.xml.validation.", "javax.xml.xpath.",
}

// ofPlatform reports whether a class, or everything that a class pattern matches, is in those
// packages.
func ofPlatform(class string) bool {
	for _, other := range []string{"java.sql.", "java.net.http."} {
		if strings.HasPrefix(class, other) {
			return false
		}
	}
	literal, _, _ := strings.Cut(class, "*")
	return slices.ContainsFunc(platform, func(p string) bool { return strings.HasPrefix(literal, p) })
}

// notEntered returns a hint why no method was entered, as far as the names tell.
func (w *Wanted) notEntered() (hint string) {
	var of []string
	for _, c := range w.given.Classes {
		if ofPlatform(c) {
			of = append(of, c)
		}
	}
	hint = "look at the name, with its package, and $ before that of a nested class: " + strings.Join(w.patterns, "; ")
	if len(of) == 0 {
		return hint
	}
	own := strings.Join(of, ", ") + map[bool]string{true: " belongs to the JDK", false: " belong to the JDK"}[len(of) == 1]
	own += ", whose classes are never instrumented: name the class of the program that calls it"
	if len(of) == len(w.given.Classes) && len(w.given.Annotations)+len(w.given.Patterns) == 0 {
		return own
	}
	return own + "; of the others, " + hint
}
