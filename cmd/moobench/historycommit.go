package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"unicode"

	"moobench/refusal"
)

// ciCommits are the environment variables in which CI systems say what they
// check out.
var ciCommits = []string{"GITHUB_SHA", "CI_COMMIT_SHA"}

// commitFor is what was measured: as was said, else as the CI job says, else what
// is checked out here. Several campaigns are hardly all of one commit, so that
// nothing is guessed of them; "" is not known.
func commitFor(ctx context.Context, said string, campaigns int) (string, error) {
	if said != "" {
		if strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }) || len(said) > 200 {
			return "", usageError{fmt.Errorf("--commit %q is no name of a commit", said)}
		}
		return said, nil
	}
	if campaigns > 1 {
		return "", nil
	}
	for _, name := range ciCommits {
		if commit := os.Getenv(name); commit != "" {
			return commit, nil
		}
	}
	return checkedOut(ctx)
}

// checkedOut is the commit of the working directory, "" where there is no git or
// no repository.
func checkedOut(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--verify", "HEAD").Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("asking git for the commit: %w", ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.As(err, &failed):
		return "", nil
	case err != nil:
		return "", refusal.New(fmt.Errorf("asking git for the commit: %w", err), "name it with --commit")
	}
	return strings.TrimSpace(string(out)), nil
}
