package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/cmd/internal/standard"
	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine/facts"
	"moobench/harness/machine/watch"
	"moobench/harness/maven"
	"moobench/refusal"
	"moobench/results"
)

// computer returns the findings about the machine itself, except its settings.
func (e *examination) computer() []Finding {
	h := e.host
	system, _, _ := strings.Cut(h.OS, " (")
	about := fmt.Sprintf("%s · %s · %d CPUs · %.0f GiB · Linux %s · %s",
		h.Host, h.CPU, h.CPUs, float64(h.Memory)/(1<<30), h.Kernel, system)
	all := []Finding{{State: fine, Topic: "machine", Text: about}}
	disturbs := func(when bool, topic, text, do string) { // for properties that can't be set
		if when {
			all = append(all, Finding{State: note, Topic: topic, Text: text, Do: do})
		}
	}
	if want := e.section().Host; want != "" {
		text := fmt.Sprintf("%s measures for the host %q, and this is %q: a gate gives no verdict here",
			e.File.Path, want, h.Host)
		disturbs(want != h.Host, "host", text, fmt.Sprintf("[machine] host = %q, or measure there", h.Host))
	}
	known := h.Facts
	if v := known["virtualisation"]; v != "" {
		text := v + ": its host can take the CPUs away at any moment"
		if stolen := known["steal"]; stolen != "" {
			text += " (it did for " + stolen + ")"
		}
		disturbs(true, "virtual", text, "steal_ns beside the results says for how long; dedicated hardware has none")
	}
	container, limit := known["container"], known["cpu limit"]
	disturbs(container != "", "container",
		"in "+container+": settings are the host's, and others may run on the same CPUs",
		"measure on the host itself if you can")
	disturbs(limit != "", "CPU limit",
		limit+": the kernel stops whatever has used up its share, in the middle of a measurement",
		"start moobench in a control group without cpu.max")
	disturbs(known["power"] == "battery", "power", "on battery: the firmware slows the CPUs down to save it",
		"plug it in before measuring")
	disturbs(known["irqbalance"] != "", "irqbalance", "runs: it moves interrupts onto the measured CPUs at any moment",
		"sudo systemctl stop irqbalance, for as long as you measure")
	all = append(all, e.cpus(), clock(facts.MeasureClock(e.Tree)))
	if a, err := watch.MeasureAccounting(); err == nil {
		all = append(all, Finding{State: fine, Topic: "accounting", Text: a.String()})
	}
	all = append(all, standards(h)...)
	return append(all, lastCalibration(LastCalibration(h.ID)))
}

// standards returns a finding for each speed kept for this machine's CPU at which costs are
// reported. moobench never changes such a speed itself, even if it was far off in the last
// campaign.
func standards(host results.Machine) []Finding {
	const topic = "speed"
	file, err := standard.Read("")
	if err != nil {
		return []Finding{finding(note, topic, err)}
	}
	var all []Finding
	for _, k := range file.Kept {
		own := k.Standard
		own.CPU, own.Stepping = host.CPU, host.Stepping
		if !k.HoldsFor(own) {
			continue
		}
		text := fmt.Sprintf("costs with JDK %s are reported at the speed at which the reference takes %s",
			k.Runtime, figure.Quantity(k.NS, "ns"))
		f := Finding{State: fine, Topic: topic, Text: text}
		if k.FarOff() {
			f.State = note
			f.Text += fmt.Sprintf("; in the campaign of %s the CPU was %s: %s",
				k.Last.Format(time.DateOnly), prose.Slower(k.Off()), figure.Quantity(k.LastNS, "ns"))
			f.Do = fmt.Sprintf("if it stays so, report costs at another speed: [machine] standard = %q, "+
				"or take it out of %s; costs before and after are then not at one speed",
				fmt.Sprintf("%.0fns", k.LastNS), file.Path)
		}
		all = append(all, f)
	}
	return all
}

func (e *examination) cpus() Finding {
	const topic = "CPUs"
	p := e.placement
	if e.unpinned != nil {
		pin := e.unpinned.Unmet[0]
		return Finding{
			State: lacks, Topic: topic, Text: e.File.Path + " requires " + pin.Reason,
			Do: cmp.Or(refusal.Do(pin.Why), "name other CPUs, or take pin out"), Required: true,
		}
	}
	if p.Remark == "" {
		return Finding{State: fine, Topic: topic, Text: p.String()}
	}
	do := "four CPUs or more keep them apart"
	if e.host.CPUs >= 4 {
		do = "let moobench use more of the CPUs (taskset, cpuset, pin)"
	}
	return Finding{State: note, Topic: topic, Text: p.String() + "; " + p.Remark, Do: do}
}

// clock judges the clock by the cost of a reading: in a virtual machine, clocks other than tsc can
// be as cheap.
func clock(c facts.Clock) Finding {
	const dear = 100 // ns; tsc takes 20 to 40, a clock that needs a system call 200 or more
	text := fmt.Sprintf("%s, %.0f ns a reading, %d ns a tick",
		cmp.Or(c.Source, "of an unknown source"), c.ReadNS, c.TickNS)
	f := Finding{State: fine, Topic: "clock", Text: text}
	if c.ReadNS > dear {
		f.State = note
		f.Text += ": two readings are part of every sample, and this clock is a slow one"
		f.Do = "boot with clocksource=tsc if the CPU's is reliable, or set batch"
	}
	return f
}

// load returns the finding about how busy the machine is, before moobench adds to it.
func load(l facts.Load) Finding {
	const topic = "load"
	const busy, waiting = 0.3, 2.0 // tasks; per cent of the time
	if math.IsNaN(l.Tasks) {
		return Finding{
			State: note, Topic: topic,
			Text: "not known: /proc/loadavg does not show it here",
			Do:   "nothing to do: disturbed invocations are marked",
		}
	}
	f := Finding{State: fine, Topic: topic, Text: fmt.Sprintf("%.2g tasks ran or waited in the last minute", l.Tasks)}
	if !math.IsNaN(l.WaitingPercent) {
		f.Text += fmt.Sprintf("; in the last 10 s some waited for a CPU %.2g %% of the time", l.WaitingPercent)
	}
	if l.Tasks >= busy || l.WaitingPercent >= waiting {
		f.State, f.Do = note, "end other programs before you measure; top names them"
	}
	return f
}

// software reports the JDK for measuring and other JDKs, whether Maven and the fixtures are
// present, and how many of the catalogue's jars are.
func (c Case) software(ctx context.Context) []Finding {
	var all []Finding
	if used, err := c.Java(); err != nil {
		all = append(all, finding(lacks, "JDK", err))
	} else {
		all = append(all, Finding{State: fine, Topic: "JDK", Text: used.Version + " in " + used.Home})
		for _, j := range jvm.All() {
			if j != used {
				all = append(all, Finding{
					State: fine, Topic: "JDK", Text: j.Version + " is here too",
					Do: fmt.Sprintf("[jvm] home = %q", j.Home),
				})
			}
		}
	}
	if c.Bundled {
		return all
	}
	if out, err := maven.Command(ctx, maven.Name, "/", "-q", "-B", "-Dstyle.color=never", "-v").Output(); err != nil {
		all = append(all, Finding{
			State: lacks, Topic: "Maven",
			Text: "asking mvn for its version: " + err.Error(), Do: "apt-get install maven",
		})
	} else {
		version, _, _ := strings.Cut(maven.Plain(out), "\n")
		all = append(all, Finding{State: fine, Topic: "Maven", Text: cmp.Or(version, "is here")})
	}
	return slices.Concat(all, []Finding{c.fixtures()}, artifacts(ctx))
}

func (c Case) fixtures() Finding {
	const topic = "fixtures"
	var built fixture.Built
	ok := false
	b, err := c.Fixtures()
	if err == nil {
		built, ok, err = b.Find()
	}
	switch {
	case err != nil:
		f := finding(lacks, topic, err) // no folder to build them in
		f.Do = cmp.Or(f.Do, "install moobench again")
		return f
	case built.Damage != "":
		return Finding{
			State: note, Topic: topic,
			Text: fmt.Sprintf("%s can't be used: %s", built.Dir, built.Damage),
			Do:   "the next moobench run builds them again",
		}
	case !ok:
		return Finding{State: fine, Topic: topic, Text: "not built yet: the first moobench run builds them"}
	}
	return Finding{State: fine, Topic: topic, Text: "built in " + built.Dir}
}

// artifacts looks for the catalogue's jars, without fetching any.
func artifacts(ctx context.Context) []Finding {
	const topic = "frameworks"
	set, err := framework.Catalogue()
	if err != nil {
		return []Finding{{State: lacks, Topic: topic, Text: err.Error(), Do: "install moobench again"}}
	}
	resolver := &framework.Resolver{Offline: true, Log: io.Discard}
	present, missing := 0, 0
	var all []Finding
	seen := map[string]bool{}
	for _, name := range set.Names() {
		v, err := set.Variant(name)
		if err != nil || v.Homeless() {
			continue
		}
		for _, a := range v.Artifacts {
			if seen[a.String()] {
				continue
			}
			seen[a.String()] = true
			_, err := resolver.Resolve(ctx, a, v.License)
			switch {
			case err == nil:
				present++
			case errors.As(err, new(*framework.ChecksumError)):
				all = append(all, Finding{
					State: note, Topic: topic, Text: err.Error(),
					Do: "its variants are given up until it is replaced",
				})
			default:
				missing++
			}
		}
	}
	text := figure.Plural(present, "jar", "jars") + " of the catalogue here, with the right checksums"
	if missing > 0 {
		text += fmt.Sprintf("; moobench run has Maven fetch those of the other %d that it needs", missing)
	}
	return append(all, Finding{State: fine, Topic: topic, Text: text})
}
