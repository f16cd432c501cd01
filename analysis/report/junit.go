package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// junitSuites is a whole JUnit report.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

// junitSuite is one scenario, or the campaign as a whole.
type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Host      string      `xml:"hostname,attr,omitempty"`
	Settings  []fact      `xml:"properties>property"`
	Cases     []junitCase `xml:"testcase"`
}

// junitCounts count test cases; Time is in seconds.
type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

// junitCase is one test case; without Failure, Error and Skipped it has passed.
type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr,omitempty"` // seconds
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

// writeJUnit prints the answers as a JUnit report: a suite for each scenario, with a test case for each cell,
// question, A/A and judgement of the gate. A regression at the gate is a failure, a cell without an answer an
// error; undecided cases are skipped, with the effect that could have been found.
func writeJUnit(w io.Writer, a *analysis.Answers, _ Options) error {
	seconds := map[string]float64{} // wall time by cell, over all invocations
	for _, i := range a.Invocations {
		if i.Start != nil && i.End != nil {
			seconds[i.Cell] += max(0, i.End.Sub(*i.Start).Seconds())
		}
	}
	all, sum := junitSuites{Name: doc.CleanLines(a.Campaign.Name)}, 0.0
	for _, s := range a.Scenarios {
		took := 0.0
		for _, c := range s.Cells {
			took += seconds[c.ID]
		}
		sum += took
		all.add(a, s.Label, junitCases(a, &s, seconds), took)
	}
	// This case says whether every planned cell has an answer; an import has no plan. A change since the
	// campaign was sealed is among its warnings.
	texts := slices.DeleteFunc(headTexts(a), func(text string) bool { return text == a.Changed })
	whole := junitCase{Class: a.Campaign.Name, Name: "every planned cell has an answer"}
	whole.Out = strings.TrimSpace(strings.Join(behind("! ", slices.Concat(texts, a.Unanswered, a.Warnings)), "\n"))
	if a.Campaign.Design.Imported() {
		whole.Name = "every cell has an answer"
	}
	if a.Incomplete() {
		whole.Error = &junitOutcome{strings.Join(a.Unanswered, "; "), "incomplete"}
	}
	all.add(a, "campaign", []junitCase{whole}, 0)
	all.Time = secondsText(sum)
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing answers as JUnit XML: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

// add adds a suite of cases whose invocations took so many seconds. Unprintable characters are made visible in
// all texts.
func (all *junitSuites) add(a *analysis.Answers, name string, cases []junitCase, seconds float64) {
	s := junitSuite{Name: doc.CleanLines(name), Cases: cases}
	s.Tests, s.Time = len(cases), secondsText(seconds)
	for i := range cases {
		c := &cases[i]
		c.Class, c.Name, c.Out = doc.CleanLines(c.Class), doc.CleanLines(c.Name), doc.CleanLines(c.Out)
		for o, n := range map[*junitOutcome]*int{c.Failure: &s.Failures, c.Error: &s.Errors, c.Skipped: &s.Skipped} {
			if o != nil {
				o.Message = doc.CleanLines(o.Message)
				*n++
			}
		}
	}
	s.Settings = provenance(a)
	s.Timestamp = moment(a.Campaign.Start, "2006-01-02T15:04:05")
	if len(a.Machines) > 0 {
		s.Host = doc.CleanLines(a.Machines[0].Host)
	}
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
	all.Suites = append(all.Suites, s)
}

func secondsText(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// junitCases are the test cases of a scenario: its cells, its questions, with those of benchmarks.toml first,
// its A/As, and the gate's cells. Notes on all its numbers are in each.
func junitCases(a *analysis.Answers, s *analysis.Scenario, seconds map[string]float64) []junitCase {
	var cases []junitCase
	for _, c := range s.Cells {
		if c.Role == results.RoleAA {
			continue // it has cases of its own
		}
		k := junitCase{Name: "measured: " + c.Label, Time: secondsText(seconds[c.ID]), Out: cellInWords(s, &c)}
		if why := c.Unanswered(s.Primary); why != "" {
			k.Error = &junitOutcome{why, "no answer"}
		}
		cases = append(cases, k)
	}
	for _, q := range s.Answers {
		said := q.Sentence.String()
		k := junitCase{Name: cmp.Or(q.Text, q.ID), Out: strings.TrimSpace(said + "\n" + q.Detail)}
		switch q.Verdict {
		case infer.Higher, infer.Lower, infer.Equivalent, infer.Negligible:
		case infer.Undecided:
			k.Skipped = &junitOutcome{Message: said}
		default:
			k.Error = &junitOutcome{said, "no answer"}
		}
		cases = append(cases, k)
	}
	for _, aa := range s.AA {
		k := junitCase{Name: strings.TrimSpace(aa.Name() + " " + aa.Level), Out: aa.Text.String()}
		switch aa.State {
		case analysis.AAFailed:
			k.Error = &junitOutcome{k.Out, "A/A failed"}
		case analysis.AATooFew:
			k.Skipped = &junitOutcome{Message: k.Out}
		}
		cases = append(cases, k)
	}
	if a.Gate != nil && a.Gate.Gate.Scenario == s.Label {
		cases = append(cases, junitGate(a.Gate)...)
	}
	for _, r := range a.OwnRows(s, nil) {
		if r.Estimate == nil {
			continue
		}
		value := doc.Quantity(r.Estimate, r.Unit).String()
		cases = append(cases, junitCase{Name: r.Label + ": " + r.Name(), Out: r.About + ": " + value})
	}
	class, taken := strings.Trim(a.Campaign.Name+"."+s.Label, "."), distinct{}
	remarks := strings.Join(behind("! ", append(headTexts(a), s.Notes...)), "\n")
	for i := range cases {
		cases[i].Class, cases[i].Name = class, taken.name(cases[i].Name, " #")
		cases[i].Out = strings.TrimSpace(cases[i].Out + "\n" + remarks)
	}
	return cases
}

// cellInWords is a cell's number in words, with its caveats.
func cellInWords(s *analysis.Scenario, c *analysis.Cell) string {
	var lines []string
	m, a := primary(s), metricOf(c, s.Primary)
	switch {
	case c.Invalid != "":
	case a.Rate != nil:
		lines = append(lines, m.Name+" "+perMillion(a.Rate).String()+" per million "+m.Of)
	case a.Mean != nil:
		lines = append(lines, m.Name+" "+doc.Mean(a.Mean, m.Unit).String()+", n = "+doc.Count(a.Mean))
	}
	if c.Invalid == "" && a.Difference != nil {
		lines = append(lines, versus(s)+" "+doc.Difference(a.Difference, m.Unit).String())
	}
	marks := each(c.Marks, func(m analysis.Mark) string { return "! " + m.Show + ": " + m.Text })
	return strings.Join(append(lines, marks...), "\n")
}

// junitGate are the test cases of the gate. A regression is a failure, the only kind of failure in the report.
func junitGate(g *analysis.GateAnswer) []junitCase {
	judged := g.Cells
	if len(judged) == 0 {
		judged = []analysis.GateCell{{Verdict: g.Verdict, Sentence: g.Sentence}}
	}
	return each(judged, func(c analysis.GateCell) junitCase {
		k := junitCase{Name: "gate" + prefixed(": ", c.Label), Out: c.Sentence.String()}
		if c.Limit != nil {
			k.Name += ", " + c.Limit.Metric
		}
		if c.Limit != nil && c.Limit.Alarm && c.Verdict != infer.Regression { // an alarm counts only as a regression
			return k
		}
		switch c.Verdict {
		case infer.Regression:
			k.Failure = &junitOutcome{k.Out, string(c.Verdict)}
		case infer.UndecidedYet:
			k.Skipped = &junitOutcome{Message: k.Out}
		case infer.NotJudged:
			k.Error = &junitOutcome{k.Out, "no answer"}
		}
		return k
	})
}
