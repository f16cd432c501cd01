package doctor

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"moobench/harness/machine/facts"
	"moobench/harness/machine/watch"
	"moobench/refusal"
)

// computer is what the machine is, apart from its settings.
func (e *examination) computer() []Finding {
	h := e.host
	system, _, _ := strings.Cut(h.OS, " (")
	all := []Finding{{State: fine, Topic: "machine", Text: fmt.Sprintf("%s · %s · %d CPUs · %.0f GiB · Linux %s · %s", h.Host, h.CPU, h.CPUs, float64(h.Memory)/(1<<30), h.Kernel, system)}}
	all = append(all, e.surroundings()...)
	all = append(all, e.cpus(), clock(facts.MeasureClock(e.Tree)))
	if a, err := watch.MeasureAccounting(); err == nil {
		all = append(all, Finding{State: fine, Topic: "accounting", Text: a.String()})
	}
	return append(all, lastCalibration(LastCalibration(h.ID)))
}

// surroundings are what can't be set, and disturbs.
func (e *examination) surroundings() []Finding {
	var all []Finding
	disturbs := func(topic, text, do string) {
		all = append(all, Finding{State: note, Topic: topic, Text: text, Do: do})
	}
	if want := e.section().Host; want != "" && want != e.host.Host {
		disturbs("host", fmt.Sprintf("%s measures for the host %q, and this is %q: a gate gives no verdict here", e.File.Path, want, e.host.Host), fmt.Sprintf("[machine] host = %q, or measure there", e.host.Host))
	}
	known := e.host.Facts
	if v := known["virtualisation"]; v != "" {
		text := v + ": its host can take the CPUs away at any moment"
		if stolen := known["steal"]; stolen != "" {
			text += " (it did for " + stolen + ")"
		}
		disturbs("virtual", text, "steal_ns beside the results says for how long; dedicated hardware has none")
	}
	if c := known["container"]; c != "" {
		disturbs("container", "in "+c+": settings are the host's, and others may run on the same CPUs", "measure on the host itself if you can")
	}
	if limit := known["cpu limit"]; limit != "" {
		disturbs("CPU limit", limit+": the kernel stops who has used up its share, in the middle of a measurement", "start moobench in a control group without cpu.max")
	}
	if known["power"] == "battery" {
		disturbs("power", "on battery: the firmware holds the CPUs back to save it", "plug it in before measuring")
	}
	if known["irqbalance"] != "" {
		disturbs("irqbalance", "runs: it moves interrupts onto the measured CPUs at any moment", "sudo systemctl stop irqbalance, for as long as you measure")
	}
	return all
}

func (e *examination) cpus() Finding {
	const topic = "CPUs"
	p := e.placement
	if e.unpinned != nil {
		pin := e.unpinned.Unmet[0]
		return Finding{State: lacks, Topic: topic, Text: e.File.Path + " requires " + pin.Reason, Do: cmp.Or(refusal.Do(pin.Why), "name other CPUs, or take pin out"), Required: true}
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

// clock judges by what a reading costs: in a virtual machine, clocks of other
// names than tsc may be as cheap.
func clock(c facts.Clock) Finding {
	const dear = 100 // ns; tsc takes 20 to 40, and a clock that asks the kernel 200 or more
	f := Finding{State: fine, Topic: "clock", Text: fmt.Sprintf("%s, %.0f ns a reading, %d ns a tick", cmp.Or(c.Source, "of an unknown source"), c.ReadNS, c.TickNS)}
	if c.ReadNS > dear {
		f.State = note
		f.Text += ": two readings are part of every sample, and this clock is a slow one"
		f.Do = "boot with clocksource=tsc if the CPU's is reliable, or set batch"
	}
	return f
}

// load is how busy the machine is, before moobench does anything.
func load(l facts.Load) Finding {
	const topic = "load"
	const busy, waiting = 0.3, 2.0 // tasks; per cent of the time
	if math.IsNaN(l.Tasks) {
		return Finding{State: note, Topic: topic, Text: "not known: /proc/loadavg does not tell it here", Do: "nothing to do: disturbed invocations are marked"}
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
