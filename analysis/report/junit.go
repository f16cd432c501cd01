package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

// junitSuites is the whole of a JUnit report.
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
	Timestamp string         `xml:"timestamp,attr,omitempty"`
	Host      string         `xml:"hostname,attr,omitempty"`
	Settings  []junitSetting `xml:"properties>property"`
	Cases     []junitCase    `xml:"testcase"`
}

// junitCounts count test cases; Time is in seconds.
type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

type junitSetting struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// junitCase is something that was to be found out; without Failure, Error and
// Skipped it has passed.
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

// JUnit prints the answers as a JUnit report: a suite for each scenario, in it a
// test case for each cell, question, A/A and judgement of the gate. What the
// gate says is worse is a failure, a cell without an answer an error; what is
// undecided is skipped, with what could have been found.
func JUnit(w io.Writer, a *analysis.Answers) error {
	all, seconds, sum := junitSuites{Name: a.Campaign.Name}, secondsByCell(a), 0.0
	for i := range a.Scenarios {
		s, took := &a.Scenarios[i], 0.0
		for _, c := range s.Cells {
			took += seconds[c.ID]
		}
		sum += took
		all.add(newJUnitSuite(a, s.Label, junitCases(a, s, seconds), took))
	}
	all.add(newJUnitSuite(a, "campaign", junitWhole(a), 0))
	all.Time = secondsText(sum)
	all.clean()
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("writing answers as JUnit XML: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

// clean makes what does not print visible in all texts.
func (all *junitSuites) clean() {
	texts := []*string{&all.Name}
	for i := range all.Suites {
		s := &all.Suites[i]
		texts = append(texts, &s.Name, &s.Host)
		for k := range s.Cases {
			c := &s.Cases[k]
			texts = append(texts, &c.Class, &c.Name, &c.Out)
			for _, o := range []*junitOutcome{c.Failure, c.Error, c.Skipped} {
				if o != nil {
					texts = append(texts, &o.Message)
				}
			}
		}
	}
	for _, t := range texts {
		*t = doc.CleanLines(*t)
	}
}

// add adds a suite and its counts.
func (all *junitSuites) add(s junitSuite) {
	all.Tests += s.Tests
	all.Failures += s.Failures
	all.Errors += s.Errors
	all.Skipped += s.Skipped
	all.Suites = append(all.Suites, s)
}

// newJUnitSuite counts the cases of a suite, whose invocations took so many
// seconds.
func newJUnitSuite(a *analysis.Answers, name string, cases []junitCase, seconds float64) junitSuite {
	s := junitSuite{Name: name, Settings: junitSettings(a), Cases: cases}
	s.Tests, s.Time = len(cases), secondsText(seconds)
	for _, c := range cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
	if start := a.Campaign.Start; start != nil && !start.IsZero() {
		s.Timestamp = start.UTC().Format("2006-01-02T15:04:05")
	}
	if len(a.Machines) > 0 && a.Machines[0] != nil {
		s.Host = a.Machines[0].Host
	}
	return s
}

// junitSettings say where the answers come from.
func junitSettings(a *analysis.Answers) []junitSetting {
	var all []junitSetting
	for _, p := range provenance(a) {
		all = append(all, junitSetting{p.name, p.value})
	}
	return all
}

// secondsByCell is the wall time of all invocations of each cell.
func secondsByCell(a *analysis.Answers) map[string]float64 {
	seconds := map[string]float64{}
	for _, i := range a.Invocations {
		if i.Start != nil && i.End != nil {
			seconds[i.Cell] += max(0, i.End.Sub(*i.Start).Seconds())
		}
	}
	return seconds
}

func secondsText(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
