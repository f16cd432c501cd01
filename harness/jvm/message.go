package jvm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxLine is the maximum length of a protocol line in bytes, including its \n.
const maxLine = 64 << 10

// maxArgs bounds the arguments of a message: each takes far more memory than its text.
const maxArgs = 100

// Message is one line of the fixture protocol: a verb and its arguments.
type Message struct {
	Verb string
	Args map[string]string
}

// String returns an argument, or "" if it is absent.
func (m Message) String(key string) string { return m.Args[key] }

// Int returns an argument as an integer.
func (m Message) Int(key string) (int64, error) {
	n, err := strconv.ParseInt(m.Args[key], 10, 64)
	if err != nil {
		if value, ok := m.Args[key]; ok {
			return 0, Failuref(KindProtocol, "the fixture said %s with %s=%q, which is not an integer: "+
				"are fixture and moobench of the same version?", m.Verb, key, value)
		}
		return 0, Failuref(KindProtocol, "the fixture said %s without %s: "+
			"are fixture and moobench of the same version?", m.Verb, key)
	}
	return n, nil
}

// Line formats the message for sending: keys sorted, no \n.
func (m Message) Line() string {
	var b strings.Builder
	b.WriteString(m.Verb)
	for _, key := range slices.Sorted(maps.Keys(m.Args)) {
		value := m.Args[key]
		if value == "" || strings.ContainsAny(value, special) {
			value = `"` + escape.Replace(value) + `"`
		}
		b.WriteString(" " + key + "=" + value)
	}
	return b.String()
}

// special holds the characters not allowed in a bare value.
const special = " =\"\\\n\r\t"

var (
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// ParseMessage reads one line, without its \n.
func ParseMessage(line string) (Message, error) {
	if !utf8.ValidString(line) {
		return Message{}, errors.New("it is not UTF-8")
	}
	verb, rest, _ := strings.Cut(line, " ")
	if !isWord(verb) {
		return Message{}, fmt.Errorf("it does not start with a verb: %s", abridged(line))
	}
	m := Message{Verb: verb, Args: map[string]string{}}
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, ok := strings.Cut(rest, "=")
		if !ok || !isWord(key) {
			return Message{}, fmt.Errorf("%s is not a key=value", abridged(rest))
		}
		if _, twice := m.Args[key]; twice {
			return Message{}, fmt.Errorf("it has %s twice", key)
		}
		if len(m.Args) == maxArgs {
			return Message{}, fmt.Errorf("it has more than %d arguments", maxArgs)
		}
		value, left, err := cutValue(after)
		if err != nil {
			return Message{}, fmt.Errorf("value of %s: %w", key, err)
		}
		m.Args[key], rest = value, left
	}
	return m, nil
}

// isWord reports whether s is a verb or a key: a-z, then a-z, 0-9, _ and -.
func isWord(s string) bool {
	for i, r := range s {
		if !(r >= 'a' && r <= 'z' || i > 0 && (r >= '0' && r <= '9' || r == '_' || r == '-')) {
			return false
		}
	}
	return s != ""
}

// cutValue splits s after its first value, bare or quoted.
func cutValue(s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, " ")
		if strings.ContainsAny(value, special) {
			return "", "", fmt.Errorf("%s needs quotes", abridged(value))
		}
		return value, rest, nil
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			if rest = s[i+1:]; rest != "" && rest[0] != ' ' {
				return "", "", fmt.Errorf("%s follows the closing quote", abridged(rest))
			}
			return unescape.Replace(s[1:i]), rest, nil
		case '\\':
			i++
			if i == len(s) || !strings.ContainsRune(`"\n`, rune(s[i])) {
				return "", "", errors.New(`a \ is not followed by one of " \ n`)
			}
		}
	}
	return "", "", errors.New("the closing quote is missing")
}

// abridged quotes the beginning of untrusted text.
func abridged(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
