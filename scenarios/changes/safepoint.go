package changes

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"

	"moobench/results/safefile"
	"moobench/results/summary"
)

// safepointLog is the JVM's log of its safepoints, in the invocation's folder.
const safepointLog = "safepoint.log"

// exchange matches a line of the safepoint log about an exchange of classes, whether redefinition or
// retransformation, as written by JDK 17 to 25; the text in between and behind varies.
var exchange = regexp.MustCompile(`Safepoint "RedefineClasses", .*\bTotal: +(\d+) ns`)

// standstills returns the times in ns that the JVM stood still to exchange classes, from the order to stop
// until the threads went on.
func standstills(log io.Reader) ([]int64, error) {
	var ns []int64
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if m := exchange.FindSubmatch(lines.Bytes()); m != nil {
			n, err := strconv.ParseInt(string(m[1]), 10, 64)
			if err != nil {
				return nil, err
			}
			ns = append(ns, n)
		}
	}
	return ns, lines.Err()
}

// safepoint returns the median time in ns that the JVM stood still for one exchange of classes; ok is false
// without an exchange, or without a log.
func safepoint(dir string) (ns float64, ok bool, err error) {
	f, err := safefile.Open(filepath.Join(dir, safepointLog))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	var all []int64
	if err == nil {
		defer f.Close()
		all, err = standstills(f)
	}
	if err != nil {
		return 0, false, fmt.Errorf("reading the safepoint log: %w", err)
	}
	return summary.Median(all), len(all) > 0, nil
}
