package analysis_test

import (
	"encoding/json"
	"testing"

	"moobench/analysis"
	"moobench/analysis/madeup"
)

func TestTry(t *testing.T) {
	for _, s := range []*madeup.Store{madeup.Small(), madeup.Troubled(), madeup.Unordered()} {
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, sc := range a.Scenarios {
			for _, q := range sc.Answers {
				t.Log(q.Sentence, "|", q.Detail)
			}
			for _, x := range sc.AA {
				t.Log("AA", x.Text)
			}
			for _, c := range sc.Cells {
				for _, m := range c.Marks {
					t.Log("MARK", c.Label, m)
				}
				if c.Records != nil {
					t.Log("REC", c.Label, c.Records.Verdict, c.Records.Text)
				}
			}
			t.Log(sc.Notes)
		}
		t.Log(a.Unanswered, a.Warnings)
		j, err := json.MarshalIndent(a, "", " ")
		t.Log(len(j), err)
	}
}
