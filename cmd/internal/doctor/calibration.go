package doctor

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report"
	"moobench/analysis/report/doc"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Calibration is the result of moobench doctor --calibrate.
type Calibration struct {
	Machine string `json:"machine"`
	Host    string `json:"host"`
	Folder  string `json:"folder"` // campaign folder, for moobench report
	// Calibration is nil if the question has no answer.
	Calibration *results.Calibration `json:"calibration,omitempty"`
	// OffShare is (measured cost - known cost) / known cost; absent without a calibration.
	OffShare *float64 `json:"error_share,omitempty"`
	// DetectableShare is the smallest such share that a calibration like this one finds with 80 %
	// power.
	DetectableShare *float64 `json:"detectable_share,omitempty"`
	// WaitedShare is the share of its time, warm-up included, that the longer burn waited for a
	// CPU; absent without a calibration, and if the kernel doesn't report it.
	WaitedShare *float64 `json:"waited_share,omitempty"`
	AA          string   `json:"aa"` // in words
	OK          bool     `json:"ok"` // the known cost lies in a sufficiently narrow interval, and the A/A did not fail
	Verdict     string   `json:"verdict"`
	Do          string   `json:"advice,omitempty"`
	// Resolution is the smallest overhead that would show; nil if it is unknown, with the reason in
	// Unresolved.
	Resolution *Resolution `json:"resolution,omitempty"`
	Unresolved string      `json:"unresolved,omitempty"`
}

// CalibrationTOML is the benchmarks.toml of a calibration. It asks one question, about two cells
// whose probes burn known times.
//
//go:embed calibrate.toml
var CalibrationTOML []byte

// burnOption is the JVM argument that sets how long the probe burns, in ns.
const burnOption = "-Dmoobench.burn.ns="

// Judge evaluates a campaign of CalibrationTOML: whether it recovered the known cost, and what
// overhead this machine resolves in the given time. moobench is the build that measured.
func Judge(host results.Machine, store *results.Store, within time.Duration, moobench string) (*Calibration, error) {
	a, err := analysis.Analyse(store)
	if err != nil {
		return nil, err
	}
	invocations, err := store.Invocations()
	if err != nil {
		return nil, err
	}
	v := &Calibration{Machine: host.ID, Host: host.Host, Folder: store.Dir(), AA: "there is none"}
	for _, aa := range a.Scenarios[0].AA {
		v.AA = aa.Text.String()
	}
	if why := v.recovers(store.Campaign(), a); why != "" {
		v.Verdict, v.Do = "not calibrated: "+why, "see the reasons with: moobench report "+v.Folder
	} else {
		v.Calibration.Moobench = moobench
		v.judge()
	}
	v.Resolution, v.Unresolved = resolutionOf(a, lengthOfBaseline(store.Campaign(), invocations), within)
	if c, r := v.Calibration, v.Resolution; c != nil && r != nil {
		c.ResolvesNS, c.ResolvesShare, c.ResolvesInNS = r.NS, r.Share, r.WithinNS
	}
	if r := v.Resolution; r != nil {
		r.Costs, err = costsOf(store, time.Duration(r.BlockNS), within)
	}
	return v, err
}

// recovers fills in the campaign's answer about the difference between the two burns; why is the
// reason if it can't.
func (v *Calibration) recovers(campaign *results.Campaign, a *analysis.Answers) (why string) {
	answers := a.Scenarios[0].Answers
	i := slices.IndexFunc(answers, func(q analysis.Answer) bool { return q.Asked })
	if i < 0 {
		return "the campaign asks nothing"
	}
	q := &answers[i]
	more, okA := burnt(campaign.Cell(q.A))
	less, okB := burnt(campaign.Cell(q.B))
	switch {
	case !okA || !okB || more <= less:
		return "the campaign's two cells don't burn known times"
	case q.Difference == nil || q.Difference.Interval == nil:
		return q.Sentence.String()
	}
	d, knownNS := q.Difference, more-less
	c := &results.Calibration{
		When: time.Now().UTC().Truncate(time.Second), Runtime: strings.Join(a.Campaign.Runtimes, ", "), Blocks: d.N,
		KnownNS: knownNS, MeasuredNS: d.Value, LowNS: d.Interval.Low, HighNS: d.Interval.High, Level: d.Interval.Level,
		Recovered: d.Interval.Low <= knownNS && knownNS <= d.Interval.High,
	}
	for _, aa := range a.Scenarios[0].AA {
		c.AA = string(aa.State)
		if aa.Resolves != nil {
			c.Resolves = *aa.Resolves
		}
	}
	v.Calibration = c
	if d.Detectable != nil {
		v.DetectableShare = new(*d.Detectable / knownNS)
	}
	longer := a.Scenarios[0].Cell(q.A)
	delay, loop := longer.MetricNamed(run.RunDelayNS), longer.MetricNamed(run.LoopNS)
	if delay != nil && delay.Mean != nil && loop != nil && loop.Mean != nil && loop.Mean.Value > 0 {
		v.WaitedShare = new(delay.Mean.Value / loop.Mean.Value)
	}
	return ""
}

// burnt returns how long the cell's probe burns, in ns.
func burnt(c *results.Cell) (ns float64, ok bool) {
	if c == nil {
		return 0, false
	}
	for _, arg := range c.Launch.JVMArgs {
		if text, found := strings.CutPrefix(arg, burnOption); found {
			n, err := strconv.ParseInt(text, 10, 64)
			return float64(n), err == nil
		}
	}
	return 0, false
}

// judge puts the verdict into words.
func (v *Calibration) judge() {
	c := v.Calibration
	off, width := (c.MeasuredNS-c.KnownNS)/c.KnownNS, (c.HighNS-c.LowNS)/2/c.KnownNS
	v.OffShare = new(off)
	side := "high"
	if off < 0 {
		side = "low"
	}
	switch {
	case !c.Recovered:
		v.Verdict = fmt.Sprintf("not recovered: the known cost lies outside the interval; "+
			"costs that are measured here now come out about %s too %s", figure.Percent(math.Abs(off)), side)
	case c.AA == string(analysis.AAFailed):
		v.Verdict = "the A/A failed: two equal baselines differ, although the known cost lies in the interval"
	case c.TooWide():
		v.Verdict = fmt.Sprintf("too noisy to say: the known cost lies in the interval, "+
			"but that reaches %s of it to either side", figure.Percent(width))
	default:
		v.OK = true
		v.Verdict = "recovered: the known cost lies in the interval"
		if v.DetectableShare != nil {
			v.Verdict += fmt.Sprintf("; were costs wrong by %s here, this would have shown with 80 %% power",
				figure.Percent(*v.DetectableShare))
		}
	}
	if !v.OK {
		v.Do = "end other programs, see what moobench doctor marks with !, and calibrate again; " +
			"by chance alone one quiet machine in a hundred misses the known cost"
	}
}

// Write prints the calibration in a document format; lines of text are not wrapped.
func (v *Calibration) Write(w io.Writer, format string, o report.Options) error {
	o.Width = 1 << 12
	return report.WriteDocument(w, format, v, func(bool) *doc.Document { return v.document() }, o)
}

// document returns the calibration as a document.
func (v *Calibration) document() *doc.Document {
	rows := &doc.Entries{Names: 10, Inner: true}
	row := func(name, format string, args ...any) {
		rows.Items = append(rows.Items, doc.Entry{Name: name, Term: fmt.Sprintf(format, args...)})
	}
	title, verdict := "calibration of "+v.Host, &doc.Section{Silent: true, Flush: true}
	say := func(text string) { verdict.Add(doc.Paragraph{Text: text}) }
	if c := v.Calibration; c != nil {
		title += " · " + figure.Plural(c.Blocks, "block", "blocks") + " · JDK " + c.Runtime
		row("known", "%s a call: the same probe burns that much longer", figure.Exactly(c.KnownNS, "ns"))
		row("measured", "%s, %s interval %s",
			figure.Quantity(c.MeasuredNS, "ns"), figure.Level(c.Level), figure.Range(c.LowNS, c.HighNS, "ns"))
		row("off by", "%s of the known cost", figure.SignedPercent(*v.OffShare))
	}
	if v.WaitedShare != nil {
		row("no CPU", "%s of the time: other programs, or the JVM's own threads, had it",
			figure.Percent(*v.WaitedShare))
	}
	row("A/A", "%s", v.AA)
	say(v.Verdict)
	if v.Do != "" {
		say("→ " + v.Do)
	}
	if v.Calibration != nil {
		say("the reports of this machine's campaigns show it from now on; details: moobench report " + v.Folder)
	}
	if v.Resolution != nil {
		say(v.Resolution.String())
		if text := v.Resolution.costs(); text != "" {
			say(text)
		}
	} else {
		say("what overhead this machine resolves is not known: " + v.Unresolved)
	}
	figures := &doc.Section{Tight: true, Title: title, Flush: true, Blocks: []doc.Block{rows}}
	return &doc.Document{Blocks: []doc.Block{figures, verdict}}
}

// lastCalibration returns the calibration's line in moobench doctor.
func lastCalibration(c *results.Calibration, err error) Finding {
	const topic = "calibration"
	switch {
	case err != nil:
		return finding(note, topic, err)
	case c == nil:
		return Finding{
			State: note, Topic: topic, Text: "none yet",
			Do: "moobench doctor --calibrate shows in about a minute what can be resolved here",
		}
	}
	v := Calibration{Calibration: c}
	v.judge()
	f := Finding{State: note, Topic: topic, Do: v.Do}
	f.Text = fmt.Sprintf("%s: %s came out as %s (%s)", c.When.UTC().Format(time.DateOnly),
		figure.Exactly(c.KnownNS, "ns"), figure.Quantity(c.MeasuredNS, "ns"), figure.Range(c.LowNS, c.HighNS, "ns"))
	if c.ResolvesNS > 0 {
		f.Text += fmt.Sprintf("; %s resolve about %s (%s)",
			Amount(time.Duration(c.ResolvesInNS)), rounded(c.ResolvesNS, 2), figure.Percent(c.ResolvesShare))
	}
	f.Text += ": " + v.Verdict
	if v.OK {
		f.State = fine
	}
	return f
}

// calibrationPath returns the file in dir for the calibration of the machine with this ID.
func calibrationPath(dir, id string) string {
	return filepath.Join(dir, "calibration-"+id+".json")
}

// SaveCalibration stores the calibration of the machine with this ID in dir, creating dir if
// needed. It replaces an earlier one, whole or not at all.
func SaveCalibration(dir, id string, c results.Calibration) error {
	err := safefile.MakeFolder(dir)
	if err == nil {
		err = safefile.Renew(calibrationPath(dir, id), 0, func(w io.Writer) error { return report.WriteJSON(w, c) })
	}
	if err != nil {
		return fmt.Errorf("keeping the calibration: %w", err)
	}
	return nil
}

// LastCalibration returns the calibration that SaveCalibration stored in the user's cache, or nil
// if there is no file. A file that can't be read is an error.
func LastCalibration(id string) (*results.Calibration, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, nil // no cache, so no calibration
	}
	path := calibrationPath(cache, id)
	data, err := safefile.ReadOwn(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := new(results.Calibration)
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	measured := c.KnownNS > 0 && c.LowNS <= c.MeasuredNS && c.MeasuredNS <= c.HighNS && c.Level > 0 && c.Level < 1
	if err == nil && (c.When.IsZero() || !measured) { // some other JSON
		err = errors.New("it has no date, no known cost, or no interval")
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("reading the calibration %s: %w", path, err),
			"make a new one with: moobench doctor --calibrate")
	}
	return c, nil
}
