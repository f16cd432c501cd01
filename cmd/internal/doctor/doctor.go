// Package doctor reports how well a machine is suited to measuring, what is missing, and what could
// be better. It also checks whether the machine recovers a known cost.
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

// Finding is one line of moobench doctor.
type Finding struct {
	Section string `json:"section"` // left, software, machine, settings, now
	State   string `json:"state"`   // ok, note, missing
	Topic   string `json:"topic"`
	Text    string `json:"text"`
	Do      string `json:"advice,omitempty"` // what to do about it
	// Required means that [machine] of the given file requires the missing item.
	Required bool `json:"required,omitempty"`
}

const (
	fine  = "ok"      // nothing to do
	note  = "note"    // could be better
	lacks = "missing" // measuring is impossible without it
)

// Checkup is the output of moobench doctor --json.
type Checkup struct {
	Machine  string    `json:"machine"` // machine ID
	Host     string    `json:"host"`
	File     string    `json:"file,omitempty"`
	OK       bool      `json:"ok"` // nothing is missing
	Findings []Finding `json:"findings"`
	// Knobs lists all settings. Wanted is the value that the file asks for, or else the one that
	// profile fixed-hardware sets (then the policy is observe). The reason says why the value can't
	// be had here, or why it is unknown.
	Knobs []results.KnobState `json:"knobs"`
}

// Missing reports whether something is missing that every measurement needs.
func (c *Checkup) Missing() bool {
	return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.State == lacks && !f.Required })
}

// Lacks lists everything that is missing, by topic.
func (c *Checkup) Lacks() []string {
	var all []string
	for _, f := range c.Findings {
		if f.State == lacks {
			all = append(all, f.Topic+": "+f.Text)
		}
	}
	return all
}

// Case describes an examination: the machine, and the file that it is examined for.
type Case struct {
	Tree machine.Tree
	File *config.File // file that the machine is examined for; nil: none
	// Java finds the JDK for measuring; Fixtures returns their builder.
	Java     func() (jvm.Java, error)
	Fixtures func() (*fixture.Builder, error)
	// Bundled means that all files are present: nothing is fetched or built.
	Bundled bool
}

// section returns [machine] of the file, or its defaults.
func (c Case) section() config.Machine {
	if c.File == nil {
		return config.Machine{Profile: results.ProfileAsIs}
	}
	return c.File.Machine
}

// examination is a case with its observations.
type examination struct {
	Case
	host      results.Machine // without knobs
	placement cpu.Placement
	unpinned  *machine.RequireError // nil: the CPUs are assigned as the file requires
	settings  []setting
}

// look observes every knob, and adds the value that the file or else profile fixed-hardware wants.
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
	adopt := func(wishes []knob.Wish, policy results.Policy) { // policy "": the wish's own
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

// Examine observes everything and changes nothing. It reads the load first, before its own work
// adds to it.
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

// finding returns a finding for an error: its text, and what to do about it.
func finding(state, topic string, err error) Finding {
	return Finding{State: state, Topic: topic, Text: err.Error(), Do: refusal.Do(err)}
}

// marks are printed before findings, by state.
var marks = map[string]string{fine: "ok", lacks: "x", note: "!"}

// Write prints the findings in a document format. Text has three columns: mark, topic, and the
// finding with its advice.
func (c *Checkup) Write(w io.Writer, format string, o report.Options) error {
	return report.WriteDocument(w, format, c, func(bool) *doc.Document { return c.document() }, o)
}

// document returns the checkup as a document.
func (c *Checkup) document() *doc.Document {
	d := &doc.Document{}
	column := 0
	for _, f := range c.Findings {
		column = max(column, doc.Width(f.Topic)+1)
	}
	// Section "left" has no title: its finding explains itself.
	titles := map[string]string{
		"software": "software",
		"machine":  "machine",
		"settings": "settings",
		"now":      "right now",
	}
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
			d.Blocks = append(d.Blocks, &doc.Section{
				Title: title, Silent: title == "", Flush: true, Tight: true, Blocks: []doc.Block{entries},
			})
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
		title := c.File + " requires what is not available here: " + strings.Join(required, ", ")
		d.Blocks = append(d.Blocks, &doc.Section{Tight: true, Title: title})
	}
	return d
}
