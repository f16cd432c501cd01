package jvm

import (
	"bufio"
	"cmp"
	"io"
	"regexp"
	"strings"

	"moobench/results/safefile"
)

// Limits of searching a log for the cause of a failure, and of quoting it.
const (
	causeSearched = 1 << 20 // bytes of a log
	causeShown    = 300     // bytes of a line
)

var (
	// telling matches lines that state the problem without naming an exception, or before the JVM names exceptions
	// that merely follow from it.
	telling = regexp.MustCompile(`Failed to find Premain-Class|Error opening zip file or JAR manifest missing|` +
		`Could not find agent library|Unrecognized (VM )?option|Could not reserve enough space|` +
		`There is insufficient memory for the Java Runtime|No space left on device`)
	// hollow matches lines that say only that something is wrong.
	hollow = regexp.MustCompile(`^(Error occurred during initialization of VM|` +
		`Error: Could not create the Java Virtual Machine\.|` +
		`Error: A fatal exception has occurred\. Program will exit\.)$`)
	// complaint matches log levels that report an error.
	complaint = regexp.MustCompile(`\b(ERROR|SEVERE|FATAL)\b`)
	// exception's last alternative matches the JVM's own log; frame skips the names of class loader and module.
	exception = regexp.MustCompile(`(Exception|Error)\b|^Caused by: |^\[[^]]*\]\[error *\]`)
	frame     = regexp.MustCompile(`^\s+at (?:[\w.@-]*/)*([\w.$<>]+\(.*\))`)
	ofJDK     = regexp.MustCompile(`^(java|javax|jdk|sun|com\.sun)\.`)
	inThread  = regexp.MustCompile(`^Exception in thread "[^"]*" `)
	colours   = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// Cause returns why a program failed, according to its logs: the exception of the first stack trace, or its root
// cause, and on a second line the trace's first frame outside the JDK. Without a stack trace it is the first line
// in which the JVM states the problem, else the first that names an exception or an error, else "".
func Cause(logs ...string) string {
	first, told := "", ""
	for _, log := range logs {
		f, err := safefile.Open(log)
		if err != nil {
			continue
		}
		named, traced := cause(io.LimitReader(f, causeSearched))
		f.Close()
		if traced != "" {
			return traced
		}
		told = cmp.Or(told, lineWith(log, telling))
		if hollow.MatchString(first) || first == "" {
			first = cmp.Or(named, first)
		}
	}
	return cmp.Or(told, first)
}

// lineWith returns the first line of a log that matches, or "".
func lineWith(log string, wanted *regexp.Regexp) (found string) {
	eachLine(log, func(line string) bool {
		if wanted.MatchString(line) {
			found = shown(strings.TrimSpace(line))
		}
		return found == ""
	})
	return found
}

// eachLine calls do with each line of a log, without colour codes, until do returns false.
func eachLine(log string, do func(line string) bool) {
	f, err := safefile.Open(log)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, causeSearched))
	lines.Buffer(nil, causeSearched+1)
	for lines.Scan() && do(colours.ReplaceAllString(lines.Text(), "")) {
	}
}

// Complaint returns the first line in logs that reports an error or an exception and is not in others, the logs of
// a program that ran correctly; "" if there is no such line. Lines that differ only in figures are the same.
func Complaint(logs, others []string) (found string) {
	known := map[string]bool{}
	for _, log := range others {
		eachLine(log, func(line string) bool { known[Alike(line)] = true; return true })
	}
	for _, log := range logs {
		eachLine(log, func(line string) bool {
			if (complaint.MatchString(line) || exception.MatchString(line)) && !known[Alike(line)] {
				found = shown(strings.TrimSpace(line))
			}
			return found == ""
		})
		if found != "" {
			break
		}
	}
	return found
}

// figures matches words that contain a digit, such as times, sizes, ports and addresses, with the separators of
// their parts and a unit after them.
var figures = regexp.MustCompile(`\w*\d\w*(?:[.,:/@-]+\w*\d\w*)*` +
	`(?:\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|min|minutes?|h|hours?|[kKMGT]?i?B|%)\b)?`)

// Alike normalises a line of output, so that two runs that do the same give equal lines: each figure, with its
// unit, becomes 0.
func Alike(line string) string {
	return figures.ReplaceAllString(strings.TrimSpace(line), "0")
}

// cause returns the first line that names an exception, and the summary of the first stack trace: its root cause
// and the first frame outside the JDK, of the root cause or else of an exception that it caused.
func cause(log io.Reader) (named, traced string) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, causeSearched+1)
	last, at, found := "", "", false // found: a frame below the last cause
	for lines.Scan() {
		line := colours.ReplaceAllString(lines.Text(), "")
		text := strings.TrimSpace(line)
		why, caused := strings.CutPrefix(text, "Caused by: ")
		switch m := frame.FindStringSubmatch(line); {
		case m != nil && last != "":
			traced = last
			if !found && !ofJDK.MatchString(m[1]) {
				at, found = "\n\tat "+m[1], true
			}
		case traced != "" && caused:
			last, found = shown(why), false
		case traced != "" && !strings.HasPrefix(text, "..."):
			return named, traced + at
		case exception.MatchString(text):
			last = shown(inThread.ReplaceAllString(text, ""))
			if named == "" || hollow.MatchString(named) {
				named = last
			}
		}
	}
	return named, traced + at
}

func shown(line string) string { return printable(line[:min(len(line), causeShown)]) }
