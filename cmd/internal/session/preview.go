package session

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/progress"
	"moobench/harness/config"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
)

// Preview prints the plan, in exact order, without starting anything.
func (s *Session) Preview() error {
	w, c, e := s.lab.Out, s.Plan.Campaign, run.EstimateOf(s.Plan)
	fmt.Fprintf(w, "%s · %d invocations%s · %s · %d MB of disk, up to %d MB more while it runs · seed %d\n",
		console.Visible(c.Name), e.Invocations, pilotOnly(c), wallText(e), e.StayBytes>>20+1, e.PeakBytes>>20+1, c.Seed)
	writeSizing(w, c)
	if c.Shard != nil {
		fmt.Fprintf(w, "  %s\n", s.tellShard())
	}
	if s.Lanes > 0 {
		text, err := s.tellLanes()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s\n", text)
	}
	if c.Control != nil {
		writeControl(w, c.Control, s.File.Machine)
	}
	s.writeFactors(w)
	fmt.Fprintln(w, "\ncells")
	width := 40
	for _, cell := range c.Cells {
		width = max(width, utf8.RuneCountInString(console.Visible(cell.Label())))
	}
	for _, cell := range c.Cells {
		proof := string(cell.Proof.Kind)
		if cell.Proof.Expected > 0 {
			proof += fmt.Sprintf(", %d records", cell.Proof.Expected)
		} else if cell.Proof.Optional {
			proof += ", if there is anything to record"
		}
		fmt.Fprintf(w, "  %s  %-*s %-9s proof: %s\n", cell.ID, width, console.Visible(cell.Label()), cell.Role, proof)
	}
	if lack := s.unproven(); lack != "" {
		fmt.Fprintf(w, "  !    %s\n", lack)
	}
	s.writeUnsuited(w)
	s.writeReach(w)
	writeQuestions(w, c)
	if g := c.Gate; g != nil {
		fmt.Fprintf(w, "\ngate\n  %s/%s: at most %s worse than %s in the same blocks, alpha %v\n",
			console.Visible(g.Scenario), console.Visible(g.Metric), figure.Level(g.WorseBy),
			console.Visible(g.Reference), g.Alpha)
		for _, l := range g.Also {
			text := "at most %s worse in %s\n"
			if l.Alarm {
				text = "not shown to be more than %s worse in %s\n"
			}
			fmt.Fprintf(w, "      "+text, figure.Level(l.WorseBy), console.Visible(l.Metric))
		}
		var judged []string
		for i := range c.Cells {
			if g.Judges(&c.Cells[i]) {
				judged = append(judged, c.Cells[i].Label())
			}
		}
		fmt.Fprintf(w, "      judges %s\n", console.Visible(strings.Join(judged, " · ")))
		if m := len(judged) * len(g.Limits()); len(g.Also) > 0 {
			fmt.Fprintf(w, "      worse at %.4g each, for the %d rows together; passed at %v each, if all pass\n",
				g.Alpha/float64(m), m, g.Alpha)
		}
		if g.Host != "" {
			fmt.Fprintf(w, "      on %s, and nowhere else\n", console.Visible(g.Host))
		}
	}
	s.writeCommands(w)
	s.writePhases(w)
	fmt.Fprintln(w, "\nblocks")
	for _, b := range c.Blocks {
		labels := results.Each(b.Order, func(id string) string { return c.Cell(id).Label() })
		fmt.Fprintf(w, "  block %3d  %-9s  %s\n", b.Number, b.Profile, console.Visible(strings.Join(labels, " · ")))
	}
	_, err := fmt.Fprintln(w, "\nnothing was started")
	return err
}

// unproven names the variants without proof that they record; "": none.
func (s *Session) unproven() string {
	var names []string
	for _, c := range s.Plan.Campaign.Cells {
		if c.Role == results.RoleVariant && c.Proof.Kind == results.ProofNone && !slices.Contains(names, c.Variant) {
			names = append(names, c.Variant)
		}
	}
	if names == nil {
		return ""
	}
	return console.Visible(strings.Join(names, ", ")) + ": no proof given: costs will say so"
}

// writeUnsuited lists the variants that can't run on this machine's JDK: a run would refuse them. A
// machine without a JDK can still show a plan.
func (s *Session) writeUnsuited(w io.Writer) {
	java, err := s.chooseJava()
	if err != nil || !s.needsJava() {
		return
	}
	for _, err := range s.unsuited(java) {
		fmt.Fprintf(w, "  !    %s: it would not be measured; %s\n", console.Visible(err.Error()), refusal.Do(err))
	}
}

// wallText returns a campaign's estimated duration.
func wallText(e run.Estimate) string {
	return map[bool]string{false: "about ", true: "at most about "}[e.AtMost] + figure.Roughly(e.Wall)
}

// pilotOnly marks numbers that will grow after the pilot.
func pilotOnly(c *results.Campaign) string {
	if slices.ContainsFunc(c.Scenarios, progress.Undecided) {
		return " (pilot)"
	}
	return ""
}

// writeSizing describes, for each scenario without a fixed number of calls or blocks, how the
// number is or was found.
func writeSizing(w io.Writer, c *results.Campaign) {
	planned := timingBlocks(c)
	for _, s := range c.Scenarios {
		if z := s.Settling; z != nil {
			const most = "calls: a pilot lets each cell make %s and more of them, in two JVMs, " +
				"until it comes to rest, for %s at most; cells that are compared make equally many"
			calls, within := figure.Count(results.PilotCalls), figure.Roughly(time.Duration(z.WithinNS))
			text := fmt.Sprintf(most, calls, within)
			if z.Decision != nil {
				text = z.Decision.Reason
			}
			fmt.Fprintf(w, "  %s\n", console.Visible(s.Label+": "+text))
		}
		if s.Sizing == nil {
			continue
		}
		fmt.Fprintf(w, "  %s\n", console.Visible(s.Label+": "+sizingText(s.Sizing, planned[s.Label])))
	}
}

// timingBlocks counts the planned blocks of each scenario's timing profile.
func timingBlocks(c *results.Campaign) map[string]int {
	n := map[string]int{}
	for _, b := range c.Blocks {
		if b.Kind != results.BlockPlanned || b.Profile != results.ProfileTiming {
			continue
		}
		in := map[string]bool{}
		for _, id := range b.Order {
			if cell := c.Cell(id); cell != nil && !in[cell.Scenario] {
				in[cell.Scenario] = true
				n[cell.Scenario]++
			}
		}
	}
	return n
}

// isTiming reports whether a block is a planned timing block of the scenario.
func isTiming(c *results.Campaign, b results.Block, scenario string) bool {
	inScenario := func(id string) bool { cell := c.Cell(id); return cell != nil && cell.Scenario == scenario }
	timing := b.Kind == results.BlockPlanned && b.Profile == results.ProfileTiming
	return timing && slices.ContainsFunc(b.Order, inScenario)
}

// sizingText describes how the number of blocks is found.
func sizingText(z *results.Sizing, planned int) string {
	limit := time.Duration(z.MaxTimeNS)
	switch {
	case z.Decision != nil:
		return z.Decision.Reason
	case z.Precision == 0:
		return fmt.Sprintf("%s, or fewer if more would not fit into %s",
			figure.Plural(planned, "block", "blocks"), figure.Roughly(limit))
	}
	most := "ten times the pilot's time"
	if limit > 0 {
		most = figure.Roughly(limit)
	}
	if z.MaxBlocks > 0 {
		most = figure.Plural(z.MaxBlocks, "block", "blocks") + ", or " + most
	}
	text := fmt.Sprintf("%s pilot, then as many as ± %s needs, at most %s",
		figure.Plural(z.Pilot, "block", "blocks"), figure.Percent(z.Precision), most)
	if z.Strict {
		text += "; strict: no variant is set aside"
	}
	return text
}

// writeControl prints the settings that [machine] wants; a preview does not try them.
func writeControl(w io.Writer, c *results.Control, m config.Machine) {
	var pins []string
	words := []string{"profile " + c.Profile}
	say := func(to *[]string, when bool, format string, args ...any) {
		if when {
			*to = append(*to, fmt.Sprintf(format, args...))
		}
	}
	say(&pins, m.CPUs != "", "fixture on CPU %s", m.CPUs) // other CPUs are assigned automatically
	say(&pins, m.Housekeeping != "", "moobench on CPU %s", m.Housekeeping)
	say(&words, m.Host != "", "meant for %s", m.Host)
	say(&words, m.Pool != "", "any machine of the pool %s", m.Pool)
	say(&words, m.PinPolicy != "", "%s (%s)", strings.Join(pins, ", "), m.PinPolicy)
	say(&words, c.QuietNS > 0, "waits up to %s for quiet", figure.Roughly(time.Duration(c.QuietNS)))
	say(&words, c.Repeat, "repeats what was disturbed")
	fmt.Fprintf(w, "  machine: %s\n", console.Visible(strings.Join(words, " · ")))
	for _, policy := range []results.Policy{results.PolicyRequire, results.PolicyTry, results.PolicyObserve} {
		var knobs []string
		for _, k := range c.Wishes {
			if k.Policy == policy {
				knobs = append(knobs, strings.TrimSpace(k.Name+" "+k.Wanted))
			}
		}
		if len(knobs) > 0 {
			fmt.Fprintf(w, "    %-7s  %s\n", policy, console.Visible(strings.Join(knobs, " · ")))
		}
	}
}

// writeFactors lists the JDKs if there are several, each scenario's factors, and the environment
// shared by its cells.
func (s *Session) writeFactors(w io.Writer) {
	var jdks []plan.JDK
	for _, c := range s.Plan.Cells {
		if c.JDK != (plan.JDK{}) && !slices.Contains(jdks, c.JDK) {
			jdks = append(jdks, c.JDK)
			fmt.Fprintf(w, "  JDK %s in %s\n", console.Visible(c.JDK.Version), console.Visible(c.JDK.Home))
		}
	}
	environment := plan.Environment()
	for _, scenario := range s.Plan.Campaign.Scenarios {
		var names []string
		values := map[string][]string{} // in the order of the cells
		for _, cell := range s.Plan.Campaign.Cells {
			if cell.Scenario != scenario.Label {
				continue
			}
			for _, v := range cell.Parameters {
				general := slices.ContainsFunc(environment, func(p results.Parameter) bool { return p.Name == v.Name })
				if (general || cell.Factor(v.Name) != "") && !slices.Contains(names, v.Name) {
					names = append(names, v.Name)
				}
				if text := v.Readable(); !slices.Contains(values[v.Name], text) {
					values[v.Name] = append(values[v.Name], text)
				}
			}
		}
		words := results.Each(names, func(name string) string { return name + " " + strings.Join(values[name], ", ") })
		if len(words) > 0 {
			fmt.Fprintf(w, "  %s: %s\n", console.Visible(scenario.Label), console.Visible(strings.Join(words, " · ")))
		}
	}
}

// writeQuestions lists the questions of benchmarks.toml as understood: what each compares, and how.
func writeQuestions(w io.Writer, c *results.Campaign) {
	head := "\nquestions\n"
	for _, s := range c.Scenarios {
		for _, q := range s.Questions {
			if !q.Asked {
				continue
			}
			metric := q.Metric
			if q.Quantile > 0 {
				metric = fmt.Sprintf("p%.4g of %s", 100*q.Quantile, metric)
			}
			text := fmt.Sprintf("%s: %s − %s, %s test, alpha %v",
				metric, c.Cell(q.A).Label(), c.Cell(q.B).Label(), q.Test, q.Alpha)
			if family, m := c.FamilyOf(q); m > 1 {
				text += fmt.Sprintf(" shared by the %d questions of family %s", m, family)
			}
			if q.Alternative != "" {
				text += ", expected to be " + q.Alternative
			}
			unit := ""
			if i := slices.IndexFunc(s.Metrics, func(m results.Metric) bool { return m.Name == q.Metric }); i >= 0 {
				unit = s.Metrics[i].Unit
			}
			switch m := q.Margin; {
			case m == nil:
			case m.Share == 0:
				text += ", margin " + figure.Quantity(m.Amount, unit)
			case m.Amount == 0:
				text += ", margin " + figure.Percent(m.Share)
			default:
				text += fmt.Sprintf(", margin %s (%s of a baseline below %s)",
					figure.Percent(m.Share), figure.Quantity(m.Amount, unit), figure.Quantity(m.ShareFrom, unit))
			}
			fmt.Fprintf(w, "%s  %s  %s\n      %s\n",
				head, console.Visible(q.ID), console.Visible(q.Text), console.Visible(text))
			head = ""
		}
	}
}

// writeCommands prints each variant's command line, once per garbage collector and per level of JVM
// options. Values known only when an invocation starts are in braces.
func (s *Session) writeCommands(w io.Writer) {
	fmt.Fprintln(w, "\ncommand lines")
	seen := map[string]bool{}
	for _, cell := range s.Plan.Cells {
		name := cell.Variant
		for _, factor := range []string{results.FactorGC, results.FactorJVM} {
			if value := cell.Factor(factor); value != "" {
				name += " " + factor + "=" + value
			}
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		line, _ := results.CutSecrets(run.CommandLine(cell, s.File.JVM.Args))
		fmt.Fprintf(w, "  %s\n    %s\n", console.Visible(name), console.Visible(strings.Join(line, " ")))
		for _, e := range cell.Launch.Env {
			fmt.Fprintf(w, "    with %s\n", console.Visible(e))
		}
	}
}
