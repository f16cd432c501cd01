package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine"
)

// finding is one line of moobench doctor.
type finding struct {
	State string `json:"state"` // ok, lacks, note
	Topic string `json:"topic"`
	Text  string `json:"text"`
	Do    string `json:"do,omitempty"` // what to do about it
}

const (
	fine  = "ok"
	lacks = "lacks" // nothing can be measured without it
	note  = "note"
)

func doctorVerb(t *terminal) *cobra.Command {
	var asJSON, calibrate bool
	var o runOptions
	within := span(10 * time.Minute)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "say what this machine has, lacks, and can't control",
		Long: `Looks at this machine and changes nothing: JDKs, Maven, fixtures, frameworks and
their checksums, the clock, the CPUs, and the settings that disturb measurements.

With --calibrate it measures a known cost instead, for about a minute: two probes
that burn 1 µs and 3 µs, and two equal baselines (A/A). It says whether the known
difference of 2 µs lies in its interval, and last, from how the baselines differ,
about what overhead a campaign of one variant finds on this machine in --time.
What came out stands in the reports of later campaigns on this machine.

` + exitHelp + ";\n     or --calibrate: the known cost was not recovered",
		Example: "  moobench doctor\n  moobench doctor --json\n  moobench doctor --calibrate",
		Args:    positional(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			o.seeded = c.Flags().Changed("seed")
			if calibrate {
				return t.calibrate(c.Context(), calibrateTOML, o, time.Duration(within), asJSON)
			}
			if o.seeded || o.quiet || c.Flags().Changed("time") {
				return usageError{errors.New("--seed, --time and --quiet go with --calibrate")}
			}
			findings := examine(c.Context(), t)
			if asJSON {
				return printJSON(t.out, findings)
			}
			printFindings(t.out, findings)
			for _, f := range findings {
				if f.State == lacks {
					return errors.New("this machine can't measure yet\nhint: install what is marked with x above")
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&calibrate, "calibrate", false, "measure a known cost, and say whether it comes out")
	f.Var(&within, "time", "with --calibrate: say what overhead can be resolved in this time")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the order of --calibrate (default: a random one)")
	f.BoolVar(&o.quiet, "quiet", false, "print no progress of --calibrate, only warnings")
	return cmd
}

func examine(ctx context.Context, t *terminal) []finding {
	var all []finding
	all = append(all, javas()...)
	all = append(all, maven(ctx), fixtures(t))
	all = append(all, artifacts(ctx)...)
	return append(all, computer(t)...)
}

func javas() []finding {
	found := jvm.All()
	if len(found) == 0 {
		_, err := jvm.Find("")
		text, hint, _ := strings.Cut(err.Error(), "\nhint: ")
		return []finding{{lacks, "JDK", text, hint}}
	}
	var all []finding
	for i, j := range found {
		f := finding{fine, "JDK", fmt.Sprintf("%s in %s", j.Version, j.Home), ""}
		if i > 0 {
			f.Do = fmt.Sprintf("to measure with it: [jvm] home = %q", j.Home)
		}
		all = append(all, f)
	}
	return all
}

func maven(ctx context.Context) finding {
	const do = "apt-get install maven"
	out, err := exec.CommandContext(ctx, "mvn", "-q", "-B", "-Dstyle.color=never", "-v").Output()
	if err != nil {
		return finding{lacks, "Maven", fmt.Sprintf("asking mvn for its version: %v", err), do}
	}
	return finding{fine, "Maven", strings.TrimSpace(string(out)), ""}
}

func fixtures(t *terminal) finding {
	built, ok, err := builder(t, "").Find()
	switch {
	case err != nil:
		return finding{lacks, "fixtures", err.Error(), "install moobench again"}
	case !ok:
		return finding{note, "fixtures", "not built yet", "the first moobench run builds them"}
	}
	return finding{fine, "fixtures", "built in " + built.Dir, ""}
}

// artifacts looks for the catalogue's jars, and fetches none.
func artifacts(ctx context.Context) []finding {
	set, err := framework.Catalogue()
	if err != nil {
		return []finding{{lacks, "frameworks", err.Error(), "install moobench again"}}
	}
	resolver := &framework.Resolver{Offline: true, Log: io.Discard}
	present, missing := 0, 0
	var bad []finding
	seen := map[string]bool{}
	for _, name := range set.Names() {
		v, err := set.Variant(name)
		if err != nil {
			continue
		}
		for _, a := range v.Artifacts {
			if seen[a.String()] {
				continue
			}
			seen[a.String()] = true
			_, err := resolver.Resolve(ctx, a)
			var sum *framework.ChecksumError
			switch {
			case err == nil:
				present++
			case errors.As(err, &sum):
				bad = append(bad, finding{note, "frameworks", err.Error(), "its variants are given up until it is replaced"})
			default:
				missing++
			}
		}
	}
	all := append(bad, finding{fine, "frameworks", fmt.Sprintf("%d jars of the catalogue are here, with the right checksums", present), ""})
	if missing > 0 {
		all = append(all, finding{note, "frameworks", fmt.Sprintf("%d jars of the catalogue are not here yet", missing), "moobench run has Maven fetch those that it needs"})
	}
	return all
}

func computer(t *terminal) []finding {
	host, placement, err := machine.Look(t.tree)
	if err != nil {
		return []finding{{note, "machine", err.Error(), ""}}
	}
	all := []finding{{fine, "machine", fmt.Sprintf("%s · %s · %d CPUs · %d MB · Linux %s · %s", host.Host, host.CPU, host.CPUs, host.Memory>>20, host.Kernel, host.OS), ""}}
	if v := host.Facts["virtualisation"]; v != "" {
		all = append(all, finding{note, "machine", v, "the host can take CPU time at any moment: steal_ns stands beside the results; dedicated hardware is quieter"})
	}
	all = append(all, lastCalibration(machine.LoadCalibration(cacheDir(), host.ID)), cpus(placement), clock())
	if a, err := machine.MeasureAccounting(); err == nil {
		all = append(all, finding{fine, "accounting", a.String(), ""})
	}
	for _, k := range host.Knobs {
		if k.Found == "" {
			all = append(all, finding{note, k.Name, "can't be read: " + k.Reason, "recorded as unknown"})
		} else {
			all = append(all, finding{fine, k.Name, k.Found, ""})
		}
	}
	return all
}

func cpus(p machine.Placement) finding {
	if p.Remark == "" {
		return finding{fine, "CPUs", p.String(), ""}
	}
	return finding{note, "CPUs", p.String() + ": " + p.Remark, "four CPUs or more keep them apart"}
}

func clock() finding {
	c := machine.MeasureClock(machine.Root())
	f := finding{fine, "clock", fmt.Sprintf("%s, %.0f ns a reading, %d ns a tick", c.Source, c.ReadNS, c.TickNS), ""}
	if c.Source != "tsc" && c.Source != "arch_sys_counter" {
		f.State, f.Do = note, "a slow clock is part of every sample: boot with clocksource=tsc if the CPU's is reliable, or set batch"
	}
	return f
}

func printFindings(w io.Writer, all []finding) {
	marks := map[string]string{fine: " ", lacks: "x", note: "!"}
	for _, f := range all {
		fmt.Fprintf(w, "%s %-28s %s\n", marks[f.State], f.Topic, visible(f.Text))
		if f.Do != "" {
			fmt.Fprintf(w, "  %-28s → %s\n", "", visible(f.Do))
		}
	}
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
