package jvm

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"moobench/results/safefile"
)

// The kinds of Failure of this package.
const (
	KindStart       = "start"       // it never came up
	KindTimeout     = "timeout"     // it was silent for too long, and was killed
	KindDied        = "died"        // it ended prematurely
	KindProtocol    = "protocol"    // it spoke, but not as agreed
	KindGarbage     = "garbage"     // it sent a line that does not parse
	KindRefused     = "refused"     // it answered a request with an error, and lives on
	kindStranger    = "stranger"    // another process answers in its place
	kindDisk        = "disk"        // its log says that the disk is full
	kindInterrupted = "interrupted" // the caller gave up; not the subject's fault
)

// Failure describes how a subject failed. It costs one invocation, never the campaign.
type Failure struct {
	Kind    string
	Message string // what happened, where, and how to fix it
	Tail    string // the end of the subject's log, "" if it said nothing
	Err     error  // the cause, nil if Message says it all
}

func (f *Failure) Error() string { return f.Message }

func (f *Failure) Unwrap() error { return f.Err }

// Failuref formats a Failure. Its cause is the error of %w, if any.
func Failuref(kind, format string, args ...any) *Failure {
	err := fmt.Errorf(format, args...)
	return &Failure{Kind: kind, Message: err.Error(), Err: errors.Unwrap(err)}
}

// The tail of a log: enough to see the cause, small enough for a terminal and
// for invocation.json.
const (
	tailLines = 20
	tailBytes = 4 << 10
)

// Tail reads the last lines of a log for a Failure. A log that can't be read has an empty
// tail: the failure itself matters more.
func Tail(path string) string {
	f, err := safefile.Open(path) // the subject may have put a pipe there
	if err != nil {
		return ""
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	buf := make([]byte, min(size, tailBytes))
	n, err := f.ReadAt(buf, size-int64(len(buf)))
	if err != nil && err != io.EOF {
		return ""
	}
	text := printable(string(buf[:n]))
	if size > tailBytes {
		_, text, _ = strings.Cut(text, "\n") // the first line is most likely cut off
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

// printable replaces characters that could steer a terminal or change the direction of text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		prints := !unicode.IsControl(r) && r != utf8.RuneError && !unicode.Is(unicode.Bidi_Control, r)
		if r == '\n' || r == '\t' || prints {
			return r
		}
		return '.'
	}, s)
}

// inLine makes foreign text printable within one of our sentences: on a line of its own it would read as ours.
func inLine(s string) string {
	return strings.ReplaceAll(printable(strings.TrimSpace(s)), "\n", " ")
}

// clues maps words in the log of a dead subject to their meaning.
var clues = []struct{ word, kind, advice string }{
	{"No space left on device", kindDisk, "the disk is full: free some space and resume"},
	{"OutOfMemoryError", "", "its log says OutOfMemoryError: give it a larger heap"},
	{
		"There is insufficient memory for the Java Runtime", "",
		"the machine has too little free memory for this heap: use a smaller one, or end other programs",
	},
	{
		"Could not reserve enough space", "",
		"the machine has too little free memory for this heap: use a smaller one, or end other programs",
	},
	{
		"UnsupportedClassVersionError", "",
		"this Java is too old for it: set home in [jvm] to a newer JDK (moobench cost: --jdk)",
	},
	{
		"Unrecognized VM option", "",
		"this JDK does not know one of the JVM options: compare args in [jvm] and the agent's with its log",
	},
	{
		"Unrecognized option", "",
		"this JDK does not know one of the JVM options: compare args in [jvm] and the agent's with its log",
	},
	{"Could not find or load main class", "", "the class path is wrong: build the fixtures again"},
	{"Error opening zip file or JAR manifest missing", "", "the agent's jar is missing or damaged"},
}

// explain adds the log's tail to a failure, and advice if the tail holds a clue.
func (f *Failure) explain(log string) *Failure {
	f.Tail = Tail(log)
	for _, c := range clues {
		if !strings.Contains(f.Tail, c.word) {
			continue
		}
		f.Message += "; " + c.advice
		f.Kind = cmp.Or(c.kind, f.Kind)
		return f
	}
	if f.Tail != "" {
		f.Message += "; see " + log
	}
	return f
}
