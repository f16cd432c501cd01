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
	return fmt.Sprintf("Seed %d, %d years of one series of %d nights without change and %d changes of each row", seed, v.histories*v.series*v.replays, v.nights, v.prefixes*stepsEach)
}

// judged begins what is simulated; what stands before it in the document, on the file, stays as it is.
const judged = "\n# How well it is judged\n"

// historyReport is how well nights are judged.
func historyReport(v vigil) string {
	found := findings(v)
	quiet := silences(v)
	var s strings.Builder
	s.WriteString(judged)
	fmt.Fprintf(&s, `
Made by `+"`go test ./analysis/simulation -run TestHistoryDocument -timeout 0 -update`"+`. %s. How nights are judged is METHOD.md, section %s.

A night is %d blocks; two invocations of one block differ by %.0f %% (standard deviation of the logarithm of their ratio), and the night's mean ratio, all told, by %.0f %% from night to night.
In %q neighbouring nights are correlated by one half. In %q the whole machine walks by 1 %% a night; both the cell and the reference walk with it, and a tenth of it is made to stay in the ratio all the same. In %q the nights that are off are so by themselves, in either direction.

Each night the history is checked, and what is suspected or detected for the worse is re-measured the same night: the functions that choose old, new and the number of blocks, and that find the verdict, are the command's own (history.Choose, settle). Old and new stand in the same blocks. That does not make nights alike: cell and reference stand in the same blocks, too, and differ by %.0f %% from night to night. Here new/old has a night of its own, drawn anew for each campaign, with the standard deviation of the second column. The rule is not told which.

## A year of %d nights without change

%s
"Re-measured" is in how many campaigns one series is, in these nights. "Failed falsely" is the share of series, in %%, of which a check ever fails, and "at most" its upper 95 %% bound (Clopper and Pearson); how often something is suspected is in both. %d histories of %d series of each kind of nights were judged night after night, and what each suspected was re-measured afresh %d times over.

## A change of %.0f %%

%s
In %%: the change is confirmed, and the check fails of it, so many nights after it at the latest, the night of the change being the first; "at least" is the lower 95 %% bound of the fifth night. The change is in one of so many series, after %d to %d nights without, in which suspicions were re-measured and refuted as in any year: what new/old differs by from night to night is known from these alone. p values are adjusted over all series, so that more of them make it harder.

## What other ways make of the same nights

%s
A fixed ratio to the night before, as tools do that keep one number per commit, and t tests at 5 %% that take nights for independent; both judge the raw values, and only a rise counts. Share of the series with an alarm in %%, and in brackets the number of nights with one, of each series; of changes, an alarm in one of the five nights.

## What to read in it

Suspicion is cheap here: it costs some minutes of measuring, and nobody's sleep. Confirmation is expensive. Where new/old differs by 2 %% from one night to the next, no single night shows a change of 5 %%, and the check waits for more of them. What is lost then is speed, and some of the power; the share of false failures stays what it is, while nights are independent. METHOD.md, section 19, has what heavy tails, outliers and correlation make of it.
A fixed ratio has no level: whether 1.05 is much depends on the noise, which it does not know. Where nights differ by %.0f %%, two nights in a row differ by more than 5 %% again and again, and a ratio of 2.00 is silent of what matters, too. A t test at 5 %% raises a false alarm one night in forty by design, and looks every night; correlated nights and a machine that drifts make it worse.
`,
		historyHeading(v), methodSection, nightBlocks, 100*blockSD, 100*nightSD, alike.name, drifting.name, stormy.name,
		100*nightSD, v.nights, silenceTable(quiet), v.histories, v.series, v.replays,
		100*nightStep, findTable(found), firstStep, firstStep+betweenSteps*(stepsEach-1), rivalTable(quiet, found), 100*nightSD)
	return s.String()
}

// methodSection of METHOD.md is on history.
const methodSection = "19"

// TestHistoryDocument writes the document when asked to, and else makes sure that
// it tells of this simulation.
func TestHistoryDocument(t *testing.T) {
	text, err := os.ReadFile(historyDocument)
	file, _, found := strings.Cut(string(text), judged)
	if err != nil || !found {
		t.Fatalf("%s has no line %q: %v", historyDocument, strings.TrimSpace(judged), err)
	}
	if *update {
		_, moves, _ := strings.Cut(string(text), replacing) // which TestMoveDocument writes
		if err := os.WriteFile(historyDocument, []byte(file+historyReport(longVigil())+replacing+moves), 0o644); err != nil {
			t.Fatal(err)
		}
		return
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
