package config

import (
	"errors"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// SplitOptions splits a string of options into words as a POSIX shell does, with '…', "…" and
// \, but without expansions.
func SplitOptions(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, quote := false, rune(0)
	runes := []rune(text + " ") // the blank ends the last word
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		switch {
		case c == '\\' && quote != '\'':
			if i++; i == len(runes)-1 {
				return nil, errors.New(`nothing follows the last \`)
			}
			if quote == '"' && runes[i] != '"' && runes[i] != '\\' {
				word.WriteRune('\\') // within "…", \ escapes only " and \
			}
			word.WriteRune(runes[i])
			begun = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			begun, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, errors.New("the quote " + string(quote) + " is not closed")
	}
	return words, nil
}

// joinOptions is the inverse of SplitOptions: equal words give equal text. Without words it
// returns results.NoOptions.
func joinOptions(words []string) string {
	if len(words) == 0 {
		return results.NoOptions
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.ContainsAny(w, " \t'\"\\") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// options reads a string of options and returns its canonical form. An empty string is valid,
// and means no options.
func options(v strict.Value) (string, bool) {
	text, ok := v.Raw.(string)
	if !ok || strings.Trim(text, " ") != "" {
		if text, ok = v.Line(); !ok {
			return "", false
		}
	}
	words, err := SplitOptions(text)
	switch {
	case err != nil:
		v.Fail("quotes are as in a shell", "%s: %v", v.Name(), err)
	case len(words) == 1 && words[0] == results.NoOptions:
		v.Fail(`write "" for none`, "%s: %q is not an option", v.Name(), words[0])
	default:
		return joinOptions(words), true
	}
	return "", false
}
