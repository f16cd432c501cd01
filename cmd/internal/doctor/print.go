package doctor

import (
	"io"
	"strings"

	"moobench/analysis/report"
	"moobench/analysis/report/doc"
)

// marks stand before findings.
var marks = map[string]string{fine: "ok", lacks: "x", note: "!"}

// Write prints the findings in a format of documents: as text, lines of three columns,
// mark, topic, and text with what to do about it.
func (c *Checkup) Write(w io.Writer, format string, o report.Options) error {
	return report.WriteDocument(w, format, c, func(bool) *doc.Document { return c.document() }, o)
}

// document is what moobench doctor says.
func (c *Checkup) document() *doc.Document {
	d := &doc.Document{}
	column := 0
	for _, f := range c.Findings {
		column = max(column, doc.Width(f.Topic)+1)
	}
	var required []string
	var entries *doc.Entries
	for i, f := range c.Findings {
		first := i == 0 || f.Section != c.Findings[i-1].Section
		if first {
			entries = &doc.Entries{Names: column}
			title := f.Section
			switch {
			case title == "left":
				title = "" // it says itself what it is
			case title == "settings" && c.File != "":
				title = "settings, as " + c.File + " wants them"
			case title == "now":
				title = "right now"
			}
			d.Blocks = append(d.Blocks, &doc.Section{Title: title, Silent: title == "", Flush: true, Tight: true, Blocks: []doc.Block{entries}})
		}
		e := doc.Entry{Mark: marks[f.State], Name: f.Topic, Term: f.Text, Do: f.Do}
		if !first && f.Topic == c.Findings[i-1].Topic {
			e.Name = ""
		}
		entries.Items = append(entries.Items, e)
		if f.Required {
			required = append(required, f.Topic)
		}
	}
	if len(required) > 0 {
		d.Blocks = append(d.Blocks, &doc.Section{Tight: true, Title: c.File + " requires what can't be had here: " + strings.Join(required, ", ")})
	}
	return d
}
