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
	exception = regexp.MustCompile(`(Exception|Error)\b|^Caused by: |^\[[^]]*\]\[error *\]`) // the last is of the JVM's own log
	frame     = regexp.MustCompile(`^\s+at (?:[\w.@-]*/)*([\w.$<>]+\(.*\))`)                 // behind the names of a class loader and a module
	ofJDK     = regexp.MustCompile(`^(java|javax|jdk|sun|com\.sun)\.`)
	inThread  = regexp.MustCompile(`^Exception in thread "[^"]*" `)
	colours   = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// Cause is why a program failed, as its logs tell: the exception of the first trace of a
// stack in them, or what caused it, and in a second line the first frame of it that is not
// the JDK's. Without such a trace it is the first line that names an exception or an error,
// "" where none does.
func Cause(logs ...string) string {
	first := ""
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
		first = cmp.Or(first, named)
	}
	return first
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
			named = cmp.Or(named, last)
		}
	}
	return named, traced + at
}

func shown(line string) string { return printable(line[:min(len(line), causeShown)]) }
