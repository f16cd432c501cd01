package machine

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// among checks that a value is one of those that there are.
func among(value string, all []string) (string, error) {
	if v := strings.TrimSpace(value); slices.Contains(all, v) {
		return v, nil
	}
	last := len(all) - 1
	want := all[last]
	if last > 0 {
		want = strings.Join(all[:last], ", ") + " or " + want
	}
	return "", fmt.Errorf("want %s, not %q", want, value)
}

// whole checks that a value is a whole number from least to most.
func whole(value string, least, most int) (string, error) {
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil || n < least || n > most {
		return "", fmt.Errorf("want a whole number from %d to %d, not %q", least, most, value)
	}
	return strconv.Itoa(n), nil
}

// unlessSo returns the changes that set a knob, none when it has the value
// already. The error is why its state is not known.
func unlessSo(k Knob, root fs.FS, on Placement, value string, changes ...Change) ([]Change, error) {
	found, err := k.Observe(root, on)
	if err != nil || found.Value == value {
		return nil, err
	}
	return changes, nil
}

// chosen is the word in brackets of a choice such as "always [madvise] never",
// and the text itself where there is none.
func chosen(text string) string {
	before, rest, opened := strings.Cut(text, "[")
	word, _, closed := strings.Cut(rest, "]")
	alone := before == "" || strings.HasSuffix(before, " ")
	if !opened || !closed || !alone || word == "" || strings.ContainsAny(word, " \t\n[") {
		return text
	}
	return word
}
