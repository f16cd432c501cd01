// Package doctor says what a machine has for measuring, what it lacks, and what
// could be better; and whether it recovers a known cost.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/demand"
	"moobench/harness/config"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/knob"
	"moobench/refusal"
	"moobench/results"
)

// Finding is one thing that moobench doctor says.
type Finding struct {
	Section string `json:"section"` // left, software, machine, settings, now
	State   string `json:"state"`   // ok, note, missing
	Topic   string `json:"topic"`
	Text    string `json:"text"`
	Do      string `json:"advice,omitempty"` // what to do about it
	// Required: [machine] of the given file requires what lacks.
	Required bool `json:"required,omitempty"`
}

const (
	fine  = "ok"      // nothing to do
	note  = "note"    // it could be better
	lacks = "missing" // nothing can be measured without it
)

// Checkup is what moobench doctor --json prints.
type Checkup struct {
	Machine  string    `json:"machine"` // its ID
	Host     string    `json:"host"`
	File     string    `json:"file,omitempty"`
	OK       bool      `json:"ok"` // nothing lacks
	Findings []Finding `json:"findings"`
	// Knobs are all settings: Found, and as Wanted what the file asks for, or
	// else what profile fixed-hardware sets (then the policy is observe); the
	// reason is why that can't be had here, or why it is not known.
	Knobs []results.KnobState `json:"knobs"`
}

// Missing says that something lacks that it takes to measure at all.
func (c *Checkup) Missing() bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.State == lacks && !f.Required })
}

// Lacks says what lacks, each with what to do about it.
func (c *Checkup) Lacks() []string {
	var all []string
	for _, f := range c.Findings {
		if f.State == lacks {
			all = append(all, f.Topic+": "+f.Text)
		}
	}
	return all
}

// Case is what is examined.
type Case struct {
	Tree machine.Tree
	File *config.File // a machine is examined for it; nil: for none
	// Java finds the JDK that measures, Fixtures says where they are built.
	Java     func() (jvm.Java, error)
	Fixtures func() (*fixture.Builder, error)
	// Bundled says that all files are there: nothing is fetched or built.
	Bundled bool
}

// section is [machine] of the file, or what it is when nothing is said.
func (c Case) section() config.Machine {
	if c.File == nil {
		return config.Machine{Profile: results.ProfileAsIs}
	}
	return c.File.Machine
}

// examination is a case as it was found.
type examination struct {
	Case
	host      results.Machine // without knobs
	placement cpu.Placement
	unpinned  *machine.RequireError // nil: the CPUs are shared out as the file requires
	settings  []setting
}

// look finds every knob as it is, with what the file or else profile fixed-hardware wants
// of it.
func (c Case) look() (*examination, error) {
	e := &examination{Case: c}
	var err error
	e.placement, err = demand.Place(c.section(), c.Tree)
	if err != nil && !errors.As(err, &e.unpinned) {
		return nil, err
	}
	e.host = facts.Describe(c.Tree)
	knobs := knob.All()
	for i, s := range knob.Observe(c.Tree, e.placement) {
		e.settings = append(e.settings, setting{s, knobs[i]})
	}
	adopt := func(wishes []knob.Wish, policy results.Policy) { // "" is that of the wish
		for _, s := range machine.CanMeet(c.Tree, e.placement, wishes) {
			if i := slices.IndexFunc(e.settings, func(known setting) bool { return known.Name == s.Name }); i >= 0 {
				to := &e.settings[i]
				to.Wanted, to.Policy, to.Reason, to.Why = s.Wanted, cmp.Or(policy, s.Policy), s.Reason, s.Why
			}
		}
	}
	adopt(knob.Wishes(results.ProfileFixedHardware, nil), advised)
	adopt(demand.Wishes(c.section()), "")
	return e, nil
}

// Examine looks at everything, and changes nothing. It reads the load first, before
// its own work adds to it.
func Examine(ctx context.Context, c Case) (*Checkup, error) {
	now := load(facts.ReadLoad(c.Tree))
	e, err := c.look()
	if err != nil {
		return nil, err
	}
	checkup := &Checkup{Machine: e.host.ID, Host: e.host.Host, OK: true}
	if c.File != nil {
		checkup.File = c.File.Path
	}
	checkup.Knobs = results.Each(e.settings, func(s setting) results.KnobState { return s.KnobState })
	add := func(section string, found ...Finding) {
		for _, f := range found {
			f.Section = section
			checkup.OK = checkup.OK && f.State != lacks
			checkup.Findings = append(checkup.Findings, f)
		}
	}
	add("left", LeftChanged(c.Tree)...)
	add("software", c.software(ctx)...)
	add("machine", e.computer()...)
	add("settings", e.advice()...)
	add("now", now)
	return checkup, nil
}

// finding is about an error: why, and what to do about it.
func finding(state, topic string, err error) Finding {
	return Finding{State: state, Topic: topic, Text: err.Error(), Do: refusal.Do(err)}
}

// marks stand before findings.
var marks = map[string]string{fine: "ok", lacks: "x", note: "!"}

// Write prints the findings in a format of documents: as text, lines of three columns,
// mark, topic, and text with what to do about it.
func (c *Checkup) Write(w io.Writer, format string, o report.Options) error {
	return report.WriteDocument(w, format, c, func(bool) *doc.Document { return c.document() }, o)
}

// document is the checkup as a document.
func (c *Checkup) document() *doc.Document {
	d := &doc.Document{}
	column := 0
	for _, f := range c.Findings {
		column = max(column, doc.Width(f.Topic)+1)
	}
	// What was left changed has no title: it says itself what it is.
	titles := map[string]string{"software": "software", "machine": "machine", "settings": "settings", "now": "right now"}
	if c.File != "" {
		titles["settings"] = "settings, as " + c.File + " wants them"
	}
	var required []string
	var entries *doc.Entries
	for i, f := range c.Findings {
		first := i == 0 || f.Section != c.Findings[i-1].Section
		if first {
			entries = &doc.Entries{Names: column}
			title := titles[f.Section]
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
