package receiver

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
)

// A program's output goes to these files in its folder. A fixture's goes to the first, together with its errors.
var logFiles = []string{"out.log", "stdout.log"}

// ourFiles are examples of our own files that are in the folder when records are counted, and hold none.
var ourFiles = append([]string{"gc.log", "redefine.log", "duration.0.i64", recordsCount}, logFiles...)

// textLine is the maximum length of a text line in bytes.
const textLine = 1 << 20

const aboutMatch = "regular expression that is looked for in each line: " +
	"its matches are counted or, where it has a group, the numbers of that added up"

var fileKeys = []Key{
	{
		Name: "file", Type: Template,
		About: "pattern of the files that are looked at, {dir}/records*.csv: " +
			"in {dir}, the invocation's folder, there are no old ones",
	},
	{Name: "lines", Type: Flag, About: "each line of the files is a record"},
	{Name: "match", Type: Text, About: aboutMatch},
}

var logKeys = []Key{{Name: "log", Type: Text, About: aboutMatch + "; it is looked for in what the program prints"}}

// tellFile counts records in files written by the agent.
func tellFile(dir string, t Told) (Source, error) {
	path, err := inFolder(dir, t.the("file"))
	if err != nil {
		return nil, err
	}
	isOurs := func(name string) bool { ours, _ := filepath.Match(path, name); return ours }
	switch i := slices.IndexFunc(ourFiles, isOurs); {
	case i >= 0:
		taken := fmt.Errorf("%q is also the name of %s, which moobench writes", t.the("file"), ourFiles[i])
		return nil, refusal.New(taken, "narrow the pattern")
	case (t.the("lines") == "") == (t.the("match") == ""):
		return nil, refusal.New(errors.New("want either lines = true or match"),
			`what is a record in the file? each line, or what match = '…' finds`)
	case t.the("match") == "":
		return &written{dir: dir, patterns: []string{path}, count: countEach("count records", countLines)}, nil
	}
	return tellText(dir, []string{path}, t.the("match"))
}

// inFolder returns the part of a file pattern relative to the invocation's folder.
func inFolder(dir, pattern string) (string, error) {
	path, within := strings.CutPrefix(filepath.Clean(pattern), filepath.Clean(dir)+"/")
	if _, err := filepath.Match(path, ""); err != nil {
		return "", fmt.Errorf("%q is not a pattern of files: %w", pattern, err)
	}
	if !within {
		return "", refusal.New(fmt.Errorf("%q is not in {dir}", pattern),
			"give the agent {dir} in args or env; what lies elsewhere can be counted by a command")
	}
	return path, nil
}

// tellLog counts records mentioned in the program's output.
func tellLog(dir string, t Told) (Source, error) { return tellText(dir, logFiles, t.the("log")) }

// tellText counts the matches of an expression in files.
func tellText(dir string, patterns []string, expression string) (Source, error) {
	re, err := regexp.Compile(expression)
	switch {
	case err != nil:
		return nil, refusal.New(err, "between single quotes, a backslash stands for itself")
	case re.NumSubexp() > 1:
		return nil, refusal.New(fmt.Errorf("%q has %d groups, and one number is added up", expression, re.NumSubexp()),
			"write the others (?:…)")
	case re.MatchString(""):
		return nil, fmt.Errorf("%q is found everywhere: it matches nothing at all", expression)
	}
	count := func(r io.ReadSeeker) (int64, error) { return countMatches(re, r) }
	return &written{dir: dir, patterns: patterns, count: countEach("count records", count), untimed: true}, nil
}

// countLines counts the lines of a text, including an unterminated last one.
func countLines(r io.ReadSeeker) (lines int64, err error) {
	buf, last := make([]byte, 64<<10), byte('\n')
	for {
		n, err := r.Read(buf)
		if lines += int64(bytes.Count(buf[:n], []byte{'\n'})); n > 0 {
			last = buf[n-1]
		}
		if err != nil && last != '\n' {
			lines++
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
	}
}

// countMatches counts the matches of an expression in the lines of a text or, if it has a group, adds up the
// numbers that the group matches.
func countMatches(re *regexp.Regexp, r io.Reader) (all int64, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, textLine)
	for lines.Scan() {
		if re.NumSubexp() == 0 {
			all += int64(len(re.FindAllIndex(lines.Bytes(), -1)))
			continue
		}
		for _, m := range re.FindAllSubmatch(lines.Bytes(), -1) {
			if n, err := strconv.ParseInt(string(m[1]), 10, 64); err != nil || n < 0 || n > math.MaxInt64-all {
				return all, fmt.Errorf("%.60q is not a number of records, where %q finds %.60q", m[1], re, m[0])
			} else {
				all += n
			}
		}
	}
	return all, lines.Err()
}
