package jvm

import (
	"bufio"
	"cmp"
	"io"
	"regexp"
	"strings"

	"moobench/results/safefile"
)

// What is searched for the cause of a failure, and shown of it.
const (
	causeSearched = 1 << 20 // bytes of a log
	causeShown    = 300     // bytes of a line
)

var (
	// telling are lines that say what is wrong, in which no exception is named, or behind which
	// the JVM names others that only follow from it.
	telling = regexp.MustCompile(`Failed to find Premain-Class|Error opening zip file or JAR manifest missing|` +
		`Could not find agent library|Unrecognized (VM )?option|Could not reserve enough space|` +
		`There is insufficient memory for the Java Runtime|No space left on device`)
	// hollow are lines that say only that something is wrong.
	hollow = regexp.MustCompile(`^(Error occurred during initialization of VM|` +
		`Error: Could not create the Java Virtual Machine\.|Error: A fatal exception has occurred\. Program will exit\.)$`)
	// complaint is a line that a program says of itself that something is wrong.
	complaint = regexp.MustCompile(`\b(ERROR|SEVERE|FATAL)\b`)
	exception = regexp.MustCompile(`(Exception|Error)\b|^Caused by: |^\[[^]]*\]\[error *\]`) // the last is of the JVM's own log
	frame     = regexp.MustCompile(`^\s+at (?:[\w.@-]*/)*([\w.$<>]+\(.*\))`)                 // behind the names of a class loader and a module
	ofJDK     = regexp.MustCompile(`^(java|javax|jdk|sun|com\.sun)\.`)
	inThread  = regexp.MustCompile(`^Exception in thread "[^"]*" `)
	colours   = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// Cause is why a program failed, as its logs tell: the exception of the first trace of a
// stack in them, or what caused it, and in a second line the first frame of it that is not
// the JDK's. Without such a trace it is the first line in which the JVM says what it lacks, or
// else that names an exception or an error, "" where none does.
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

// lineWith is the first line of a log that matches, "" where none does.
func lineWith(log string, wanted *regexp.Regexp) (found string) {
	eachLine(log, func(line string) bool {
		if wanted.MatchString(line) {
			found = shown(strings.TrimSpace(line))
		}
		return found == ""
	})
	return found
}

// eachLine goes through the lines of a log, without what colours them, as long as it is told to
// go on.
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

// Complaint is the first line of some logs that says that something is wrong, an error or an
// exception, and that others do not have: those of a program that ran as it is to. Figures make
// no difference. It is "" where there is none.
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

// figures are words with a digit in them, such as times, sizes, ports and addresses, with what
// separates their parts, and the unit behind.
var figures = regexp.MustCompile(`\w*\d\w*(?:[.,:/@-]+\w*\d\w*)*(?:\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|min|minutes?|h|hours?|[kKMGT]?i?B|%)\b)?`)

// Alike is a line of a program's output without what differs from one run to the next although
// the program does the same: figures with their units.
func Alike(line string) string {
	return figures.ReplaceAllString(strings.TrimSpace(line), "0")
}

// cause is the first line that names an exception, and what the first trace of a stack says:
// its last cause, and the frame of that, or else of what came of it.
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
