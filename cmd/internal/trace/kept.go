package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"moobench/cmd/internal/outcome"
	"moobench/refusal"
	"moobench/results/safefile"
)

// The file beside kept logs that describes their run.
const (
	runFile   = "run.json"
	runFormat = 1
	runMost   = 4 << 20 // bytes: as long as a command line can be
)

// run is the content of that file.
type run struct {
	Format  int      `json:"moobench_run"` // version of this format
	Version string   `json:"version"`      // version of moobench
	Verb    string   `json:"verb"`
	Command []string `json:"command"`
	given
}

// Keep writes the run's description beside the logs, so that they can be read again.
func (w *Wanted) Keep(dir, version string) error {
	text, err := json.MarshalIndent(run{runFormat, version, w.verb, w.command, w.given}, "", "\t")
	if err != nil {
		return fmt.Errorf("keeping what was asked for: %w", err)
	}
	return safefile.Replace(filepath.Join(dir, runFile), func(to io.Writer) error {
		_, err := to.Write(append(text, '\n'))
		return err
	})
}

// Kept returns the description of the run whose logs are in a folder. Without a description, only
// the logs are known.
func Kept(verb, dir string) (Wanted, error) {
	w := Wanted{verb: verb, kept: dir}
	if verb == Locks {
		w.locks = timers
	}
	if _, err := os.Stat(dir); err != nil {
		return w, fmt.Errorf("reading kept logs: %w", err)
	}
	runs, err := runFiles(dir)
	if err != nil {
		return w, fmt.Errorf("looking for events: %w", err)
	}
	if len(runs) == 0 || len(runs[0]) == 0 {
		err := fmt.Errorf("%s holds no logs of a program", dir)
		return w, refusal.New(err, "moobench "+verb+" --keep "+shellWord(dir)+" -- COMMAND keeps some")
	}
	kept, err := readRun(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return w, nil
	case err != nil:
		return w, err
	case kept.Verb != verb:
		err := fmt.Errorf("%s holds what moobench %s logged", dir, kept.Verb)
		return w, outcome.Usage(refusal.New(err, "moobench "+kept.Verb+" --kept "+shellWord(dir)+" shows it"))
	}
	again, err := ParseLocks(kept.Command, kept.Patterns, "", kept.Log)
	if verb == Trace {
		again, err = Parse(kept.Command, kept.Classes, kept.Annotations, kept.Patterns)
	}
	if err != nil {
		return w, fmt.Errorf("%s: %w", filepath.Join(dir, runFile), err)
	}
	again.kept = dir
	return again, nil
}

// readRun reads a run's description; without one the error is fs.ErrNotExist.
func readRun(dir string) (*run, error) {
	name := filepath.Join(dir, runFile)
	text, err := safefile.Read(name, runMost)
	if err != nil {
		return nil, err
	}
	var kept run
	in := json.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&kept); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	switch {
	case kept.Format == 0 || kept.Verb != Trace && kept.Verb != Locks:
		return nil, fmt.Errorf("%s is not a file that moobench keeps beside logs", name)
	case kept.Format > runFormat:
		const text = "%s was written by moobench %s, which is newer than this one: its format is %d, and this one reads %d"
		return nil, fmt.Errorf(text, name, kept.Version, kept.Format, runFormat)
	}
	return &kept, nil
}
