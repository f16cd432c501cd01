package receiver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"moobench/harness/proc"
)

var commandKeys = []Key{
	{
		Name: "command", Type: Templates,
		About: "program and its arguments: it is run in the invocation's folder once the JVM has ended, " +
			"and prints the number of records and nothing else",
	},
}

// command runs a program of the user's own to count records.
type command struct {
	passive
	dir string
	run []string
}

func tellCommand(dir string, t Told) (Source, error) {
	if len(t["command"]) == 0 || t["command"][0] == "" {
		return nil, errors.New("want a program and its arguments")
	}
	return command{dir: dir, run: t["command"]}, nil
}

// Finish implements Source.
func (c command) Finish(ctx context.Context) (Tally, error) {
	out, complaint, err := proc.Printed(proc.CommandGroup(ctx, c.dir, c.run))
	t := Tally{Untimed: true}
	if err != nil && len(complaint) > 0 {
		err = fmt.Errorf("%w: %.200s", err, strings.TrimSpace(string(complaint)))
	}
	if err != nil {
		return t, fmt.Errorf("run %s: %w", c.run[0], err)
	}
	said := strings.TrimSpace(string(out))
	if t.Records, err = strconv.ParseInt(said, 10, 64); err != nil || t.Records < 0 {
		return Tally{Untimed: true}, fmt.Errorf("%s prints %.60q, want the number of records", c.run[0], said)
	}
	return t, nil
}
