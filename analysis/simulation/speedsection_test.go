package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// pairsDocument is the number of pairs of whole campaigns, each analysed and compared, in a row of the document.
// With 2,000, a share of 5 % would have a margin of error of 1 %; with these it is 0.4 %.
const pairsDocument = 10_000

// pairsSection is the section on identical campaigns on machines whose speed wanders.
func pairsSection(effort) string {
	var s strings.Builder
	fmt.Fprintf(&s, pairsHow, pairsDocument, standardNS/1000)
	s.WriteString(pairHead)
	for k, row := range pairRows {
		s.WriteString(row.line(pairsOf(row, pairStream+uint64(k), pairsDocument)))
	}
	s.WriteString(pairsSay)
	return s.String()
}

const pairsHow = `%d pairs of campaigns of each row, made up, analysed and compared as by ` + "`moobench compare`" + `: an unmonitored program of 40 ns, a second one, and a variant that adds 660 ns, in eight blocks of random order.
Nothing changes between the two campaigns of a pair but the speed of the CPU and chance. The reference takes %.0f µs at the standard speed. The logarithm of the speed has a standard deviation of 10 %% between campaigns and of 10 %% between JVMs, JVMs of one program differ by 4.4 %% at one speed, and what a call takes follows the reference to the power of its program's elasticity, which is drawn from N(1, 0.2²) for each pair and program. Each row differs from the first in what it names. Rows with an elasticity have that of the variant; their baseline follows the reference as it is.
The four rows that name what differs between JVMs and blocks are of another program: 40 + 600 ns, an elasticity of .8, JVMs that differ by 0.5 %% at one speed, no difference between campaigns but chance.

In %% of the pairs: told apart by the verdict, a change whose interval leaves 0 out, no answer because a campaign's reference counts as touched. In %% of the campaigns: the interval of the cost holds what the variant costs at the speed that the campaign ran at, and that at the standard speed, which is told where the two are within 35 %%. Width: that of the interval as it ran over that of the plain t interval of what was measured, with the factor for neighbours that are alike, and without.

`

const pairsSay = `
Programs that follow the speed as most do are told apart in 1 to 3 pairs of a hundred, however much speeds differ, and in 4.5 where the reference has two modes of its own; 5.5 were wanted. It is less than 5 because the prior leaves room for programs unlike most, and because few blocks make the factor for neighbours too large. So are programs of .45, .6, 1.3 and 1.8 (7 wanted), as long as the campaign tells how they follow. Where JVMs met nearly one speed, and five blocks say nothing of the elasticity, the prior decides: one of 1.8, which it takes for rare, is then told apart in 16 pairs of a hundred, one of .45 in 6, and the cost at the standard speed of the former is in its interval 88 times. No campaign knows by itself that its program is so.
Neighbours that are alike (AR .25) are told apart in 4 to 6 pairs (8.5 wanted), and their intervals hold the cost in 91 and 92 of a hundred: eight values hardly tell that they are. A factor without shrinking would make that 92.2 at 8 blocks and 92.9 at 23, and intervals 15 and 9 % too wide where no neighbours are alike. JVMs in two modes are held in 93: the plain t of eight such values holds 92.9. All other intervals as they ran hold 94.7 to 96.4, at the standard 94 to 98.
On a machine at rest the interval is as wide as the plain t, and 6 % wider with the factor (2 and 8 wanted). Where the speed wanders it is half as wide, or an eighth where JVMs of the program hardly differ otherwise. Where a call hardly follows the reference (.2) it is 4 % wider, and 2 % narrower without the factor: adjusting does not help, and costs nothing.
A pair has no answer when one of its campaigns carries no cost, because its reference seems touched: by chance in one campaign of a hundred, and never on a machine at rest.

*What was not shown.* A speed that changes inside a JVM, whose mean is not all that matters; an elasticity that is another one at another speed, or a JVM's own; what campaigns differ by at one speed, of which these have nothing, and real ones 0.5 % and more (` + "`analysis/compare`" + ` has seven of them); the looser priors of start-up and p99 (p50 and p90 are compared by the same rule, and ` + "`TestQuantilePairs`" + ` counts them); variants of unlike noise in one family; a standard speed that is more than 35 % away, at which nothing is told.
`

// growingSection is the section on what grows there.
func growingSection(effort) string {
	var s strings.Builder
	fmt.Fprintf(&s, growingHow, growingDocument)
	s.WriteString(growingHead)
	for k, row := range growingRows {
		s.WriteString(row.line(growingRates(row, growingStream+uint64(k), growingDocument)))
	}
	s.WriteString(growingSay)
	return s.String()
}

// growingDocument is how many campaigns of 180 JVMs the rows of what grows have.
const growingDocument = 1000

const growingHow = `%d campaigns of each row: a line of 40 + 600 n ns at six levels n = 1 … 6, each with baselines of its own, in ten blocks. The first row is of the machine and the programs above, the others of the elasticity .8. In %% of the campaigns: the interval of the slope holds the growth at the speed that the campaign ran at, that of a question between the sixth and the first level holds their difference, and the line is called faster than linear or other.

`

const growingSay = `
All levels are carried to one speed, so that what lies between them is as sure as blocks make it. Where JVMs scatter by 4.4 %, little is shown of a line but that it grows, and two tests of 5 % each, of a bend and of means that lie off it, call it something else now and then: on a machine at rest, too, in 9 of a hundred.
`

// touchedSection is the section on references that a variant touches.
func touchedSection(effort) string {
	var s strings.Builder
	fmt.Fprintf(&s, touchedHow, touchedDocument)
	s.WriteString("| The reference beside the variant |")
	for _, c := range touchedColumns {
		s.WriteString(" " + c + " |")
	}
	s.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(touchedColumns)) + "\n")
	for k, row := range touchedRows {
		s.WriteString(row.line(touchedRates(row, touchedStream+uint64(k), touchedDocument)))
	}
	s.WriteString(touchedSay)
	return s.String()
}

// touchedDocument is how many the rows about touched references have: wrong verdicts of a gate
// are one in a hundred.
const touchedDocument = 10_000

const touchedHow = `%d campaigns of each row and kind, of ten blocks: a program of 1 µs and a variant of it, both of an elasticity of .8, JVMs that differ by 0.5 %% at one speed, speeds that differ by 5 %% between JVMs and 3 %% between blocks; on a quiet machine by 0.1 %%. What the variant does makes the reference beside it faster or slower, and its calls not. Where its core is slowed its calls are slowed, too, which is what it costs.
In %% of the campaigns of a variant that takes exactly 1 %% more, or whose core is slowed: it is said to lie within the limit of 1 %% (nominal 5 at most), a gate with that limit and alpha .01 passes it (1), or says worse (1; of a slowed core that is right, and not counted). In %% of those of a variant that is free: a difference is shown (5), and what is right: it lies within the limit, the gate passes it.

`

const touchedSay = `
A variant that moves the reference by τ moves its own cost by τ times the elasticity. On a machine at rest that is seen, and nothing is carried. Where the speed wanders by 5 %, ten blocks can't see it, nor 23; verdicts leave room for what they do not show, and are as seldom wrong as they are said to be. That is paid for: there, such blocks show neither that a free variant costs less than 1 %, nor that it costs anything, and a gate with a limit of 1 % stays open. Where turns of JVMs showed beforehand to 0.2 % (one standard error) that the variant leaves the reference alone, they do. b is the end of an interval that one campaign in twenty exceeds, so that a gate at .01 passes a little more than one in a hundred of what 23 blocks of a shift of 3 % can't show. Without room, equivalence, gate and difference are wrong of a shift of 1 to 3 % in most of these campaigns. Printed intervals have no room: they are about calls at the speed that the reference shows.

*What was not shown.* A variant that touches its baseline's reference, too, as work left behind does; one whose doing grows with the speed.
`

// Random numbers of each table are its own.
const (
	pairStream     = 2000
	growingStream  = 2100
	touchedStream  = 2200
	quantileStream = 2300
	twoStream      = 2400
)

// TestSpeedDocument: the document has the rows that are simulated, and says how often.
func TestSpeedDocument(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		fmt.Sprintf("\n%d pairs of campaigns", pairsDocument), fmt.Sprintf("\n%d campaigns of each row: a line", growingDocument),
		fmt.Sprintf("\n%d campaigns of each row and kind", touchedDocument),
	}
	for _, row := range pairRows {
		want = append(want, "| "+row.name+" |")
	}
	for _, row := range growingRows {
		want = append(want, "| "+row.name+" |")
	}
	for _, row := range touchedRows {
		want = append(want, "| "+row.name+" |")
	}
	for _, w := range want {
		if !*update && !strings.Contains(string(text), w) {
			t.Errorf("%s does not say %q: write it anew with -run TestCoverageSections -update -section HEADING", document, strings.TrimSpace(w))
		}
	}
}
