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

// given is what of a program was asked for, as it stood on the command line; patterns that stood
// in a file are among the others.
type given struct {
	Classes     []string `json:"classes,omitempty"`
	Annotations []string `json:"annotations,omitempty"`
	Patterns    []string `json:"patterns,omitempty"`
	Log         []string `json:"log,omitempty"` // of locks, what was logged besides
}

// marks says which classes of a log were named. With --annotation, that is every class that is
// there and that no pattern reaches: nothing else brought it into the log. The log does not say
// which pattern a method was monitored for.
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

// line is the command line that makes such a report; of kept logs it is two, the one that kept them
// and the one that tells them.
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

// shellLine is a command as a shell reads it.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return strings.Join(quoted, " ")
}

var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// shellWord is a word as a shell reads it.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// platform are the packages of the JDK whose classes the JVM's own loader defines, which no
// agent's classes are seen by: they are never instrumented. Those of java.sql and the like have
// another loader, and many packages of javax are of libraries.
var platform = []string{
	"java.", "jdk.internal.", "org.xml.sax.",
	"javax.accessibility.", "javax.crypto.", "javax.imageio.", "javax.management.", "javax.naming.", "javax.net.",
	"javax.print.", "javax.security.cert.", "javax.security.sasl.", "javax.sound.", "javax.swing.",
	"javax.xml.catalog.", "javax.xml.datatype.", "javax.xml.namespace.", "javax.xml.parsers.", "javax.xml.stream.",
	"javax.xml.transform.", "javax.xml.validation.", "javax.xml.xpath.",
}

// ofPlatform says whether a class, or all that a pattern of classes stands for, is of those packages.
func ofPlatform(class string) bool {
	for _, other := range []string{"java.sql.", "java.net.http."} {
		if strings.HasPrefix(class, other) {
			return false
		}
	}
	literal, _, _ := strings.Cut(class, "*")
	return slices.ContainsFunc(platform, func(p string) bool { return strings.HasPrefix(literal, p) })
}

// notEntered says why nothing of what was asked for was entered, as far as its names tell.
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
	own := strings.Join(of, ", ") + map[bool]string{true: " is of the JDK", false: " are of the JDK"}[len(of) == 1]
	own += ", whose classes are never instrumented: name the class of the program that calls it"
	if len(of) == len(w.given.Classes) && len(w.given.Annotations)+len(w.given.Patterns) == 0 {
		return own
	}
	return own + "; of the others, " + hint
}
