package plan

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"moobench/results"
)

// lines is the plan in canonical form: one decision per line, general ones first, so that
// the first line that differs says what was changed.
func (p *Plan) lines() []string {
	lines := []string{fmt.Sprintf("seed %d", p.Campaign.Seed)}
	if p.only != "" {
		lines = append(lines, results.OnlyLine(p.only))
	}
	if p.Campaign.Control != nil {
		lines = append(lines, p.machineLine())
	}
	jvm := p.file.JVM
	if len(jvm.Homes) > 0 {
		lines = append(lines, "jvm: homes "+quoted(jvm.Homes))
	}
	lines = append(lines, fmt.Sprintf("jvm: home %q, args %s", jvm.Home, quoted(jvm.Args)))
	lines = append(lines, programLines(p.file)...)
	for _, s := range p.sections {
		limit := "derived"
		if s.Timeout > 0 {
			limit = s.Timeout.String()
		}
		lines = append(lines, fmt.Sprintf("scenario %q: use %q, blocks %d, resources %d, timeout %s, max_failures %d",
			s.Label, s.Use, s.Blocks, s.Resources, limit, s.MaxFailures))
	}
	for _, s := range p.Campaign.Scenarios {
		lines = append(lines, fmt.Sprintf("scenario %q: window %s, pool %q", s.Label, s.Window, s.Pool))
		if z := s.Sizing; z != nil {
			lines = append(lines, fmt.Sprintf("scenario %q: precision %v, pilot %d, max_blocks %d, max_time %s, strict %t",
				s.Label, z.Precision, z.Pilot, z.MaxBlocks, time.Duration(z.MaxTimeNS), z.Strict))
		}
	}
	for i := range p.Cells {
		lines = append(lines, cellLines(&p.Cells[i])...)
	}
	for _, s := range p.Campaign.Scenarios {
		for _, q := range s.Questions {
			lines = append(lines, questionLine(q))
		}
	}
	if p.Campaign.Gate != nil {
		lines = append(lines, gateLine(p.Campaign.Gate))
	}
	for _, b := range p.Campaign.Blocks {
		lines = append(lines, fmt.Sprintf("block %d: %s, %s: %s", b.Number, b.Kind, b.Profile, strings.Join(b.Order, " ")))
	}
	return lines
}

func questionLine(q results.Question) string {
	line := fmt.Sprintf("question %q: %q, %s - %s, family %q", q.ID, q.Metric, q.A, q.B, q.Family)
	if m := q.Margin; m != nil {
		line += fmt.Sprintf(", margin %v share %v from %v", m.Amount, m.Share, m.ShareFrom)
	}
	if q.Asked {
		line += fmt.Sprintf(", asked %q, quantile %v, test %s, alternative %q, alpha %v", q.Text, q.Quantile, q.Test, q.Alternative, q.Alpha)
	}
	return line
}

func cellLines(c *Cell) []string {
	head := fmt.Sprintf("cell %s: scenario %q, variant %q, %s", c.ID, c.Scenario, c.Variant, c.Role)
	if c.Baseline != "" {
		head += " of " + c.Baseline
	}
	lines := []string{head}
	add := func(format string, args ...any) {
		lines = append(lines, fmt.Sprintf("cell "+c.ID+": "+format, args...))
	}
	parameters := ""
	for _, v := range c.Parameters {
		parameters += fmt.Sprintf(" %s=%q", v.Name, v.Value)
	}
	add("parameters%s", parameters)
	l := c.Launch
	add("fixture %q, target %q, args %s", l.Fixture, l.Target, quoted(l.JVMArgs))
	if len(l.Env) > 0 {
		add("env %s", quoted(l.Env))
	}
	for _, a := range l.Artifacts {
		add("artifact %q, sha256 %s", a.Name, a.SHA256)
	}
	if v := c.Recipe; v.Receiver != "" || v.Activate != "" || v.Queue != 0 {
		add("receiver %q, activate %q, queue %d", v.Receiver, v.Activate, v.Queue)
	}
	if v := c.Recipe; v.Attach != "" || v.Deactivate != "" {
		add("attach %q, deactivate %q", v.Attach, v.Deactivate)
	}
	proof := ""
	if c.Proof.Source != "" {
		proof += fmt.Sprintf(", source %q", c.Proof.Source)
	}
	if c.Proof.Cell != "" {
		proof += ", by " + c.Proof.Cell
	}
	if c.Proof.Expected != 0 {
		proof += fmt.Sprintf(", expected %d", c.Proof.Expected)
	}
	add("proof %s%s", c.Proof.Kind, proof)
	return lines
}

func quoted(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = strconv.Quote(t)
	}
	return "[" + strings.Join(all, ", ") + "]"
}
