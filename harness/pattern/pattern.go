// Package pattern checks the grammar of signature patterns, which select the monitored methods,
// so that an invalid pattern is rejected before the first JVM starts. Agents parse patterns in
// Java (moobench.probes.patterns.SignaturePattern, which documents their meaning). Both reject
// the same texts with the same messages.
package pattern

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"moobench/results/names"
)

// Visibilities, and the modifiers that follow them, in the required order.
var (
	visibilities = []string{"package", "public", "private", "protected"}
	modifiers    = []string{"abstract", "default", "static", "final", "synchronized", "native"}
)

// Every returns the pattern of every method and constructor of the classes with this name,
// whatever their type, visibility and exceptions. The name may hold wildcards.
func Every(class string) string { return class + ".*(..)" }

// EveryAnnotated returns the pattern of every method and constructor that has this annotation,
// or whose class has it.
func EveryAnnotated(annotation string) string { return "@" + annotation + " " + Every("*") }

// Check returns an error if a pattern is invalid.
func Check(text string) error {
	text = Canonical(text)
	if text == "*" { // every method
		return nil
	}
	if err := check(text); err != nil {
		return fmt.Errorf("pattern \"%s\": %w", text, err)
	}
	return nil
}

// Sign returns the sign of a pattern in a list: +, - or "".
func Sign(pattern string) string {
	if len(pattern) > 1 && (pattern[0] == '+' || pattern[0] == '-') {
		return pattern[:1]
	}
	return ""
}

// CheckClass returns an error if the name of a class, which may hold wildcards, is invalid.
func CheckClass(name string) error { return checkName(name, "") }

// Unsigned returns a pattern without its sign, which it must have.
func Unsigned(pattern string) string { return strings.TrimSpace(pattern[1:]) }

// FileMost is the size limit of a file of patterns, in bytes.
const FileMost = 16 << 20

// Lines calls each for every pattern of a file, one per line, with the line's number. It skips
// empty lines and those that begin with #.
func Lines(text string, each func(line int, pattern string)) {
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			each(i+1, line)
		}
	}
}

func check(text string) error {
	head, rest, opened := strings.Cut(text, "(")
	parameters, clause, closed := strings.Cut(rest, ")")
	words := strings.Split(strings.TrimSpace(head), " ")
	annotations := 0
	for annotations < len(words) && strings.HasPrefix(words[annotations], "@") {
		annotations++
	}
	annotated := words[:annotations]
	words = words[annotations:]
	named := 0
	for named < len(words)-1 && isModifier(words[named]) {
		named++
	}
	if len(words)-named == 1 { // any type
		words = slices.Insert(slices.Clone(words), named, "*")
	}
	last := len(words) - 1
	qualified := last >= 1 && strings.LastIndexByte(words[last], '.') >= 1
	if !opened || !closed || strings.ContainsAny(head+parameters+clause, "()") || !qualified {
		return errors.New("want [modifiers] [type] package.Class.method(parameters)")
	}
	returned := words[last-1]
	dot := strings.LastIndexByte(words[last], '.')
	class, method := words[last][:dot], words[last][dot+1:]
	var misnamed error
	if method == "<init>" {
		method = "*" // any identifier will do
	} else if returned == "new" {
		misnamed = errors.New("a constructor's name is <init>")
	}
	return cmp.Or( // the first mistake
		checkAnnotations(annotated),
		checkModifiers(words[:last-1]),
		misnamed,
		checkName(class, ""),
		checkIdentifier(method),
		checkType(returned),
		checkTypes(strings.TrimSpace(parameters)),
		checkThrows(strings.TrimSpace(clause)),
	)
}

// checkThrows checks the text after the parameters, if any.
func checkThrows(clause string) error {
	types, throws := strings.CutPrefix(clause, "throws ")
	if clause != "" && !throws {
		return fmt.Errorf("want \"throws\" and types after the parameters, not \"%s\"", clause)
	}
	return checkTypes(types)
}

func checkAnnotations(words []string) error {
	for _, word := range words {
		if err := checkName(word[1:], ""); err != nil {
			return err
		}
	}
	return nil
}

func checkModifiers(words []string) error {
	last := -2
	for _, word := range words {
		at := slices.Index(modifiers, strings.TrimPrefix(word, "non_"))
		if !isModifier(word) {
			return errors.New("unknown modifier " + word)
		}
		if at <= last {
			return fmt.Errorf("modifier %s in the wrong place; the order is visibility, %s",
				word, strings.Join(modifiers, ", "))
		}
		last = at
	}
	return nil
}

func isModifier(word string) bool {
	return slices.Contains(visibilities, word) || slices.Contains(modifiers, strings.TrimPrefix(word, "non_"))
}

func checkTypes(list string) error {
	if list == "" {
		return nil
	}
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimSpace(one)
		if err := checkType(one); err != nil && one != ".." {
			return err
		}
	}
	return nil
}

// checkType checks a type, which may be an array.
func checkType(name string) error {
	element := name
	for strings.HasSuffix(element, "[]") {
		element = strings.TrimSuffix(element, "[]")
	}
	return checkName(element, name[len(element):])
}

// checkName checks the name of a class, in which two dots stand for any packages.
func checkName(name, brackets string) error {
	half := strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "..")
	if half || name == "" || strings.HasSuffix(name, ".") || strings.Contains(name, "...") {
		return notName(name + brackets)
	}
	for part := range strings.SplitSeq(name, ".") {
		if err := checkIdentifier(part); err != nil && part != "" {
			return err
		}
	}
	return nil
}

func checkIdentifier(name string) error {
	if name == "" {
		return errors.New("a name is missing")
	}
	units := utf16.Encode([]rune(name))
	for i := 0; i < len(units); {
		c, length := names.Escape(units[i:])
		switch {
		case length == 0 && c == '*':
		case isNever(c) || length == 0 && isWritten(units, i):
			return fmt.Errorf("%w%s", notName(name), hint(c))
		}
		i += max(1, length)
	}
	return nil
}

func notName(name string) error { return fmt.Errorf("\"%s\" is not a name", name) }
