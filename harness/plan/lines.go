package plan

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moobench/results"
)

// lines are the decisions of a plan, one per line.
type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

// also formats an optional part of a line; "" unless there.
func also(there bool, format string, args ...any) string {
	if !there {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// lines returns the plan in canonical form: one decision per line, general ones first, so that
// the first line that differs shows what has changed.
func (p *Plan) lines() []string {
	var l lines
	l.add("seed %d", p.Campaign.Seed)
	if p.only != "" {
		l.add("%s", results.OnlyLine(p.only))
	}
	if p.Campaign.Control != nil {
		m := p.file.Machine
		quiet := time.Duration(p.Campaign.Control.QuietNS)
		line := fmt.Sprintf("machine: profile %s, wait_until_quiet %s", m.Profile, quiet)
		line += also(m.Host != "", ", host %q", m.Host)
		line += also(m.Pool != "", ", pool %q", m.Pool)
		line += also(m.PinPolicy != "", ", pin cpus %q, housekeeping %q, %s", m.CPUs, m.Housekeeping, m.PinPolicy)
		for _, k := range m.Knobs {
			line += ", " + k.Name + also(k.Wanted != "", " %q", k.Wanted) + " " + string(k.Policy)
		}
		l.add("%s", line)
	}
	jvm := p.file.JVM
	if len(jvm.Homes) > 0 {
		l.add("jvm: homes %s", quoted(jvm.Homes))
	}
	l.add("jvm: home %q, args %s", jvm.Home, quoted(jvm.Args))
	l.addPrograms(p.file)
	for _, s := range p.sections {
		timeout := cmp.Or(also(s.Timeout > 0, "%s", s.Timeout), "derived")
		l.add("scenario %q: use %q, blocks %d, resources %d, timeout %s, max_failures %d",
			s.Label, s.Use, s.Blocks, s.Resources, timeout, s.MaxFailures)
	}
	for _, s := range p.Campaign.Scenarios {
		l.add("scenario %q: window %s, pool %q", s.Label, s.Window, s.Pool)
		if z := s.Settling; z != nil {
			l.add("scenario %q: %s auto, settle_within %s", s.Label, z.Parameter, time.Duration(z.WithinNS))
		}
		if z := s.Sizing; z != nil {
			l.add("scenario %q: precision %v, pilot %d, max_blocks %d, max_time %s, strict %t",
				s.Label, z.Precision, z.Pilot, z.MaxBlocks, time.Duration(z.MaxTimeNS), z.Strict)
		}
	}
	if f := p.Campaign.Frozen; f != nil {
		l.addFrozen(f)
	}
	for i := range p.Cells {
		l.addCell(&p.Cells[i])
	}
	for _, s := range p.Campaign.Scenarios {
		for _, q := range s.Questions {
			m := cmp.Or(q.Margin, &results.Margin{})
			l.add("question %q: %q, %s - %s, family %q%s%s", q.ID, q.Metric, q.A, q.B, q.Family,
				also(q.Margin != nil, ", margin %v share %v from %v", m.Amount, m.Share, m.ShareFrom),
				also(q.Asked, ", asked %q, quantile %v, test %s, alternative %q, alpha %v",
					q.Text, q.Quantile, q.Test, q.Alternative, q.Alpha))
		}
	}
	if g := p.Campaign.Gate; g != nil {
		l.add("gate: scenario %q, %q, worse_by %v, alpha %v, reference %q%s%s",
			g.Scenario, g.Metric, g.WorseBy, g.Alpha, g.Reference,
			also(len(g.Variants) > 0, ", variants %s", quoted(g.Variants)), also(g.Host != "", ", host %q", g.Host))
		for _, limit := range g.Also {
			l.add("gate: %q, worse_by %v%s", limit.Metric, limit.WorseBy, also(limit.Alarm, ", alarm"))
		}
	}
	for _, b := range p.Campaign.Blocks {
		l.add("block %d: %s, %s: %s", b.Number, b.Kind, b.Profile, strings.Join(b.Order, " "))
	}
	return l
}

// addFrozen adds the decisions of earlier pilots.
func (l *lines) addFrozen(f *results.Frozen) {
	l.add("frozen: no pilot")
	for _, s := range f.Scenarios {
		l.add("scenario %q: frozen at %d blocks", s.Scenario, s.Blocks)
		if s.Calls == nil {
			continue
		}
		for _, g := range s.Calls.Groups {
			cells := results.Each(g.Cells, func(c results.SettledCell) string { return c.Cell })
			l.add("scenario %q: frozen at %d calls of %s", s.Scenario, g.Calls, strings.Join(cells, " "))
		}
	}
}

func (l *lines) addCell(c *Cell) {
	add := func(format string, args ...any) { l.add("cell "+c.ID+": "+format, args...) }
	add("scenario %q, variant %q, %s%s", c.Scenario, c.Variant, c.Role, also(c.Baseline != "", " of %s", c.Baseline))
	text := func(v results.Value) string { return fmt.Sprintf(" %s=%q", v.Name, v.Value) }
	add("parameters%s", strings.Join(results.Each(c.Parameters, text), ""))
	add("fixture %q, target %q, args %s", c.Launch.Fixture, c.Launch.Target, quoted(c.Launch.JVMArgs))
	if len(c.Launch.Env) > 0 {
		add("env %s", quoted(c.Launch.Env))
	}
	for _, a := range c.Launch.Artifacts {
		add("artifact %q, sha256 %s", a.Name, a.SHA256)
	}
	if v := c.Recipe; v.Receiver != "" || v.Activate != "" || v.Queue != 0 {
		add("receiver %q, activate %q, queue %d", v.Receiver, v.Activate, v.Queue)
	}
	if p := c.Recipe.Prepare; p.Of != "" {
		add("prepare %q by %s, holds %s", p.Of, quoted(p.Run), quoted(p.Holds))
	}
	if v := c.Recipe; v.Attach != "" || v.Deactivate != "" {
		add("attach %q, deactivate %q", v.Attach, v.Deactivate)
	}
	for i, r := range c.Recipe.Recorded() {
		p := c.Proofs()[i]
		told := r.Proof.Told
		add("proof %s%s%s%s%s%s%s", p.Kind,
			also(p.Variant != "", " of %s", p.Variant),
			also(p.Source != "", ", source %q", p.Source),
			also(len(told) > 0, ", told %q", told),
			also(p.Cell != "", ", by %s", p.Cell),
			also(p.Expected != 0, ", expected %d", p.Expected),
			also(p.Fault != "", ", its receiver is to %s", p.Fault))
	}
}

// quoted quotes texts and removes likely secrets: a plan is stored and shown.
func quoted(texts []string) string {
	texts, _ = results.CutSecrets(texts)
	return "[" + strings.Join(results.Each(texts, strconv.Quote), ", ") + "]"
}
