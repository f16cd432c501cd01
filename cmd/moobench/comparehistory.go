package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"moobench/analysis/history"
	"moobench/refusal"
)

// comparedNights reads what a history says of its series. A file that is not
// there is a mistake here: a comparison would silently do without.
func (t *terminal) comparedNights(path string) (*history.Findings, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, refusal.New(fmt.Errorf("reading the history: there is no %s", visible(path)), fmt.Sprintf("moobench history add DIR --history %s begins one", visible(path)))
	}
	h, err := history.Read(path)
	if err != nil {
		return nil, err
	}
	for _, w := range h.Warnings {
		fmt.Fprintf(t.err, "moobench: warning: %s\n", visible(w))
	}
	found, err := history.Check(h, history.Options{})
	if err != nil {
		return nil, fmt.Errorf("looking for the current level in %s: %w", visible(path), err)
	}
	return found, nil
}
