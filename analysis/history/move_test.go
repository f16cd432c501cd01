package history

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/infer"
	"moobench/results"
)

var m1, m2, m3 = Machine{ID: "m1"}, Machine{ID: "m2"}, Machine{ID: "m3"}

// there is a night of a machine, of the build of the night i.
func there(m Machine, k Key, i int, log float64) Night {
	n := made(keyOn(m, k), i, log)
	if m.Pool != "" {
		n.Machine = fmt.Sprint("runner-", i)
	}
	n.ID, n.When = m.ID+nightID(i), n.When.Add(time.Duration(len(m.ID))*time.Minute)
	n.Artifacts = []results.Artifact{{Name: "agent.jar", SHA256: fmt.Sprintf("%064x", i)}}
	return n
}

// nightsOn are records of nights from one on.
func nightsOn(m Machine, k Key, from int, logs []float64) (all []Record) {
	for i, x := range logs {
		all = append(all, record(there(m, k, from+i, x)))
	}
	return all
}

// movedTo says that a series goes on, on the evening of a night.
func movedTo(from, to Machine, k Key, first, evening int) Record {
	return Record{Format: formatVersion, Kind: KindMove, Move: &Move{
		Key: keyOn(to, k), From: from, Night: to.ID + nightID(first), When: firstNight.AddDate(0, 0, evening).Add(3 * time.Hour),
	}}
}

// replaced is a history of thirty nights, of which two machines measured the last k, and of some more on the new one, where
// values differ by a shift and a little.
func replaced(from, to Machine, k Key, pairs int, shift float64, after []float64) *History {
	xs := quiet(3, 30, 0.01)
	h := &History{Records: nightsOn(from, k, 0, xs)}
	var logs []float64
	for i := range pairs {
		logs = append(logs, xs[30-pairs+i]+shift+0.004*float64(i%3-1))
	}
	h.Records = append(h.Records, nightsOn(to, k, 30-pairs, append(logs, after...))...)
	h.Records = append(h.Records, movedTo(from, to, k, 30-pairs, 29))
	return h
}

// seriesOn is the series of a machine in findings.
func seriesOn(t *testing.T, f *Findings, machine string) *Series {
	t.Helper()
	i := slices.IndexFunc(f.Series, func(s Series) bool { return s.Machine == machine })
	if i < 0 {
		t.Fatalf("no series on %s", machine)
	}
	return &f.Series[i]
}

func judgedAll(t *testing.T, h *History) *Findings {
	t.Helper()
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A series goes on, by the shift that pairs of nights tell, whatever the order of the records; where it went to, it is
// judged by the nights before.
func TestMove(t *testing.T) {
	k, level := key(cell), quiet(4, 3, 0.01)
	for _, c := range []struct {
		name     string
		from, to Machine
		pairs    int
		shift    float64
	}{
		{"a machine", m1, m2, 5, 0.2},
		{"by nothing", m1, m2, 6, 0},
		{"faster", m1, m2, 10, -0.2},
		{"a CPU model", Machine{results.PooledMachine("ci", "EPYC"), "ci", "EPYC"}, Machine{results.PooledMachine("ci", "Xeon"), "ci", "Xeon"}, 5, 0.05},
	} {
		var after []float64
		for _, x := range level {
			after = append(after, x+c.shift)
		}
		h := replaced(c.from, c.to, k, c.pairs, c.shift, after)
		f := judgedAll(t, h)
		old, s := seriesOn(t, f, c.from.ID), seriesOn(t, f, c.to.ID)
		if old.MovedTo != c.to.ID || old.Segments == nil || len(old.Segments)+len(old.Changes) > 0 || len(s.Nights) != 33 || len(s.Shifts) != 1 || s.Short > 0 {
			t.Fatalf("%s: %+v\n%+v", c.name, old, s)
		}
		shift := s.Shifts[0]
		if shift.Pairs != c.pairs || shift.Night != 30-c.pairs || shift.From != c.from.ID || shift.Low > c.shift || shift.High < c.shift || shift.Low >= shift.High {
			t.Errorf("%s: %+v", c.name, shift)
		}
		if len(s.Segments) != 1 || math.Abs(s.Segments[0].Mean-0.1-c.shift) > 0.01 || s.Noise > 0.02 || len(f.Unsettled()) > 0 || len(f.Warnings) > 0 {
			t.Errorf("%s: %+v, noise %v, %v", c.name, s.Segments, s.Noise, f.Warnings)
		}
		r := rand.New(rand.NewPCG(1, 1))
		r.Shuffle(len(h.Records), func(i, j int) { h.Records[i], h.Records[j] = h.Records[j], h.Records[i] })
		if again := judgedAll(t, h); fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", f) {
			t.Errorf("%s: in another order it is\n%+v\nand was\n%+v", c.name, again, f)
		}
	}
}

// What a shift is does not matter to what is found: only how well it is known.
func TestMoveIsBlindToTheShift(t *testing.T) {
	k, want := key(cell), ""
	for _, shift := range []float64{0, math.Log(1.05), math.Log(1.2)} {
		h := replaced(m1, m2, k, 5, shift, []float64{0.1 + shift, 0.17 + shift, 0.18 + shift})
		s := seriesOn(t, judgedAll(t, h), m2.ID)
		c := s.Standing()
		if c == nil || !c.Worse || c.State != StateSuspected {
			t.Fatalf("%v: %+v", shift, c)
		}
		got := fmt.Sprintf("%d %.9f %.9f %.9f %.9f %.9f %.9f", c.Night, c.Log, c.Low, c.High, c.P, s.Noise, s.Detectable)
		if want = cmpOr(want, got); got != want {
			t.Errorf("with a shift of %v: %s, want %s", shift, got, want)
		}
	}
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// Nights pair when both measured the same as they should have, each once, nearest first.
func TestPairs(t *testing.T) {
	k := key(cell)
	night := func(m Machine, i, build int, change func(*Night)) Night {
		n := there(m, k, i, 0.1)
		n.Artifacts[0].SHA256 = fmt.Sprintf("%064x", build)
		if change != nil {
			change(&n)
		}
		return n
	}
	for name, c := range map[string]struct {
		old, new []Night
		want     []string
	}{
		"the same nights":        {[]Night{night(m1, 1, 1, nil), night(m1, 2, 2, nil)}, []Night{night(m2, 1, 1, nil), night(m2, 2, 2, nil)}, []string{"1 1", "2 2"}},
		"each once":              {[]Night{night(m1, 1, 7, nil)}, []Night{night(m2, 3, 7, nil), night(m2, 2, 7, nil)}, []string{"1 2"}},
		"nearest first":          {[]Night{night(m1, 1, 7, nil), night(m1, 9, 7, nil)}, []Night{night(m2, 8, 7, nil), night(m2, 2, 7, nil)}, []string{"1 2", "9 8"}},
		"kept jars, later":       {[]Night{night(m1, 1, 1, nil), night(m1, 2, 2, nil)}, []Night{night(m2, 20, 2, nil), night(m2, 21, 1, nil)}, []string{"2 20", "1 21"}},
		"unlike builds":          {[]Night{night(m1, 1, 1, nil)}, []Night{night(m2, 1, 2, nil)}, nil},
		"unlike plans":           {[]Night{night(m1, 1, 1, nil)}, []Night{night(m2, 1, 1, func(n *Night) { n.Plan = "q" })}, nil},
		"another direction":      {[]Night{night(m1, 1, 1, nil)}, []Night{night(m2, 1, 1, func(n *Night) { n.Better = results.Higher })}, nil},
		"an A/A that failed":     {[]Night{night(m1, 1, 1, func(n *Night) { n.Marks = []string{MarkAAFailed} })}, []Night{night(m2, 1, 1, nil)}, nil},
		"files without a digest": {[]Night{night(m1, 1, 1, func(n *Night) { n.Artifacts[0].SHA256 = "" })}, []Night{night(m2, 1, 1, func(n *Night) { n.Artifacts[0].SHA256 = "" })}, nil},
		"without files":          {[]Night{night(m1, 1, 1, func(n *Night) { n.Artifacts = nil })}, []Night{night(m2, 1, 1, func(n *Night) { n.Artifacts = nil })}, nil},
		"other names of files":   {[]Night{night(m1, 1, 1, nil)}, []Night{night(m2, 1, 1, func(n *Night) { n.Artifacts[0].Name = "b.jar" })}, []string{"1 1"}},
	} {
		var got []string
		for _, p := range pairsOf(c.old, c.new) {
			got = append(got, strings.TrimLeft(p.old.ID[3:], "0")+" "+strings.TrimLeft(p.new.ID[3:], "0"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where too few nights tell the shift, the series begin anew, and that is said.
func TestMoveNotCarried(t *testing.T) {
	k := key(cell)
	circle := replaced(m1, m2, k, 5, 0, nil)
	circle.Records = append(circle.Records, movedTo(m2, m1, k, 25, 29))
	nowhere := replaced(m1, m2, k, 5, 0, nil)
	nowhere.Records[len(nowhere.Records)-1] = movedTo(m3, m2, k, 25, 29)
	lost := replaced(m1, m2, k, 5, 0, nil)
	lost.Records[len(lost.Records)-1].Move.Night = "gone"
	early := replaced(m1, m2, k, 6, 0, nil)
	early.Records[len(early.Records)-1].Move.When = firstNight.AddDate(0, 0, 27)
	for name, c := range map[string]struct {
		h    *History
		want string
	}{
		"four pairs":     {replaced(m1, m2, k, 4, 0, nil), "on m2 does not continue that of m1: 4 pairs of nights"},
		"said too early": {early, "3 pairs of nights"}, "no such machine": {nowhere, "does not continue that of m3: 0 pairs"},
		"a night that is lost": {lost, "0 pairs"}, "a circle": {circle, "0 pairs"},
	} {
		f := judgedAll(t, c.h)
		said := slices.ContainsFunc(f.Warnings, func(w string) bool {
			return strings.Contains(w, c.want) && strings.Contains(w, "moobench history move --from")
		})
		carried := 0
		for _, s := range f.Series {
			carried += len(s.Shifts)
		}
		if !said || carried > 0 && name != "a circle" {
			t.Errorf("%s: %d shifts, %q", name, carried, f.Warnings)
		}
	}
}

// Two moves in a row: nights of the first machine are carried twice.
func TestMoveTwice(t *testing.T) {
	k := key(cell)
	var second []float64
	for _, x := range quiet(5, 20, 0.01) {
		second = append(second, x+0.1)
	}
	h := replaced(m1, m2, k, 5, 0.1, second)
	var third []float64
	for i, x := range second[15:] {
		third = append(third, x+0.1+0.003*float64(i%2))
	}
	h.Records = append(h.Records, nightsOn(m3, k, 45, append(third, 0.3, 0.301))...)
	h.Records = append(h.Records, movedTo(m2, m3, k, 45, 49))
	f := judgedAll(t, h)
	s := seriesOn(t, f, m3.ID)
	if len(s.Nights) != 52 || len(s.Shifts) != 2 || s.Shifts[0].Night != 25 || s.Shifts[1].Night != 45 || seriesOn(t, f, m2.ID).MovedTo != m3.ID {
		t.Fatalf("%d nights, %+v", len(s.Nights), s.Shifts)
	}
	if len(s.Segments) != 1 || math.Abs(s.Segments[0].Mean-0.3) > 0.01 || len(f.Unsettled()) > 0 {
		t.Errorf("%+v", s.Segments)
	}
}

// Where all pairs have a value at the standard speed of the CPU, the shift is that of these, whatever the standards and
// speeds of both machines.
func TestMoveAtStandard(t *testing.T) {
	k := key(cell)
	for name, lacks := range map[string]bool{"all have": false, "one lacks": true} {
		h := replaced(m1, m2, k, 5, 0.2, []float64{0.3, 0.3, 0.3})
		for i := range h.Records {
			n := h.Records[i].Night
			if n == nil || lacks && n.ID == "m1"+nightID(27) {
				continue
			}
			log := n.Log - 0.05
			n.Standard = &StandardNight{NS: 1000, AtNS: 1010, Log: &log, SE: n.SE, DF: n.DF}
			if n.Machine == "m2" {
				log += 0.1
				n.Standard.NS, n.Standard.AtNS = 500, 480
			}
		}
		s := seriesOn(t, judgedAll(t, h), m2.ID)
		want, levels := 0.3, 1
		if lacks {
			want, levels = 0.2, 2
		}
		if got := s.Shifts[0].Log; math.Abs(got-want) > 0.01 || len(s.Segments) != levels || len(s.Changes) > 0 {
			t.Errorf("%s: a shift of %v, %+v, %+v", name, got, s.Segments, s.Changes)
		}
	}
}

// What was accepted, confirmed or begun on the old machine goes on.
func TestMoveSettled(t *testing.T) {
	k := key(cell)
	with := func(add ...Record) *Series {
		h := replaced(m1, m2, k, 6, 0.2, []float64{0.35, 0.352, 0.349})
		for i := range h.Records {
			if n := h.Records[i].Night; n != nil && n.Machine == "m1" && n.ID >= "m1"+nightID(27) || n != nil && n.ID >= "m2"+nightID(27) && n.ID < "m2"+nightID(30) {
				n.Log += 0.05
			}
		}
		h.Records = append(h.Records, add...)
		return seriesOn(t, judgedAll(t, h), m2.ID)
	}
	confirmation := func(v infer.Settlement, j *Joint) Record {
		return Record{Format: formatVersion, Kind: KindConfirmation, Confirmation: &Confirmation{
			Key: keyOn(m1, k), Night: "m1" + nightID(28), Against: "m1" + nightID(20), When: firstNight.AddDate(0, 0, 28).Add(time.Hour),
			Log: 0.05, Low: 0.03, High: 0.07, Alpha: 0.01, N: 15, SE: 0.007, DF: 14, Alarm: 0.05, Verdict: v, Joint: j,
		}}
	}
	accepted := Record{Format: formatVersion, Kind: KindAcceptance, Acceptance: &Acceptance{Key: keyOn(m1, k), Night: "m1" + nightID(27), When: firstNight.AddDate(0, 0, 29)}}
	if c := with().Standing(); c == nil || c.State != StateSuspected && c.State != StateDetected || c.Confirmation != nil {
		t.Errorf("pending: %+v", c)
	}
	if c := with(confirmation(infer.Confirmed, nil)).Standing(); !c.Fails() {
		t.Errorf("confirmed: %+v", c)
	}
	s := with(confirmation(infer.Confirmed, nil), accepted)
	if c := s.Standing(); c.Fails() || len(s.Changes) != 1 || s.Changes[0].State != StateAccepted {
		t.Errorf("accepted: %+v", s.Changes)
	}
	begun := with(confirmation(infer.Open, &Joint{Nights: 1, Log: 0.05, Scatter: &results.Scatter{SD: 0.02, DF: 29}}))
	f := Findings{Series: []Series{*begun}}
	u := f.Unsettled()
	if len(u) != 1 || u[0].Change.Confirmation == nil || u[0].Series.Nights[u[0].Series.night(u[0].Change.Confirmation.Night)].Machine != "m2" {
		t.Errorf("begun: %+v", begun.Changes)
	}
}

// Where nights of the new machine differ by more, those of the old one, and its confirmations, are taken to do so, too;
// where they differ by less, all count as they are.
func TestMoveScatter(t *testing.T) {
	k := key(cell)
	for name, c := range map[string]struct {
		times     float64
		low, high float64 // of the scatter, in standard deviations of the old machine
	}{"as much": {1, 0.7, 1.4}, "more": {4, 2.4, 5.5}, "less": {0.2, 0.6, 1}} {
		h := &History{Records: nightsOn(m1, k, 0, quiet(3, 30, 0.01))}
		var logs []float64
		for _, x := range quiet(8, 14, 0.01) {
			logs = append(logs, 0.1+c.times*(x-0.1))
		}
		h.Records = append(h.Records, nightsOn(m2, k, 25, append(logs, 0.4))...)
		for i := range 25 { // refuted on the old machine
			settled(h, keyOn(m1, k), i, i+1, infer.Refuted, 0.01*float64(2*(i%2)-1))
			r := h.Records[len(h.Records)-1].Confirmation
			r.Night, r.Against, r.SE, r.DF = "m1"+r.Night, "m1"+r.Against, 0.001, 14
		}
		h.Records = append(h.Records, movedTo(m1, m2, k, 25, 29))
		open := judgedAll(t, h).Unsettled()
		if len(open) != 1 {
			t.Fatalf("%s: %d unsettled", name, len(open))
		}
		s := h.Choose(open)[0].Scatter
		if s == nil || s.Bound || s.SD < 0.01*c.low || s.SD > 0.01*c.high {
			t.Errorf("%s: %+v", name, s)
		}
		h.Records = slices.DeleteFunc(h.Records, func(r Record) bool { return r.Kind == KindConfirmation })
		s = h.Choose(judgedAll(t, h).Unsettled())[0].Scatter
		if s == nil || !s.Bound || s.SD < 0.01*c.low || s.SD > 0.01*c.high {
			t.Errorf("%s, by the nights: %+v", name, s)
		}
	}
}

// Kept jars that are measured later are no news on the new machine, but for the last one.
func TestMoveKeptJars(t *testing.T) {
	k := key(cell)
	xs := quiet(3, 30, 0.01)
	h := &History{Records: nightsOn(m1, k, 0, xs)}
	for i := range 5 {
		n := there(m2, k, 40+i, xs[25+i]+0.2+0.002*float64(i%2))
		n.Artifacts[0].SHA256 = fmt.Sprintf("%064x", 25+i)
		h.Records = append(h.Records, record(n))
	}
	h.Records = append(h.Records, movedTo(m1, m2, k, 40, 44))
	s := seriesOn(t, judgedAll(t, h), m2.ID)
	if len(s.Nights) != 31 || s.Shifts[0].Night != 30 || s.Shifts[0].Pairs != 5 || s.Ended {
		t.Fatalf("%d nights, %+v, ended %v", len(s.Nights), s.Shifts, s.Ended)
	}
	h.Records = append(h.Records, nightsOn(m2, k, 45, []float64{0.3, 0.4})...)
	if f := judgedAll(t, h); len(f.Unsettled()) != 1 {
		t.Errorf("%+v", seriesOn(t, f, m2.ID).Changes)
	}
}

// Records of moves that say nothing are left out with a warning; the last one of a series counts.
func TestMoveRecords(t *testing.T) {
	k := key(cell)
	path := filepath.Join(t.TempDir(), "history.jsonl")
	h := replaced(m1, m2, k, 6, 0.1, nil)
	later := movedTo(m1, m2, k, 24, 35)
	all := append(slices.Clone(h.Records), h.Records[len(h.Records)-1], later)
	if added, err := Append(path, all...); err != nil || added != len(h.Records)+1 {
		t.Fatalf("%d added of %d, %v", added, len(all), err)
	}
	if s := seriesOn(t, judgedAll(t, read(t, path)), m2.ID); len(s.Shifts) != 1 {
		t.Errorf("%+v", s.Shifts)
	}
	for name, r := range map[string]Record{
		"no move":    {Kind: KindMove},
		"no night":   {Kind: KindMove, Move: &Move{Key: keyOn(m2, k), From: m1, When: firstNight}},
		"no machine": {Kind: KindMove, Move: &Move{Key: keyOn(m2, k), Night: "n", When: firstNight}},
		"to itself":  {Kind: KindMove, Move: &Move{Key: keyOn(m2, k), From: m2, Night: "n", When: firstNight}},
		"no time":    {Kind: KindMove, Move: &Move{Key: keyOn(m2, k), From: m1, Night: "n"}},
	} {
		if _, err := Append(path, r); err == nil {
			t.Errorf("%s: was added", name)
		}
	}
}

// What can go on is said with its shift, and what can't with how many pairs there are.
func TestSucceed(t *testing.T) {
	k, now := key(cell), firstNight.AddDate(0, 0, 60)
	h := replaced(m1, m2, k, 5, 0.1, nil)
	h.Records = h.Records[:len(h.Records)-1]
	other := key("other")
	h.Records = append(h.Records, nightsOn(m1, other, 0, quiet(1, 30, 0.01))...)
	h.Records = append(h.Records, nightsOn(m2, other, 28, []float64{0.1, 0.1})...)
	all, err := h.Succeed(m1, m2, now)
	if err != nil || len(all) != 2 || len(h.Machines()) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	goes, stays := all[0], all[1]
	if goes.Move.Cell != cell {
		goes, stays = stays, goes
	}
	if !goes.Goes() || goes.Move.Night != "m2"+nightID(25) || stays.Goes() || stays.Shift.Pairs != 2 {
		t.Errorf("%+v\n%+v", goes, stays)
	}
	h.Records = append(h.Records, Record{Format: formatVersion, Kind: KindMove, Move: &goes.Move})
	if again, err := h.Succeed(m1, m2, now.Add(time.Hour)); err != nil || len(again) != 2 || again[0].Goes() == again[1].Goes() {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := h.Succeed(m2, m1, now); err == nil {
		t.Error("it goes back to where it came from")
	}
}
