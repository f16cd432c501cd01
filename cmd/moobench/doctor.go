package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/analysis/report"
	"moobench/cmd/internal/doctor"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/refusal"
)

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
	format                     string
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
			if o.asJSON {
				o.format = "json"
			}
			if err := checkFormat(o.format); err != nil {
				return err
			}
			switch {
			case o.restore && (len(args) > 0 || given("json", "format", "calibrate", "seed", "time", "quiet")):
				return usageError{errors.New("--restore goes alone")}
			case o.calibrate && len(args) > 0:
				return usageError{errors.New("--calibrate takes no file")}
			case !o.calibrate && given("seed", "time", "quiet"):
				return usageError{errors.New("--seed, --time and --quiet go with --calibrate")}
			case o.restore:
				return doctor.Restore(t.out, t.width(), t.tree)
			case o.calibrate:
				return t.calibrate(c.Context(), doctor.CalibrationTOML, o.run, time.Duration(o.within), o.format)
			}
			return t.examine(c.Context(), args, o.format)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.asJSON, "json", false, "print JSON, as --format json")
	f.StringVar(&o.format, "format", "text", strings.Join(report.DocumentFormats(), ", "))
	f.BoolVar(&o.restore, "restore", false, "put back what a moobench that was killed left changed")
	f.BoolVar(&o.calibrate, "calibrate", false, "measure a known cost, and say whether it comes out")
	f.Var(&o.within, "time", "with --calibrate: say what overhead can be resolved in this time")
	f.Uint64Var(&o.run.seed, "seed", 0, "seed of the order of --calibrate (default: a random one)")
	f.BoolVar(&o.run.quiet, "quiet", false, "print no progress of --calibrate, only warnings")
	return cmd
}

// examine looks at everything, and says what lacks by the exit status as well.
func (t *terminal) examine(ctx context.Context, args []string, format string) error {
	c := doctor.Case{Tree: t.tree, Fixtures: func() (*fixture.Builder, error) { return builder(t, "") }}
	c.Java = func() (jvm.Java, error) { return jvm.Find("") }
	if len(args) > 0 {
		s, err := prepare(t, runOptions{}, args)
		if err != nil {
			return err
		}
		c.File = s.file
		c.Java = func() (jvm.Java, error) {
			home, err := fromFile(s.file, s.file.JVM.Home)
			if err != nil {
				return jvm.Java{}, err
			}
			return jvm.Find(home)
		}
	}
	found, err := doctor.Examine(ctx, c)
	if err != nil {
		return err
	}
	err = found.Write(t.out, format, report.Options{Width: t.width()})
	switch {
	case err != nil:
		return err
	case found.Missing():
		return refusal.New(errors.New("this machine can't measure yet"), "install what is marked with x above")
	case !found.OK:
		return errIncomplete
	}
	return nil
}

// warnLeftover says, before any other verb does its work, that the machine is
// not as it was found.
func (t *terminal) warnLeftover() {
	if f, found := doctor.LeftChanged(t.tree); found {
		warn(t.err, f.Text, f.Do)
	}
}

func printJSON(w io.Writer, v any) error { return report.WriteJSON(w, v) }
