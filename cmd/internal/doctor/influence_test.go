package doctor

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"moobench/analysis/report"
	"moobench/results"
)

func influenceOf(variant string, logRatio, se float64, n int) Influence {
	return Influence{
		Influence: results.Influence{Variant: variant, Subject: variant, LogRatio: logRatio, SE: se, N: n, Runtime: "17+35"},
		Scenario:  "overhead", Equal: strings.HasSuffix(variant, "#aa"), Pairs: n, Absent: n < 3,
	}
}

func TestJudgeInfluences(t *testing.T) {
	for _, tt := range []struct {
		name    string
		found   []Influence
		verdict string
		ok      bool
		kept    int
	}{
		{"all well", []Influence{influenceOf("none#aa", 0.0005, 0.001, 10), influenceOf("a/b/c", 0.03, 0.001, 10)}, "two equal programs do not differ", true, 1},
		{"equal programs differ", []Influence{influenceOf("none#aa", 0.01, 0.001, 10), influenceOf("a/b/c", 0.03, 0.001, 10)}, "two equal programs differ (none#aa): nothing of this is kept", false, 0},
		// At 0.01 each, one of the two would differ: t(9) = 3.4.
		{"of two levels", []Influence{influenceOf("none#aa", 0.0034, 0.001, 10), influenceOf("x#aa", 0, 0.001, 10), influenceOf("a/b/c", 0, 0.001, 10)}, "two equal programs do not differ", true, 1},
		{"too few", []Influence{influenceOf("none#aa", 0, 0.001, 10), influenceOf("a/b/c", 0, 0, 2), influenceOf("d/e/f", 0, 0.001, 3)}, "no value: a/b/c", false, 1},
		{"no second baseline", []Influence{influenceOf("a/b/c", 0, 0.001, 10)}, "no second baseline was measured", true, 1},
		{"nothing", []Influence{influenceOf("none#aa", 0, 0, 0), influenceOf("a/b/c", 0, 0, 0)}, "no value: none#aa, a/b/c", false, 0},
	} {
		v := JudgeInfluences(results.Machine{}, "x.toml", tt.found)
		if !strings.HasPrefix(v.Verdict, tt.verdict) || v.OK != tt.ok || len(v.Kept()) != tt.kept || (v.Do == "") != tt.ok {
			t.Errorf("%s: %+v, %d kept", tt.name, v, len(v.Kept()))
		}
	}
}

// The intervals are those of t with nine degrees of freedom: 2.262 and 1.833 standard errors.
func TestInfluencesInWords(t *testing.T) {
	failed := influenceOf("d/e/f", 0, 0, 1)
	failed.Failures = []string{"pair 1: d/e/f: it died", "pair 2: none: it died"}
	v := JudgeInfluences(results.Machine{Host: "bench-01"}, "x.toml", []Influence{influenceOf("none#aa", 0.0002, 0.0005, 10), influenceOf("a/b/c", 0.0012, 0.001, 10), influenceOf("b/b/c", -0.004, 0.001, 10), failed})
	v.KeptIn = "here"
	var text, object bytes.Buffer
	if err := v.Write(&text, "text", report.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `what variants do to the reference on bench-01
  none#aa  two equal programs: 0.02 % (95 % CI −0.09 … 0.13 %)
  a/b/c    the reference takes 0.12 % longer beside it (95 % CI −0.11 … 0.35 %): verdicts allow for 0.3 %, and no longer for what one campaign shows
  b/b/c    the reference takes 0.40 % less long beside it (95 % CI −0.62 … −0.17 %): verdicts allow for 0.6 %, and no longer for what one campaign shows
  d/e/f    no value: 1 pair of JVMs, too few
   !            pair 1: d/e/f: it died
   !            pair 2: none: it died

no value: d/e/f
→ see above why its pairs of JVMs failed; moobench run keeps their logs
kept in here; later campaigns on this CPU use it, with the same jars, options and JDK
`
	if text.String() != want {
		t.Errorf("got\n%swant\n%s", text.String(), want)
	}
	if err := v.Write(&object, "json", report.Options{}); err != nil {
		t.Fatal(err)
	}
	var again Influences
	if err := json.Unmarshal(object.Bytes(), &again); err != nil || len(again.Influences) != 4 {
		t.Fatalf("%v: %s", err, object.String())
	}
	if i := again.Influences[1]; math.Abs(*i.Room-0.003037) > 1e-6 || i.SE != 0.001 || i.Scenario != "overhead" || again.Influences[3].Longer != nil {
		t.Errorf("%s", object.String())
	}
}
