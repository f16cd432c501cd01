// Package pattern knows the grammar of signature patterns, which say what is monitored, so
// that a wrong one is refused before the first JVM is started. Agents read it in Java
// (moobench.probes.patterns.SignaturePattern, where the meaning is told): both refuse the
// same texts, in the same words.
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

// modifiers in the order in which they stand, behind the visibility.
var (
	visibilities = []string{"package", "public", "private", "protected"}
	modifiers    = []string{"abstract", "default", "static", "final", "synchronized", "native"}
)

// Every is the pattern of every method and constructor of the classes with this name, whatever
// their type, visibility and exceptions. The name may hold wildcards.
func Every(class string) string { return class + ".*(..)" }

// EveryAnnotated is the pattern of all that bears this annotation, or is of a class that does.
func EveryAnnotated(annotation string) string { return "@" + annotation + " " + Every("*") }

// Check returns what is wrong with a pattern, or nil.
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

// Sign is the sign of a pattern in a list, + or -, "" where it begins with neither.
func Sign(pattern string) string {
	if len(pattern) > 1 && (pattern[0] == '+' || pattern[0] == '-') {
		return pattern[:1]
	}
	return ""
}

// CheckClass returns what is wrong with the name of a class, which may hold wildcards, or nil.
func CheckClass(name string) error { return checkName(name, "") }

// Unsigned is a pattern without the sign that it has.
func Unsigned(pattern string) string { return strings.TrimSpace(pattern[1:]) }

// FileMost is the most that a file of patterns may have, in bytes.
const FileMost = 16 << 20

// Lines hands on the patterns of a file, a line each, with the line's number: empty lines and
// those that begin with # are none.
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
	annotated, words := words[:annotations], words[annotations:]
	named := 0
	for named < len(words)-1 && isModifier(words[named]) {
		named++
	}
	if len(words)-named == 1 { // any type
		words = slices.Insert(slices.Clone(words), named, "*")
	}
	last := len(words) - 1
	if !opened || !closed || strings.ContainsAny(head+parameters+clause, "()") || last < 1 || strings.LastIndexByte(words[last], '.') < 1 {
		return errors.New("want [modifiers] [type] package.Class.method(parameters)")
	}
	returned, dot := words[last-1], strings.LastIndexByte(words[last], '.')
	class, method := words[last][:dot], words[last][dot+1:]
	var misnamed error
	if method == "<init>" {
		method = "*" // any identifier will do
	} else if returned == "new" {
		misnamed = errors.New("a constructor's name is <init>")
	}
	return cmp.Or( // the first mistake
		checkAnnotations(annotated), checkModifiers(words[:last-1]), misnamed, checkName(class, ""), checkIdentifier(method),
		checkType(returned), checkTypes(strings.TrimSpace(parameters)), checkThrows(strings.TrimSpace(clause)),
	)
}

// checkThrows checks what stands behind the parameters, if anything does.
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
			return fmt.Errorf("modifier %s in the wrong place; the order is visibility, %s", word, strings.Join(modifiers, ", "))
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

// checkType checks a type, also an array's.
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
