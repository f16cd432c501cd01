package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// patience is how much time a verb that measures nothing has to end in order.
const patience = time.Second

// leaves reports whether a verb may be ended at any point: it starts nothing, changes nothing on
// the machine, and writes files whole or not at all. Its input comes from others, and may be of any
// length.
func leaves(path string) bool {
	_, verb, _ := strings.Cut(path, " ")
	return slices.Contains([]string{
		"report", "compare", "verify", "list", "test", "export",
		"history show", "history rehearse", "history import", "history add",
	}, verb)
}

// leave ends the process if a verb has not returned some time after ctx is done. Some readers of
// files, and all calculations, don't check ctx.
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
