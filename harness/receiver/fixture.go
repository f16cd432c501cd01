package receiver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"moobench/results/safefile"
)

// recordsCount is the file to which a probe inside the JVM writes its count.
const recordsCount = "records.count"

// recordsCountMost bounds the length of that file, in bytes.
const recordsCountMost = 4 << 10

// fixtureCount reads the count that the probe or bridge inside the JVM wrote at exit. The fixture itself reports
// the number of records at the end of the loop, so ByLoopEnd stays 0. No file means no records: the probe was
// never loaded.
type fixtureCount struct {
	passive
	dir string
}

func openFixtureCount(dir string) Source { return fixtureCount{dir: dir} }

// Finish implements Source.
func (f fixtureCount) Finish(context.Context) (Tally, error) {
	path := filepath.Join(f.dir, recordsCount)
	text, err := safefile.ReadIn(f.dir, recordsCount, recordsCountMost)
	if errors.Is(err, fs.ErrNotExist) {
		return Tally{}, nil
	}
	if err != nil {
		return Tally{}, fmt.Errorf("read the probe's own count: %w", err)
	}
	n, err := parseRecorded(string(text))
	if err != nil {
		return Tally{}, fmt.Errorf("read the probe's own count in %s: %w", path, err)
	}
	return Tally{Records: n}, nil
}

// parseRecorded parses "recorded=123\n". Without the line end, digits may be missing.
func parseRecorded(text string) (int64, error) {
	digits, begins := strings.CutPrefix(text, "recorded=")
	digits, ends := strings.CutSuffix(digits, "\n")
	n, err := strconv.ParseInt(digits, 10, 64)
	if !begins || !ends || err != nil || n < 0 {
		return 0, fmt.Errorf("it is %.60q, want recorded=NUMBER and a line end", text)
	}
	return n, nil
}
