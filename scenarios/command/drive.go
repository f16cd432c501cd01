package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"moobench/harness/config"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/safefile"
)

// Failures of a command that ended by itself.
const (
	kindExit     = "exit"     // another status than the one for success
	kindOutput   = "output"   // its standard output is not as expected
	kindChildren = "children" // it left processes behind
)

// Drive starts the program, waits in silence until it has ended by itself, and records its usage, unless it did
// not do its work.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	if err := rec.Begin(); err != nil {
		return err
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	exit, err := s.Wait(ctx)
	if err != nil {
		return &jvm.Failure{Kind: jvm.KindTimeout, Message: err.Error(), Tail: said(s), Err: err}
	}
	if err := rec.End(exit.EndNS); err != nil {
		return err
	}
	if err := check(inv.Cell.Program.Command, s, exit); err != nil {
		return err
	}
	if inv.Cell.Program.Output == nil { // otherwise the user states the expected output
		o, err := printed(s.Output())
		if err != nil {
			return err
		}
		rec.Printed(o)
	}
	rec.Scalar(wall, float64(exit.WallNS))
	rec.Scalar(cpu, float64(exit.UserNS+exit.SystemNS))
	rec.Scalar(user, float64(exit.UserNS))
	rec.Scalar(system, float64(exit.SystemNS))
	if exit.MaxRSSBytes >= 0 {
		rec.Scalar(peakRSS, float64(exit.MaxRSSBytes))
	}
	if status, err := strconv.Atoi(exit.Status); err == nil {
		rec.Scalar(exitStatus, float64(status))
	}
	return nil
}

// check returns why an exit does not count as success, or nil.
func check(c config.Command, s run.Subject, exit jvm.Exit) error {
	failed := func(kind, format string, args ...any) error {
		return &jvm.Failure{Kind: kind, Message: fmt.Sprintf(format, args...), Tail: said(s)}
	}
	if want := strconv.Itoa(c.Exit); exit.Status != want {
		return failed(kindExit,
			"the command ended with %s, where exit status %s is success (exit in [command]); see %s and %s",
			run.EndOf(exit), want, s.Log(), s.Output())
	}
	if c.Output != nil {
		f, err := safefile.Open(s.Output())
		if err != nil {
			return fmt.Errorf("reading what the command printed: %w", err)
		}
		defer f.Close()
		if !c.Output.MatchReader(bufio.NewReader(f)) {
			return failed(kindOutput, "the standard output of the command does not match %s "+
				"(output in [command]; moobench cost: --expect); see %s",
				strings.TrimPrefix(c.Output.String(), "(?m)"), s.Output())
		}
	}
	if len(exit.Left) > 0 {
		return failed(kindChildren, "the command ended and left behind %s: "+
			"killed, because their work is in no number and they would disturb what comes next; "+
			"have the command wait for them", strings.Join(exit.Left, ", "))
	}
	return nil
}

// longestSaid is the number of bytes of a line that are compared.
const longestSaid = 200

// printed returns the output of a program in the form in which outputs are compared.
func printed(path string) (*results.Output, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading what the command printed: %w", err)
	}
	defer f.Close()
	o, at := &results.Output{}, map[string]int{}
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadString('\n')
		if text := jvm.Alike(strings.ToValidUTF8(line[:min(len(line), longestSaid)], "")); text != "" {
			o.Lines++
			i, known := at[text]
			switch {
			case known:
				o.Said[i].Times++
			case len(o.Said) == results.MostSaid:
				o.More = true
			default:
				at[text] = len(o.Said)
				o.Said = append(o.Said, results.Said{Line: text, Times: 1})
			}
		}
		if errors.Is(err, io.EOF) {
			return o, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading what the command printed: %w", err)
		}
	}
}

// said returns the end of the command's output, its standard error last.
func said(s run.Subject) string {
	return strings.TrimPrefix(jvm.Tail(s.Output())+"\n"+jvm.Tail(s.Log()), "\n")
}
