package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/results"
)

// examination is a machine that is looked at, for a file or for none.
type examination struct {
	t         *terminal
	file      *config.File // nil: there is none
	host      results.Machine
	placement machine.Placement
	unpinned  *machine.RequireError // nil: the CPUs are shared out as the file requires
	knobs     []results.KnobState   // see checkup
}

// section is [machine] of the file, or what it is when nothing is said.
func (d *examination) section() config.Machine {
	if d.file == nil {
		return config.Machine{Profile: results.ProfileAsIs}
	}
	return d.file.Machine
}

func (d *examination) look() error {
	var err error
	d.placement, err = placeOf(d.section(), d.t.tree)
	if err != nil && !errors.As(err, &d.unpinned) {
		return err
	}
	d.host = machine.Observe(d.t.tree, d.placement)
	d.knobs = d.wished()
	return nil
}

// computer is what the machine is, apart from its settings.
func (d *examination) computer() []finding {
	h := d.host
	system, _, _ := strings.Cut(h.OS, " (")
	all := []finding{{State: fine, Topic: "machine", Text: fmt.Sprintf("%s · %s · %d CPUs · %.0f GiB · Linux %s · %s", h.Host, h.CPU, h.CPUs, float64(h.Memory)/(1<<30), h.Kernel, system)}}
	all = append(all, d.surroundings()...)
	all = append(all, d.cpus(), clock(machine.MeasureClock(d.t.tree)))
	if a, err := machine.MeasureAccounting(); err == nil {
		all = append(all, finding{State: fine, Topic: "accounting", Text: a.String()})
	}
	return append(all, lastCalibration(calibrationHere(h.ID)))
}

// surroundings are what can't be set, and hurts.
func (d *examination) surroundings() []finding {
	var all []finding
	hurts := func(topic, text, do string) {
		all = append(all, finding{State: note, Topic: topic, Text: text, Do: do})
	}
	if want := d.section().Host; want != "" && want != d.host.Host {
		hurts("host", fmt.Sprintf("%s measures for the host %q, and this is %q: a gate gives no verdict here", d.file.Path, want, d.host.Host), fmt.Sprintf("[machine] host = %q, or measure there", d.host.Host))
	}
	facts := d.host.Facts
	if v := facts["virtualisation"]; v != "" {
		text := v + ": its host can take the CPUs away at any moment"
		if stolen := facts["steal"]; stolen != "" {
			text += " (it did for " + stolen + ")"
		}
		hurts("virtual", text, "steal_ns beside the results says for how long; dedicated hardware has none")
	}
	if c := facts["container"]; c != "" {
		hurts("container", "in "+c+": settings are the host's, and others may run on the same CPUs", "measure on the host itself if you can")
	}
	if limit := facts["cpu limit"]; limit != "" {
		hurts("CPU limit", limit+": the kernel stops who has used up its share, in the middle of a measurement", "start moobench in a control group without cpu.max")
	}
	if facts["power"] == "battery" {
		hurts("power", "on battery: the firmware holds the CPUs back to save it", "plug it in before measuring")
	}
	if facts["irqbalance"] != "" {
		hurts("irqbalance", "runs: it moves interrupts onto the measured CPUs at any moment", "sudo systemctl stop irqbalance, for as long as you measure")
	}
	return all
}

func (d *examination) cpus() finding {
	const topic = "CPUs"
	p := d.placement
	if d.unpinned != nil {
		why, do, _ := strings.Cut(d.unpinned.Unmet[0].Reason, "\nhint: ")
		return finding{State: lacks, Topic: topic, Text: d.file.Path + " requires " + why, Do: cmp.Or(do, "name other CPUs, or take pin out"), Required: true}
	}
	if p.Remark == "" {
		return finding{State: fine, Topic: topic, Text: p.String()}
	}
	do := "four CPUs or more keep them apart"
	if d.host.CPUs >= 4 {
		do = "let moobench use more of the CPUs (taskset, cpuset, pin)"
	}
	return finding{State: note, Topic: topic, Text: p.String() + "; " + p.Remark, Do: do}
}

// clock judges by what a reading costs: in a virtual machine, clocks of other
// names than tsc may be as cheap.
func clock(c machine.Clock) finding {
	const dear = 100 // ns; tsc takes 20 to 40, and a clock that asks the kernel 200 or more
	f := finding{State: fine, Topic: "clock", Text: fmt.Sprintf("%s, %.0f ns a reading, %d ns a tick", cmp.Or(c.Source, "of an unknown source"), c.ReadNS, c.TickNS)}
	if c.ReadNS > dear {
		f.State = note
		f.Text += ": two readings are part of every sample, and this clock is a slow one"
		f.Do = "boot with clocksource=tsc if the CPU's is reliable, or set batch"
	}
	return f
}

// load is how busy the machine is, before moobench does anything.
func load(root fs.FS) finding {
	const topic = "load"
	const busy, waiting = 0.3, 2.0 // tasks; per cent of the time
	l := machine.ReadLoad(root)
	if math.IsNaN(l.Tasks) {
		return finding{State: note, Topic: topic, Text: "not known: /proc/loadavg does not tell it here", Do: "nothing to do: disturbed invocations are marked"}
	}
	f := finding{State: fine, Topic: topic, Text: fmt.Sprintf("%.2g tasks ran or waited in the last minute", l.Tasks)}
	if !math.IsNaN(l.WaitingPercent) {
		f.Text += fmt.Sprintf("; in the last 10 s some waited for a CPU %.2g %% of the time", l.WaitingPercent)
	}
	if l.Tasks >= busy || l.WaitingPercent >= waiting {
		f.State, f.Do = note, "end other programs before you measure; top names them"
	}
	return f
}
