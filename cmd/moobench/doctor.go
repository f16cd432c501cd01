package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/report"
	"moobench/harness/config"
	"moobench/results"
)

// finding is one thing that moobench doctor says.
type finding struct {
	Section string `json:"section"` // left, software, machine, settings, now
	State   string `json:"state"`   // ok, note, lacks
	Topic   string `json:"topic"`
	Text    string `json:"text"`
	Do      string `json:"do,omitempty"` // what to do about it
	// Required: [machine] of the given file requires what lacks.
	Required bool `json:"required,omitempty"`
}

const (
	fine  = "ok"    // nothing to do
	note  = "note"  // it could be better
	lacks = "lacks" // nothing can be measured without it
)

// checkup is what moobench doctor --json prints.
type checkup struct {
	Machine  string    `json:"machine"` // its ID
	Host     string    `json:"host"`
	File     string    `json:"file,omitempty"`
	OK       bool      `json:"ok"` // nothing lacks
	Findings []finding `json:"findings"`
	// Knobs are all settings: Found, and as Wanted what the file asks for, or
	// else what profile fixed-hardware sets (then the policy is observe); the
	// reason is why that can't be had here, or why it is not known.
	Knobs []results.KnobState `json:"knobs"`
}

const doctorLong = `Looks at this machine and changes nothing: JDKs, Maven, fixtures, frameworks and
their checksums, the clock, the CPUs, and the settings that disturb measurements.
Each line says what it costs to leave it, and what to do.

With a benchmarks.toml, it says whether what [machine] asks for can be had here:
exit status 4 when something required can't.

With --restore it puts back what a moobench that was killed left changed, and
leaves alone what somebody else changed meanwhile.

With --calibrate it measures a known cost instead, for about a minute: two probes
that burn 1 µs and 3 µs, and two equal baselines (A/A). It says whether the known
difference of 2 µs lies in its interval, and last, from how the baselines differ,
about what overhead a campaign of one variant finds on this machine in --time.
What came out stands in the reports of later campaigns on this machine.

--json prints an object: machine, host, file, ok, findings (section, state: ok,
note or lacks, topic, text, do, required) and knobs (name, found, wanted, policy,
reason).

` + exitHelp + ";\n     or --calibrate: the known cost was not recovered"

// doctorOptions are the flags of moobench doctor.
type doctorOptions struct {
	asJSON, calibrate, restore bool
	within                     span
	run                        runOptions
}

func doctorVerb(t *terminal) *cobra.Command {
	o := doctorOptions{within: span(10 * time.Minute)}
	cmd := &cobra.Command{
		Use:   "doctor [FILE]",
		Short: "say what this machine has, lacks, and can't control; put it back",
		Long:  doctorLong,
		Example: `  moobench doctor
  moobench doctor benchmarks.toml        # can be had here what it asks of the machine?
  moobench doctor --restore              # after kill -9 or a power cut
  moobench doctor --calibrate --time 1h`,
		Args: positional(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			given := func(flags ...string) bool { return slices.ContainsFunc(flags, c.Flags().Changed) }
			o.run.seeded = given("seed")
			switch {
			case o.restore && (len(args) > 0 || given("json", "calibrate", "seed", "time", "quiet")):
				return usageError{errors.New("--restore goes alone")}
			case o.calibrate && len(args) > 0:
				return usageError{errors.New("--calibrate takes no file")}
			case !o.calibrate && given("seed", "time", "quiet"):
				return usageError{errors.New("--seed, --time and --quiet go with --calibrate")}
			case o.restore:
				return t.restore()
			case o.calibrate:
				return t.calibrate(c.Context(), calibrateTOML, o.run, time.Duration(o.within), o.asJSON)
			}
			return t.examine(c.Context(), args, o.asJSON)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.restore, "restore", false, "put back what a moobench that was killed left changed")
	f.BoolVar(&o.calibrate, "calibrate", false, "measure a known cost, and say whether it comes out")
	f.Var(&o.within, "time", "with --calibrate: say what overhead can be resolved in this time")
	f.Uint64Var(&o.run.seed, "seed", 0, "seed of the order of --calibrate (default: a random one)")
	f.BoolVar(&o.run.quiet, "quiet", false, "print no progress of --calibrate, only warnings")
	return cmd
}

// examine looks at everything, and says what lacks by the exit status as well.
func (t *terminal) examine(ctx context.Context, args []string, asJSON bool) error {
	c, err := t.checkUp(ctx, args)
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(t.out, c)
	} else {
		c.print(t.out, t.width())
	}
	missing := func(f finding) bool { return f.State == lacks && !f.Required }
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(c.Findings, missing):
		return errors.New("this machine can't measure yet\nhint: install what is marked with x above")
	case !c.OK:
		return errIncomplete
	}
	return nil
}

// checkUp reads the load first: what it starts itself is none.
func (t *terminal) checkUp(ctx context.Context, args []string) (*checkup, error) {
	var file *config.File
	if len(args) > 0 {
		s, err := prepare(t, runOptions{}, args)
		if err != nil {
			return nil, err
		}
		file = s.file
	}
	now := load(t.tree)
	d := examination{t: t, file: file}
	if err := d.look(); err != nil {
		return nil, err
	}
	c := &checkup{Machine: d.host.ID, Host: d.host.Host, OK: true, Knobs: d.knobs}
	if file != nil {
		c.File = file.Path
	}
	c.add("left", t.leftChanged()...)
	c.add("software", software(ctx, t, file)...)
	c.add("machine", d.computer()...)
	c.add("settings", d.settings()...)
	c.add("now", now)
	return c, nil
}

func (c *checkup) add(section string, found ...finding) {
	for _, f := range found {
		f.Section = section
		c.OK = c.OK && f.State != lacks
		c.Findings = append(c.Findings, f)
	}
}

func printJSON(w io.Writer, v any) error { return report.WriteJSON(w, v) }
