// Tomorrow asks whether an answer holds tomorrow. It measures the same campaign many times in succession, and
// reports how often two of them are told apart although nothing changed, how often a slower variant is told
// apart, and how wide the intervals behind that are. MooBench's and JMH's intervals for the same samples stand
// beside ours. It writes a table of analysis/PEERS.md.
//
//	make tomorrow [OUT=analysis/PEERS.md] [SIZE="-campaigns 20 -blocks 23 -keep FOLDER"]
//	make tomorrow SIZE=-busy
//
// With -keep it continues where it stopped, and complete campaigns are only analysed. Nothing else should run,
// not even with -busy, which starts the other work itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"moobench/refusal"
)

// moobench is the program that measures, built by make.
const moobench = "bin/moobench"

func main() {
	var p plan
	flag.IntVar(&p.campaigns, "campaigns", 20, "campaigns, at least 2")
	flag.IntVar(&p.blocks, "blocks", 0, "blocks of each, at least 3 (default 23, with -busy 8)")
	flag.IntVar(&p.calls, "calls", 500_000, "calls of a JVM, warm-up included")
	flag.IntVar(&p.depth, "depth", 10, "monitored executions of a call")
	busy := flag.Bool("busy", false, "start other work beside the JVMs")
	loops := flag.Int("loops", 2, "with -busy: programs that work beside them, at most 16")
	load := flag.Float64("load", 0.3, "with -busy: share of a CPU that each of these asks for, below 1")
	keep := flag.String("keep", "", "folder for everything measured, where it goes on if there are campaigns already "+
		"(default a temporary one, removed at the end)")
	out := flag.String("out", "",
		"file that gets the tables, between their marks if it has them (default standard output)")
	burning := flag.Float64("burn", 0, "be one of the programs that work beside, with this load, until its input ends")
	flag.Parse()
	if *burning > 0 {
		burn(os.Stdin, *burning, uint64(os.Getpid()))
		return
	}
	if *busy {
		p.loops, p.load = *loops, *load
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := tomorrow(ctx, p, *keep, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tomorrow:", refusal.Text(err))
		os.Exit(1)
	}
}

// plan is the amount of measuring.
type plan struct {
	campaigns int
	blocks    int // of each campaign; 0: the default
	calls     int // of a JVM, warm-up included
	depth     int // monitored executions of a call
	loops     int // programs that work beside the JVMs
	load      float64
}

// settled returns the plan with its defaults, or an error.
func (p plan) settled() (plan, error) {
	if p.blocks == 0 {
		p.blocks = 23
		if p.loops > 0 {
			p.blocks = 8
		}
	}
	switch {
	case p.campaigns < 2 || p.blocks < 3:
		return p, fmt.Errorf("%d campaigns of %d blocks are too few: want at least 2 of 3", p.campaigns, p.blocks)
	case p.loops < 0 || p.loops > 16 || p.loops > 0 && !(p.load > 0 && p.load < 1):
		return p, fmt.Errorf("%d programs that ask for %v of a CPU: want at most 16, and a share below 1",
			p.loops, p.load)
	}
	return p, nil
}

// tomorrow measures the missing campaigns, analyses all, and writes the tables.
func tomorrow(ctx context.Context, p plan, keep, out string) (err error) {
	if p, err = p.settled(); err != nil {
		return err
	}
	dir := keep
	if keep == "" {
		dir, err = os.MkdirTemp("", "tomorrow-")
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else {
		err = os.MkdirAll(keep, 0o777)
	}
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := p.measure(ctx, dir); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "analysing every pair; this takes minutes")
	begin := time.Now()
	f, err := p.analyse(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "analysed in %.0f s\n", time.Since(begin).Seconds())
	if out == "" {
		_, err := os.Stdout.WriteString(f.markdown())
		return err
	}
	return writeInto(out, p.mark(), f.markdown())
}

// writeInto replaces the table that begins with a mark in a file, or appends it.
func writeInto(name, mark, text string) error {
	old, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	before, rest, begun := strings.Cut(string(old), mark)
	_, after, ended := strings.Cut(rest, tableEnd+"\n")
	switch {
	case begun && ended:
		text = before + text + after
	case begun:
		return fmt.Errorf("%s has the line %q, and after it no line %q: where does the table end?",
			name, mark, tableEnd)
	case before != "":
		text = strings.TrimRight(before, "\n") + "\n\n" + text
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
