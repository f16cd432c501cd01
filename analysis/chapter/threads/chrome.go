package threads

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"moobench/results/events"
)

// WriteChrome writes the events in Chrome's trace event format, which Perfetto opens: start and end
// of each execution, by thread, in µs from the first event.
func WriteChrome(r io.Reader, w io.Writer, pid int) error {
	out := bufio.NewWriter(w)
	_, err := out.WriteString(`{"displayTimeUnit":"ns","traceEvents":[` + "\n")
	c := chrome{out: out, pid: pid, named: map[int]bool{}, waits: map[int]bool{}}
	if err != nil {
		return err
	}
	if _, err := events.Scan(r, c.event); err != nil {
		return err
	}
	if _, err := out.WriteString("\n]}\n"); err != nil {
		return err
	}
	return out.Flush()
}

type chrome struct {
	out   *bufio.Writer
	pid   int
	named map[int]bool // threads
	waits map[int]bool // threads that are waiting
	first int64
	begun bool
}

// chromeEvent is one line, with the format's keys.
type chromeEvent struct {
	Name   string         `json:"name,omitempty"`
	Phase  string         `json:"ph"`
	TimeUS float64        `json:"ts"`
	PID    int            `json:"pid"`
	TID    int            `json:"tid"`
	Scope  string         `json:"s,omitempty"`
	Args   map[string]any `json:"args,omitempty"`
}

func (c *chrome) event(l *events.Log, e events.Event) error {
	if !c.begun {
		c.first = e.TimeNS
	}
	if !c.named[e.Thread] && e.Thread < len(l.Threads) {
		c.named[e.Thread] = true
		name := map[string]any{"name": l.Threads[e.Thread]}
		if err := c.write(chromeEvent{Name: "thread_name", Phase: "M", TID: e.Thread, Args: name}); err != nil {
			return err
		}
	}
	line := chromeEvent{TimeUS: float64(e.TimeNS-c.first) / 1e3, TID: e.Thread}
	if c.waits[e.Thread] && e.Kind != events.Missing {
		line.Phase, c.waits[e.Thread] = "E", false
		if err := c.write(line); err != nil || e.Kind == events.Awake {
			return err
		}
	}
	switch e.Kind {
	case events.Wait, events.Request:
		line.Phase, line.Name, c.waits[e.Thread] = "B", "waiting", true
	case events.Awake, events.Caller:
		return nil
	case events.Enter:
		line.Phase, line.Name = "B", Qualified(l.Methods[e.Method])
		line.Args = map[string]any{"signature": l.Methods[e.Method], "object": fmt.Sprintf("%x", e.Object)}
	case events.Exit:
		line.Phase = "E"
	case events.Thrown:
		line.Phase, line.Args = "E", map[string]any{"thrown": true}
	case events.Missing:
		line.Phase, line.Scope, line.Name = "i", "t", fmt.Sprintf("%d events are missing", e.N)
	}
	return c.write(line)
}

func (c *chrome) write(e chromeEvent) error {
	e.PID = c.pid
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing an event: %w", err)
	}
	if c.begun {
		if _, err := c.out.WriteString(",\n"); err != nil {
			return err
		}
	}
	c.begun = true
	_, err = c.out.Write(text)
	return err
}
