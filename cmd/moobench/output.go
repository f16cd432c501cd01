package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"moobench/results/safefile"
)

// writeWhole writes a file whole or not at all, or to out where it has no name.
func writeWhole(out io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	var content error
	err := safefile.Replace(name, func(w io.Writer) error {
		content = write(w)
		return content
	})
	switch {
	case content != nil:
		return fmt.Errorf("writing the output: %w", err)
	case err != nil:
		return fmt.Errorf("writing the output: %w\nhint: choose another file with -o", err)
	}
	return nil
}

// noted is standard output that notes what could not be written: most verbs print
// line by line, and look at no error.
type noted struct {
	io.Writer
	failed error // the first one
}

func (n *noted) Write(p []byte) (int, error) {
	written, err := n.Writer.Write(p)
	if n.failed == nil {
		n.failed = err
	}
	return written, err
}

// judge is what a verb ends with whose results may not have arrived: a verb that
// ended well has not, then.
func (n *noted) judge(err error) error {
	if n.failed == nil {
		return err
	}
	well := err == nil || errors.Is(err, errIncomplete) || errors.Is(err, errWorse)
	if well || errors.Is(err, n.failed) {
		return &unwrittenError{n.failed}
	}
	return err
}

// unwrittenError says that results did not arrive on standard output.
type unwrittenError struct{ err error }

func (e *unwrittenError) Error() string { return "writing to standard output: " + e.err.Error() }
func (e *unwrittenError) Unwrap() error { return e.err }

// quietly says that there is nobody to tell: who read the output has gone, as head
// does, and knows.
func (e *unwrittenError) quietly() bool { return errors.Is(e.err, syscall.EPIPE) }

// file is the file that results go to, where they go to one: it may be a terminal.
func (t *terminal) file() (*os.File, bool) {
	w := t.out
	if n, ok := w.(*noted); ok {
		w = n.Writer
	}
	f, ok := w.(*os.File)
	return f, ok
}
