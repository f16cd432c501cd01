package simulation

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "simulate at length and write COVERAGE.md")

const document = "COVERAGE.md"

// heading says how the numbers of the document were made.
func heading(e effort) string {
	return fmt.Sprintf("Seed %d, %d replicates of each row; bootstraps %d replicates of %d resamples each.",
		seed, e.replicates, e.costly, e.resamples)
}

// report is the document.
func report(e effort) string {
	var s strings.Builder
	fmt.Fprintf(&s, `# How often the intervals hold the truth

Made by `+"`go test ./analysis/simulation -run TestCoverage -update`"+`. %s

An interval at 95 %% should hold the truth in 95 of 100 campaigns; a rate counted in %d replicates is uncertain by %.1f points (two standard errors).
One JVM runs %d iterations, each with a standard deviation of %.0f %%. "JVM sd" is the effect that all iterations of one JVM share.
AR .6 is the correlation of neighbouring iterations; a spike hits one iteration in 200 and adds five times its duration on average. Block drift moves all invocations of a block together.
A bimodal JVM is slower by 3 %% in three of ten starts. The baseline takes 1 µs and the true overhead is %.0f %%, that is %.0f ns.

## Coverage in %%, nominal 95

%s
"Last loop, z" is MooBench's arithmetic: the last JVM of each cell, its iterations taken for independent, mean ± 1.96 s/√n. Only without a JVM effect and correlation does it hold.
Welch's interval ignores the blocks and is needlessly wide when they drift. The percentile bootstrap is there for contrast; the studentised one is offered from eight blocks on, and is too narrow where few JVMs are far off.
Five JVMs that nearly all are in one of two modes make t intervals too wide, not too narrow, and false alarms rarer.

## False alarms of the A/A in %%

%s
"Stamped" is the product's rule: a campaign fails when the smallest Holm-adjusted p over all its A/As is below .01; at most 1.5 %% of healthy campaigns should. One A/A looked at after each block from 5 to 30 (%s) has a p below .05 at least once in %s %%.
`,
		heading(e), e.replicates, 200*seOf(e.replicates), iterations, 100*noise, 100*overhead, overhead*baseline,
		coverageTable(coverage(e)), alarmTable(falseAlarms(e)), normal.name, peeking(e))
	return s.String()
}

// sizedSection is the section on campaigns that a pilot decides on.
func sizedSection(e effort) string {
	return sizingTable(sizing(e)) + `
Two stages: a pilot of ten blocks decides once (half-width 2 % of the cell's own mean, as estimated), and the interval takes the larger standard deviation, the pilot's or that of all blocks, with nine degrees of freedom. The pilot's alone (Stein 1945) is exact of normal values only. What remains is a mode of few JVMs that did not occur, or not often enough, in all blocks of a campaign: no interval of values that were seen holds it. Stopping when reached: the ordinary interval, looked at after each block from the fifth.
Of four variants (0, 13, 100 and 4,900 % overhead) all intervals have to hold at once, each at 1 - .05/4. "Blocks" is the average number.
`
}

// disturbedSection is the section on disturbed invocations that were repeated.
func disturbedSection(e effort) string {
	return repeatTable(repeating(e.costly)) + fmt.Sprintf(`
%d campaigns of each row, of %d blocks and one extra block for four of them at most; %s; two variants that cost %.0f %%, whose intervals have to hold at once. Bias and half-width are those of the variant that disturbs itself where one does, in ns: its mean error, and the mean half of its interval.
All completed invocations count. What a variant does to itself is a part of its cost, and leaving it out flatters it; what hits all cells alike makes the interval wider when it stays in, and no less right. The answer without the disturbed ones stands in the JSON and in the details, and above the table where its verdict is another one.
`, e.costly, repeatBlocks, drifty.name, 100*overhead)
}

// TestCoverageDocument writes the document when asked to, and else makes sure that it
// tells of this simulation.
func TestCoverageDocument(t *testing.T) {
	if *update && *chosen != "" {
		return // TestCoverageSections does it
	}
	if *update {
		all := with(report(long()), long(), func(section) bool { return true })
		if err := os.WriteFile(document, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{heading(long()), "True overhead is " + fmt.Sprintf("%.0f %%", 100*overhead)} {
		if !strings.Contains(strings.ToLower(string(text)), strings.ToLower(want)) {
			t.Errorf("%s does not say %q: write it anew with go test ./analysis/simulation -run TestCoverage -update", document, want)
		}
	}
	for _, v := range visitors {
		if !strings.Contains(string(text), "| "+v.name+" |") {
			t.Errorf("%s has no row of %s", document, v.name)
		}
	}
	for _, c := range cases {
		if !strings.Contains(string(text), fmt.Sprintf("| %d | %s |", c.blocks, c.machine.name)) {
			t.Errorf("%s has no row of %d blocks, %s", document, c.blocks, c.machine.name)
		}
	}
}

// BenchmarkCoverage prints the document of a long simulation.
func BenchmarkCoverage(b *testing.B) {
	for range b.N {
		fmt.Println(report(long()))
	}
}
