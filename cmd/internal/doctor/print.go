package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"moobench/analysis/report/doc"
)

// Print writes the findings as lines of three columns: mark, topic, and text
// with what to do about it.
func (c *Checkup) Print(w io.Writer, width int) {
	marks := map[string]string{fine: "ok", lacks: "x", note: "!"}
	section, topic, column := "left", "", 0
	for _, f := range c.Findings {
		column = max(column, utf8.RuneCountInString(f.Topic)+2)
	}
	for _, f := range c.Findings {
		if f.Section != section {
			section, topic = f.Section, ""
			title := section
			switch {
			case section == "settings" && c.File != "":
				title = "settings, as " + doc.Clean(c.File) + " wants them"
			case section == "now":
				title = "right now"
			}
			fmt.Fprintln(w, title)
		}
		shown := f.Topic
		if shown == topic {
			shown = ""
		}
		topic = f.Topic
		lead := fmt.Sprintf(" %-2s  %-*s", marks[f.State], column, shown)
		paragraph(w, lead, doc.Clean(f.Text), doc.Clean(f.Do), width)
	}
	var required []string
	for _, f := range c.Findings {
		if f.Required {
			required = append(required, f.Topic)
		}
	}
	if len(required) > 0 {
		fmt.Fprintf(w, "%s requires what can't be had here: %s\n", doc.Clean(c.File), strings.Join(required, ", "))
	}
}

// paragraph writes text behind a lead, wrapped, and what to do behind that: on
// the last line where it fits, else on one of its own.
func paragraph(w io.Writer, lead, text, do string, width int) {
	indent := doc.Width(lead)
	room := max(width-indent, 30)
	lines := doc.Wrap(text, room)
	if do != "" {
		do = "→ " + do
		last := len(lines) - 1
		if joined := lines[last] + "  " + do; doc.Width(joined) <= room {
			lines[last] = joined
		} else {
			lines = append(lines, doc.Wrap(do, room)...)
		}
	}
	for i, line := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		fmt.Fprintln(w, strings.TrimRight(lead+line, " "))
	}
}
