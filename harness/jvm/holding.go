package jvm

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

const (
	dumpPatience = 15 * time.Second // for a JVM to answer with a thread dump
	mostDump     = 8 << 20          // bytes of a dump
	mostHolders  = 3                // threads that are named
)

// Holding names the non-daemon threads, and where they are, that keep a JVM of the subject alive after its main
// has ended. It is "" if main still runs, or if no JVM answers.
func (p *Process) Holding() string {
	if p == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), dumpPatience)
	defer cancel()
	for _, pid := range p.family() {
		if IsJVM(pid) != nil {
			continue
		}
		if dump, err := threadDump(ctx, pid); err == nil {
			if text := holders(dump); text != "" {
				return text
			}
		}
	}
	return ""
}

// threadDump asks a JVM for a thread dump.
func threadDump(ctx context.Context, pid int) (string, error) {
	conn, err := openAttach(ctx, pid)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	if _, err := io.WriteString(conn, "1\x00threaddump\x00\x00\x00\x00"); err != nil {
		return "", fmt.Errorf("asking process %d for its threads: %w", pid, because(ctx, err))
	}
	dump, err := io.ReadAll(io.LimitReader(conn, mostDump))
	if err != nil {
		return "", fmt.Errorf("reading the threads of process %d: %w", pid, because(ctx, err))
	}
	return string(dump), nil
}

var (
	// threadLine matches the first line of a Java thread in a dump; the JVM's own threads have no number.
	threadLine = regexp.MustCompile(`^"(.*)" #\d+ (.*)$`)
	stackLine  = regexp.MustCompile(`^\s+at (?:[\w.@-]*/)*([\w.$<>]+)\((.*)\)`)
)

// destroyer is the thread that takes main's place when main has ended, and waits for the last non-daemon thread.
const destroyer = "DestroyJavaVM"

// holders describes the threads in a dump that keep the JVM alive.
func holders(dump string) string {
	var all []string
	ended, left, at := false, 0, -1 // at: the thread whose frame is still sought, or -1
	for line := range strings.Lines(dump) {
		line = strings.TrimRight(line, "\n")
		if m := threadLine.FindStringSubmatch(line); m != nil {
			at = -1
			switch {
			case m[1] == destroyer:
				ended = true
			case strings.Contains(" "+m[2], " daemon "):
			case len(all) == mostHolders:
				left++
			default:
				at = len(all)
				all = append(all, inLine(m[1]))
			}
			continue
		}
		if m := stackLine.FindStringSubmatch(line); m != nil && at >= 0 && !ofJDK.MatchString(m[1]) {
			all[at] += " (in " + inLine(m[1]) + ")"
			at = -1
		}
	}
	if !ended || len(all) == 0 {
		return ""
	}
	if len(all) == 1 {
		return "main has ended, and the thread " + all[0] + ", which is not a daemon, keeps the JVM up: " +
			"whoever has started it must end it, or make it a daemon"
	}
	names := strings.Join(all, ", ")
	if left > 0 {
		names += fmt.Sprintf(" and %d more", left)
	}
	return "main has ended, and the threads " + names + ", which are not daemons, keep the JVM up: " +
		"whoever has started them must end them, or make them daemons"
}
