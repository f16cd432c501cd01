package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// patience is how long a verb that measures nothing has to end in order when it is asked to.
const patience = time.Second

// leaves says whether a verb may end wherever it is: it starts nothing, changes nothing of the machine, and
// writes files whole or not at all. What it reads was written by others, and may be as long as it likes.
func leaves(path string) bool {
	_, verb, _ := strings.Cut(path, " ")
	return slices.Contains([]string{
		"report", "compare", "verify", "list", "test", "export", "history show", "history rehearse", "history import", "history add",
	}, verb)
}

// leave ends the process when it was asked to end, and a verb has not returned some time later. Not every
// reader of files and no calculation looks whether it was asked.
func leave(ctx context.Context, returned <-chan struct{}, errOut io.Writer, exit func(status int)) {
	select {
	case <-returned:
		return
	case <-ctx.Done():
	}
	select {
	case <-returned:
	case <-time.After(patience):
		fmt.Fprintln(errOut, "moobench: ended, as asked")
		exit(exitError)
	}
}
