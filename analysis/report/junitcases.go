package report

import (
	"strings"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// junitCases are the test cases of a scenario: its cells, its questions, its
// A/As, and what the gate judges. What is true of all its numbers stands in each.
func junitCases(a *analysis.Answers, s *analysis.Scenario, seconds map[string]float64) []junitCase {
	cases := junitCells(s, seconds)
	cases = append(cases, junitQuestions(s)...)
	cases = append(cases, junitSelfTests(s)...)
	cases = append(cases, junitGates(a.Gate, s)...)
	class, taken := strings.Trim(a.Campaign.Name+"."+s.Label, "."), distinct{}
	remarks := remarked(append(headTexts(a), s.Notes...))
	for i := range cases {
		cases[i].Class, cases[i].Name = class, taken.name(cases[i].Name, " #")
		cases[i].Out = strings.TrimSpace(cases[i].Out + "\n" + remarks)
	}
	return cases
}

// junitCells are the cells that are to be answered about; the A/A has cases of
// its own.
func junitCells(s *analysis.Scenario, seconds map[string]float64) []junitCase {
	var cases []junitCase
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		k := junitCase{Name: "measured: " + c.Label, Time: secondsText(seconds[c.ID]), Out: cellInWords(s, c)}
		if why := c.Unanswered(s.Primary); why != "" {
			k.Error = &junitOutcome{why, "no answer"}
		}
		cases = append(cases, k)
	}
	return cases
}

// cellInWords is the number of a cell in words, with its marks.
func cellInWords(s *analysis.Scenario, c *analysis.Cell) string {
	var lines []string
	m := primary(s)
	if a := metricOf(c, s.Primary); a != nil && c.Void == "" {
		switch {
		case a.Rate != nil:
			lines = append(lines, m.Name+" "+perMillion(a.Rate).String()+" per million "+m.Of)
		case a.Mean != nil:
			lines = append(lines, m.Name+" "+meanOf(a.Mean, m.Unit).String()+", n = "+count(a.Mean))
		}
		if a.Difference != nil {
			lines = append(lines, versus(s)+" "+difference(a.Difference, m.Unit).String())
		}
	}
	var marks []string
	for _, mark := range c.Marks {
		marks = append(marks, mark.Show+": "+mark.Text)
	}
	return strings.TrimSpace(strings.Join(lines, "\n") + "\n" + remarked(marks))
}

// remarked puts each text on a line of its own, behind the sign of a mark.
func remarked(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString("! " + t + "\n")
	}
	return b.String()
}

// junitQuestions are the questions, those of benchmarks.toml first.
func junitQuestions(s *analysis.Scenario) []junitCase {
	var cases []junitCase
	for _, q := range ordered(s.Answers) {
		k := junitCase{Name: q.Text, Out: strings.TrimSpace(q.Sentence.String() + "\n" + q.Detail)}
		if k.Name == "" {
			k.Name = q.ID
		}
		switch q.Verdict {
		case analysis.VerdictMore, analysis.VerdictLess, analysis.VerdictFree, analysis.VerdictSmall:
		case analysis.VerdictUndecided:
			k.Skipped = &junitOutcome{Message: q.Sentence.String()}
		default:
			k.Error = &junitOutcome{q.Sentence.String(), "no answer"}
		}
		cases = append(cases, k)
	}
	return cases
}

// junitSelfTests are the A/As.
func junitSelfTests(s *analysis.Scenario) []junitCase {
	var cases []junitCase
	for _, aa := range s.AA {
		k := junitCase{Name: strings.TrimSpace(aa.Name() + " " + aa.Level), Out: aa.Text.String()}
		switch aa.State {
		case analysis.AAFailed:
			k.Error = &junitOutcome{aa.Text.String(), "A/A failed"}
		case analysis.AATooFew:
			k.Skipped = &junitOutcome{Message: aa.Text.String()}
		}
		cases = append(cases, k)
	}
	return cases
}

// junitGates are the cells that the gate judges: what is worse is a failure, the
// only one that there is.
func junitGates(g *analysis.GateAnswer, s *analysis.Scenario) []junitCase {
	if g == nil || g.Gate.Scenario != s.Label {
		return nil
	}
	var cases []junitCase
	for _, c := range g.Cells {
		cases = append(cases, junitGate("gate: "+c.Label, c.Verdict, c.Sentence.String()))
	}
	if len(cases) == 0 {
		cases = append(cases, junitGate("gate", g.Verdict, g.Sentence.String()))
	}
	return cases
}

func junitGate(name string, v infer.Judgement, sentence string) junitCase {
	k := junitCase{Name: name, Out: sentence}
	switch v {
	case infer.Regression:
		k.Failure = &junitOutcome{sentence, "worse"}
	case infer.UndecidedYet:
		k.Skipped = &junitOutcome{Message: sentence}
	case infer.NotJudged:
		k.Error = &junitOutcome{sentence, "no answer"}
	}
	return k
}

// junitWhole asks whether every planned cell has an answer; an import has no plan.
func junitWhole(a *analysis.Answers) []junitCase {
	name := "every planned cell has an answer"
	if a.Campaign.Design == results.DesignUnordered {
		name = "every cell has an answer"
	}
	k := junitCase{
		Class: a.Campaign.Name, Name: name,
		Out: strings.TrimSpace(remarked(append(append(stampTexts(a), a.Unanswered...), a.Warnings...))),
	}
	if a.Incomplete() {
		k.Error = &junitOutcome{strings.Join(a.Unanswered, "; "), "incomplete"}
	}
	return []junitCase{k}
}
