package results

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Hidden replaces values that look secret.
const Hidden = "…"

// secretWords mark a secret anywhere in a name, secretEnds only as its last word.
var (
	secretWords = []string{"password", "passwd", "passphrase", "pwd", "secret", "secrets", "credential", "credentials"}
	secretEnds  = []string{"key", "apikey", "token", "auth", "authorization", "bearer", "cookie", "pass", "pin"}
)

// looksSecret reports whether a value looks secret by its name: api.key, DB_PASSWORD, authToken. After one of
// secretEnds, a number or a truth value is not secret.
func looksSecret(name, value string) bool {
	words := wordsOf(name)
	if len(words) == 0 || value == "" {
		return false
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(secretWords, w) }) {
		return true
	}
	_, err := strconv.ParseFloat(value, 64)
	return slices.Contains(secretEnds, words[len(words)-1]) && err != nil && value != "true" && value != "false"
}

// wordsOf returns the words of a name in lower case: api and key for api.key, API_KEY and apiKey.
func wordsOf(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		if small && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(c) || unicode.IsDigit(c)
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			c = ' '
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.Fields(b.String())
}

// userInformation matches the user information between a URI's scheme and host: joe:hunter2@.
var userInformation = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/@\s]+@`)

// headerValue matches the request headers that carry credentials.
var headerValue = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|cookie|x-api-key)(:\s*).+`)

// flag matches an option whose value is the next argument.
var flag = regexp.MustCompile(`^--?([A-Za-z][A-Za-z0-9_.-]*)$`)

// nested are the prefixes of arguments that hold options of their own, with separators between them.
var nested = []string{"-javaagent:", "-agentpath:", "-agentlib:", "-XX"}

// CutSecrets returns arguments, environment variables or other texts with secrets replaced by Hidden: user
// information of URIs, and values whose names look secret. names are the sorted, distinct names of these
// values.
func CutSecrets(texts []string) (cut []string, names []string) {
	found := map[string]bool{}
	for i, text := range texts {
		next, own := cutSecrets(text)
		if i > 0 {
			m := flag.FindStringSubmatch(texts[i-1])
			if m != nil && !strings.HasPrefix(text, "-") && looksSecret(m[1], text) {
				next, own = Hidden, append(own, m[1])
			}
		}
		cut = append(cut, next)
		for _, name := range own {
			found[name] = true
		}
	}
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return cut, names
}

// cutSecrets is CutSecrets for one text.
func cutSecrets(text string) (cut string, names []string) {
	cut = userInformation.ReplaceAllString(text, "${1}"+Hidden+"@")
	if cut != text {
		names = append(names, "user information of a URI")
	}
	if m := headerValue.FindStringSubmatch(cut); m != nil {
		cut, names = headerValue.ReplaceAllString(cut, "${1}${2}"+Hidden), append(names, m[1])
	}
	holds := slices.ContainsFunc(nested, func(start string) bool { return strings.HasPrefix(cut, start) })
	for from := 0; ; {
		at := strings.IndexByte(cut[from:], '=')
		if at < 0 {
			return cut, names
		}
		at += from
		first := from == 0
		from = at + 1
		name := nameBefore(cut[:at])
		end := len(cut)
		whole := first && !holds && !strings.ContainsAny(cut[:at], " ?&;,") // -Dname=value, --name=value, NAME=value
		if i := strings.IndexAny(cut[from:], ",;& \t\"'"); i >= 0 && !whole {
			end = from + i
		}
		if value := cut[from:end]; value != Hidden && looksSecret(name, value) {
			cut, names = cut[:from]+Hidden+cut[end:], append(names, name)
			from += len(Hidden)
		}
	}
}

// nameBefore returns the name at the end of a text, without -D and leading dashes.
func nameBefore(text string) string {
	start := strings.LastIndexFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_.-", c)
	}) + 1
	name := text[start:]
	if rest, ok := strings.CutPrefix(name, "-D"); ok {
		return rest
	}
	return strings.TrimLeft(name, "-")
}
