package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const historyDocument = "../HISTORY.md"

// historyHeading says how the numbers of the document were made.
func historyHeading(v vigil) string {
	return fmt.Sprintf("Seed %d, %d series of %d nights without change and %d changes of each kind of nights", seed, v.histories*v.series, v.nights, v.steps)
}

// historyFile describes history.jsonl.
const historyFile = `# The file history.jsonl

One record a line, as JSON. Lines are only ever added; their order does not matter, and a
line that is there twice counts once. Two branches are merged by keeping the lines of
both: put "history.jsonl merge=union" into .gitattributes. A line that can't be read is
left out with a warning. Keys may be added within a format, and no meaning changes: skip
what you don't know.

Each record has "format" (1), "kind", and under the name of its kind what it says:

- "night": a series in one night. "id" is the night's, the same for all series of one
  campaign; "when" its first invocation began; "commit" of what was measured; "folder" the
  campaign's; "plan" a hash of what was asked of subject and machine (nights of unlike
  plans are not compared); "moobench" the version; "unit" of "raw" and "reference_raw",
  the means of the cell and of the reference; "better" (lower, higher, neither); "aa" of
  the second baseline; "log" the mean over "n" blocks of log(cell/reference), "se" its
  standard error, "df" the degrees of freedom of that; "artifacts" ("name", "sha256") that
  went into the cell; "marks" of what spoils the value. A night with the mark "A/A failed"
  or "void" is kept, and not judged.
- "confirmation": an alarm that was measured again. "night" raised it; "against" is the
  night that old is of; "when"; "old_commit" and "new_commit"; "folder" of the campaign;
  "log" the mean of log(new/old) over "n" blocks, "low" and "high" its interval at 1 -
  "alpha"; "verdict" (confirmed, refuted, open) and "because", in words.
- "acceptance": a change that is the new normal. "night" is the first of the new level;
  "when"; "why".

All three name their series: "campaign", "scenario", "cell" (the variant with its factor
level), "metric", "reference" (the variant that the cell is compared with, in the same
blocks), "machine", "runtime". Nights that differ in one of these are other series.
`

// historyReport is the document.
func historyReport(v vigil) string {
	var s strings.Builder
	s.WriteString(historyFile)
	fmt.Fprintf(&s, `
# How well it is judged

Made by `+"`go test ./analysis/simulation -run TestHistoryDocument -timeout 0 -update`"+`. %s. How nights are judged is METHOD.md, section %s.

A night is %d blocks; two invocations of one block differ by %.0f %% (standard deviation of the logarithm of their ratio), and the night's mean ratio, all told, by %.0f %% from night to night.
In %q neighbouring nights are correlated by one half. In %q the whole machine walks by 1 %% a night; both the cell and the reference walk with it, and a tenth of it is made to stay in the ratio all the same. In %q the nights that are off are so by themselves, in either direction.

Each night the history is checked, and what is suspected or detected for the worse is measured again the same night: old and new in %d fresh randomised blocks, at an alpha of %.2f; a change of less than %.0f %% is not confirmed (history.Settle). Assumed of that: its blocks scatter by the same %.0f %% as those of a night, and nothing of what differs between nights is in it, because old and new stand in the same blocks.
The other columns judge the same nights by their raw values: a fixed ratio to the night before, as tools do that keep one number per commit, and t tests at 5 %% that take nights for independent. Only a rise counts.

## A year of %d nights without change

%s
"Measured again" is how often one series is, in these nights. "Failed falsely" is the share of series, in %%, of which a check ever fails; "expected" follows from the times that they are measured again, each of which confirms what is not there with a chance of %.1e. It is the steadier figure, since so few fail. The others are the share of series with an alarm, in %%, and in brackets the number of nights with one, of each series. %d series of each row, in histories of %d.

## A change of %.0f %%

%s
In %%: the change is confirmed, and the check fails of it, so many nights after it at the latest, the night of the change being the first; of the others, an alarm in one of the five nights. The change is in one of so many series, after 30 to 79 nights without; p values are adjusted over all series, so that more of them make it harder.

## What to read in it

A fixed ratio has no level: whether 1.05 is much depends on the noise, which it does not know. Where nights differ by %.0f %%, two nights in a row differ by more than 5 %% again and again, and a ratio of 2.00 is silent of what matters, too. A t test at 5 %% raises a false alarm one night in forty by design, and looks every night; correlated nights and a machine that drifts make it worse. Measuring again is what makes the difference: a suspicion costs some minutes of measuring, and nobody's sleep.
`,
		historyHeading(v), methodSection, nightBlocks, 100*blockSD, 100*nightSD, alike.name, drifting.name, stormy.name,
		nightBlocks, confirmAlpha, 100*leastChange, 100*blockSD, v.nights, silenceTable(silences(v)), falselyConfirmed(), v.histories*v.series, v.series,
		100*nightStep, findTable(findings(v)), 100*nightSD)
	return s.String()
}

// methodSection of METHOD.md is on history.
const methodSection = "19"

// TestHistoryDocument writes the document when asked to, and else makes sure that
// it tells of this simulation.
func TestHistoryDocument(t *testing.T) {
	if *update {
		if err := os.WriteFile(historyDocument, []byte(historyReport(longVigil())), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(historyDocument)
	if err != nil {
		t.Fatal(err)
	}
	if want := historyHeading(longVigil()); !strings.Contains(string(text), want) {
		t.Errorf("%s does not say %q: write it anew with go test ./analysis/simulation -run TestHistoryDocument -timeout 0 -update", historyDocument, want)
	}
	for _, w := range weathers {
		if n := strings.Count(string(text), "\n| "+w.name+" |"); n < 2 {
			t.Errorf("%s has %d rows of %s, want two or more", historyDocument, n, w.name)
		}
	}
	for _, r := range rivals {
		if !strings.Contains(string(text), " "+r.name+" |") {
			t.Errorf("%s has no column of %s", historyDocument, r.name)
		}
	}
	method, err := os.ReadFile("../METHOD.md")
	if err != nil || !strings.Contains(string(method), "\n## "+methodSection+" Night after night\n") {
		t.Errorf("METHOD.md has no section %s on history: %v", methodSection, err)
	}
}
