package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// host is one machine in its latest state, with the answer about it.
type host struct {
	*results.Machine
	analysis.Host
	states int
}

// hosts are the machines of a campaign, each once, however many states it has.
func hosts(a *analysis.Answers) []host {
	byID := stats.Grouped(a.Machines, func(m *results.Machine) string { return m.ID })
	return each(byID, func(states []*results.Machine) host {
		h := host{Machine: states[0], states: len(states)}
		if k := slices.IndexFunc(a.Hosts, func(o analysis.Host) bool { return o.ID == h.Machine.ID }); k >= 0 {
			h.Host = a.Hosts[k]
		}
		return h
	})
}

// changesNamed is the number of changes that are named in one line.
const changesNamed = 4

// change is "changed between sessions: governor (powersave, then performance)", or "" if nothing did.
func (h host) change() string {
	texts := each(h.Changed[:min(changesNamed, len(h.Changed))], func(c analysis.Changed) string {
		return c.What + " (" + strings.Join(known(c.Values), ", then ") + ")"
	})
	if more := len(h.Changed) - len(texts); more > 0 {
		texts = append(texts, figure.Plural(more, "other thing", "other things"))
	}
	return prefixed("changed between sessions: ", strings.Join(texts, ", "))
}

// known replaces missing values by "not known".
func known(values []string) []string {
	return each(values, func(v string) string { return cmp.Or(v, "not known") })
}

// line describes a machine in a few facts.
func (h host) line() []string {
	m := h.Machine
	return prose.NonEmpty(m.Host, m.CPU, h.cpus(), prefixed("Linux ", m.Kernel))
}

// cpus counts the CPUs of a machine; "" if that is not known.
func (h host) cpus() string {
	return textIf(h.Machine.CPUs > 0, figure.Plural(h.Machine.CPUs, "CPU", "CPUs"))
}

// machineLines describes each machine in one line, with its facts between these texts.
func machineLines(a *analysis.Answers, between string) []string {
	return each(hosts(a), func(h host) string { return strings.Join(h.line(), between) })
}

// machineNames are the machines with their numbers of CPUs.
func machineNames(a *analysis.Answers) []string {
	return each(hosts(a), func(h host) string { return h.Machine.Host + prefixed(", ", h.cpus()) })
}

// unmet warns of settings of machines that were asked for, and could not be made.
func unmet(a *analysis.Answers) []doc.Block {
	texts := each(hosts(a), func(h host) []string { return h.Unmet })
	return each(slices.Concat(texts...), func(text string) doc.Block { return warning(text) })
}

// hostFacts lists the machines, how they were quietened, and what changed on them.
func hostFacts(a *analysis.Answers) *doc.Entries {
	return &doc.Entries{Facts: true, Depth: doc.Full, Items: each(hosts(a), func(h host) doc.Entry {
		quiet := paragraphs(doc.Paragraph{Mark: "quiet", Text: h.Quiet, Tone: doc.Soft})
		return doc.Entry{
			Term:  strings.Join(append(h.line(), jdks(a.Campaign.Runtimes)...), " · "),
			Items: append(quiet, each(prose.NonEmpty(h.change()), warning)...),
		}
	})}
}

// jdks formats the names of JDKs.
func jdks(runtimes []string) []string {
	return each(runtimes, func(r string) string { return "JDK " + r })
}

// machines describes the machines in full.
func machines(a *analysis.Answers) *doc.Section {
	sec := &doc.Section{ID: "machine", Title: "Machine", Depth: doc.Paged}
	sec.Add(hostFacts(a))
	if c := a.Campaign.Control; c != nil {
		text := "Profile " + string(c.Profile) + ". Disturbed invocations stay in, marked."
		if c.Repeat {
			text = "Profile " + string(c.Profile) +
				". Disturbed invocations are repeated in extra blocks, at most one for four planned ones."
		}
		quiet := figure.Quantity(float64(c.QuietNS), "ns")
		text += textIf(c.QuietNS > 0, " Waits up to "+quiet+" for the machine to be as quiet as in the beginning.")
		sec.Add(doc.Paragraph{Text: text})
	}
	all := hosts(a)
	for _, h := range all {
		about := append(h.line(),
			prose.NonEmpty(h.OS, textIf(h.Memory > 0, figure.Quantity(float64(h.Memory), "B")))...)
		one := &doc.Section{Title: join(h.Machine.Host, h.Machine.ID), About: strings.Join(about, " · ")}
		t := &doc.Table{
			Legend: []string{
				"what was not the same in all sessions: " + strconv.Itoa(h.states) +
					" states, the earliest first. The table of knobs is of the last one",
			},
			Columns: doc.TextColumns("what"),
		}
		for _, c := range h.Changed {
			t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts(append([]string{c.What}, known(c.Values)...)...)})
			t.Columns = append(t.Columns, make([]doc.Column, max(0, 1+len(c.Values)-len(t.Columns)))...)
		}
		knobs := &doc.Table{Columns: doc.TextColumns("knob", "found", "wanted", "got", "policy", "reason")}
		for _, k := range h.Knobs {
			r := doc.Row{Cells: doc.Texts(k.Name, k.Found, k.Wanted, k.Got, string(k.Policy), k.Reason)}
			if k.Unmet() {
				r.Cells[3] = doc.Cell{Text: "! " + cmp.Or(k.Got, k.Found, "not known"), Tone: doc.Warning}
			}
			knobs.Rows = append(knobs.Rows, r)
		}
		one.Add(t, &doc.Section{Title: "Settings", Folded: true, Blocks: []doc.Block{knobs}})
		one.Add(&doc.Section{Title: "Facts", Folded: true, Blocks: []doc.Block{facts(sorted(h.Facts))}})
		sec.Blocks = append(sec.Blocks, one)
	}
	sec.Add(doc.Paragraph{Text: textIf(len(all) == 0, "Nothing is recorded of the machine.")})
	return sec
}

// calibrations says, for every machine, what its last calibration showed: in a bad tone if measurements there
// are in doubt.
func calibrations(a *analysis.Answers) []doc.Paragraph {
	var all []doc.Paragraph
	latest := hosts(a) // each in its latest state
	for _, h := range latest {
		c, text := h.Calibration, textIf(len(latest) > 1, h.Machine.Host+" ")
		if c == nil {
			if !a.Campaign.Design.Imported() { // else it was measured elsewhere, by another tool
				text += "not calibrated: moobench doctor --calibrate shows whether this machine recovers a known cost"
				all = append(all, doc.Paragraph{Text: text, Tone: doc.Soft})
			}
			continue
		}
		s := figure.Fit("ns", c.MeasuredNS, c.LowNS, c.HighNS)
		text += "calibrated " + c.When.UTC().Format("2006-01-02") + ": a known cost of " +
			figure.Exactly(c.KnownNS, "ns") + " came out as " +
			s.WithUnit(s.Number(c.MeasuredNS)+" ("+s.Number(c.LowNS)+" … "+s.Number(c.HighNS)+")")
		bad := true
		switch {
		case !c.Recovered:
			text += ": NOT recovered: differences that are measured here can be wrong by more than their " +
				"intervals say; quieten the machine and calibrate again"
		case c.TooWide():
			text += ": too noisy to say whether it is recovered; quieten the machine and calibrate again"
		default:
			text, bad = text+": recovered", c.AA == string(analysis.AAFailed)
		}
		switch {
		case c.AA == string(analysis.AAResolves) && c.Resolves > 0:
			text += "; A/A within " + figure.Percent(c.Resolves)
		case c.AA != "":
			text += "; A/A: " + c.AA
		}
		p := doc.Paragraph{Text: text, Tone: doc.Soft}
		if bad {
			p = doc.Paragraph{Mark: "!", Text: text, Tone: doc.Bad, General: true}
		}
		all = append(all, p)
	}
	return all
}
