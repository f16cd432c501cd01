package doctor

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// Influences is the result of moobench doctor --calibrate FILE: how much longer the reference takes
// beside each variant of the file than beside its baseline.
type Influences struct {
	Machine    string      `json:"machine"`
	Host       string      `json:"host"`
	File       string      `json:"file"`
	Influences []Influence `json:"influences"`
	// OK means that each variant has a value, and equal programs don't differ.
	OK      bool   `json:"ok"`
	Verdict string `json:"verdict"`
	Do      string `json:"advice,omitempty"`
	KeptIn  string `json:"kept_in,omitempty"` // file that stores the values; absent: they were not stored

	differ []string // second baselines that differ from the first
}

// Influence is the result of the turns of one variant.
type Influence struct {
	results.Influence        // without a value if Absent
	Scenario          string `json:"scenario"`
	Equal             bool   `json:"equal_programs,omitempty"` // the second baseline, which should show no difference
	Pairs             int    `json:"pairs"`                    // pairs of JVMs that gave a value
	// Longer says how much longer the reference takes beside the variant, Low and High are its 95 %
	// interval; all are shares, absent without a value.
	Longer *float64 `json:"longer_share,omitempty"`
	Low    *float64 `json:"low_share,omitempty"`
	High   *float64 `json:"high_share,omitempty"`
	// Room bounds how far this may move a cost, and verdicts allow for as much: the larger absolute end of the
	// 90 % interval.
	Room     *float64 `json:"room_share,omitempty"`
	Failures []string `json:"failures,omitempty"` // pairs without a value, and the reasons
	Absent   bool     `json:"absent,omitempty"`   // too few pairs have a value
}

// equalLevel is the significance level for differences of second baselines, divided among all of
// them.
const equalLevel = 0.01

// interval returns the confidence interval of the mean over pairs of JVMs, as logarithms.
func (i *Influence) interval(level float64) (low, high float64) {
	half := stats.TQuantile((1-level)/2, float64(i.N-1)) * i.SE
	return i.LogRatio - half, i.LogRatio + half
}

// JudgeInfluences evaluates what was found for each variant of a file. If two equal programs
// differ, the results can't be trusted.
func JudgeInfluences(host results.Machine, file string, found []Influence) *Influences {
	v := &Influences{Machine: host.ID, Host: host.Host, File: file, Influences: found}
	var equal, absent []string
	for n := range found {
		switch i := &found[n]; {
		case i.Absent:
			absent = append(absent, i.Variant)
		case i.Equal:
			equal = append(equal, i.Variant)
			i.tell()
		default:
			i.tell()
		}
	}
	for _, i := range found {
		low, high := i.interval(1 - equalLevel/float64(max(1, len(equal))))
		if i.Equal && !i.Absent && (low > 0 || high < 0) {
			v.differ = append(v.differ, i.Variant)
		}
	}
	switch {
	case v.differ != nil:
		v.Verdict = "two equal programs differ (" + strings.Join(v.differ, ", ") + "): nothing of this is kept"
		v.Do = "end other programs, see what moobench doctor marks with !, and measure again; " +
			"by chance alone one quiet machine in a hundred says so"
	case absent != nil:
		v.Verdict = "no value: " + strings.Join(absent, ", ")
		v.Do = "see above why its pairs of JVMs failed; moobench run keeps their logs"
	case equal == nil:
		v.OK = true
		v.Verdict = "no second baseline was measured: nothing shows that turns have no bias of their own here"
	default:
		v.OK = true
		v.Verdict = "two equal programs do not differ: turns have no bias of their own here"
	}
	return v
}

// tell fills in the fields derived from the value.
func (i *Influence) tell() {
	low, high := i.interval(0.95)
	i.Longer, i.Low, i.High = new(math.Expm1(i.LogRatio)), new(math.Expm1(low)), new(math.Expm1(high))
	low, high = i.interval(0.9)
	i.Room = new(max(math.Abs(math.Expm1(low)), math.Abs(math.Expm1(high))))
}

// Kept returns the influences that later campaigns may use.
func (v *Influences) Kept() []results.Influence {
	var all []results.Influence
	for _, i := range v.Influences {
		if !i.Equal && !i.Absent && v.differ == nil {
			all = append(all, i.Influence)
		}
	}
	return all
}

// Write prints the influences in a document format; lines of text are not wrapped.
func (v *Influences) Write(w io.Writer, format string, o report.Options) error {
	o.Width = 1 << 12
	return report.WriteDocument(w, format, v, func(bool) *doc.Document { return v.document() }, o)
}

// document returns the influences as a document.
func (v *Influences) document() *doc.Document {
	rows := &doc.Entries{Inner: true}
	several := false // several scenarios or JDKs: then each row names its own
	for _, i := range v.Influences {
		several = several || i.Scenario != v.Influences[0].Scenario || i.Runtime != v.Influences[0].Runtime
	}
	for _, i := range v.Influences {
		e := doc.Entry{Name: i.Variant, Term: i.text()}
		if several {
			e.Name = i.Scenario + ": " + i.Variant + ", JDK " + i.Runtime
		}
		rows.Names = max(rows.Names, doc.Width(e.Name)+1)
		rows.Items = append(rows.Items, e)
		for _, why := range i.Failures {
			rows.Items = append(rows.Items, doc.Entry{Mark: marks[note], Term: why})
		}
	}
	end := &doc.Section{Silent: true, Flush: true}
	say := func(text string) { end.Add(doc.Paragraph{Text: text}) }
	say(v.Verdict)
	if v.Do != "" {
		say("→ " + v.Do)
	}
	if v.KeptIn != "" {
		say("kept in " + v.KeptIn + "; later campaigns on this CPU use it, with the same jars, options and JDK")
	}
	title := "what variants do to the reference on " + v.Host
	variants := &doc.Section{Tight: true, Title: title, Flush: true, Blocks: []doc.Block{rows}}
	return &doc.Document{Blocks: []doc.Block{variants, end}}
}

// text describes the result in words.
func (i *Influence) text() string {
	if i.Absent {
		return fmt.Sprintf("no value: %s of JVMs, too few", figure.Plural(i.Pairs, "pair", "pairs"))
	}
	ci := fmt.Sprintf("95 %% CI %s … %s %%", perCent(*i.Low), perCent(*i.High))
	if i.Equal {
		return fmt.Sprintf("two equal programs: %s %% (%s)", perCent(*i.Longer), ci)
	}
	how := "longer"
	if *i.Longer < 0 {
		how = "less long"
	}
	return fmt.Sprintf("the reference takes %s %% %s beside it (%s): "+
		"verdicts allow for %s, and no longer for what one campaign shows",
		perCent(math.Abs(*i.Longer)), how, ci, figure.Percent(*i.Room))
}

// perCent formats a share in per cent with two decimals: intervals are a few tenths wide, and are
// listed one below another.
func perCent(share float64) string {
	return strings.Replace(strconv.FormatFloat(100*share, 'f', 2, 64), "-", "−", 1)
}
