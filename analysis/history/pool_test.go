package history

import (
	"path/filepath"
	"slices"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/results"
)

// pooled is a night of a pool, on a machine with a CPU.
func pooled(n Night, pool, machine, cpu string) Night {
	n.Pool, n.Machine, n.CPU = pool, machine, cpu
	return n
}

// Nights of one pool and CPU model are one series whichever machine they are of; those of unlike
// models, pools, or machines without a pool are not.
func TestPool(t *testing.T) {
	base := key(cell)
	night := func(i int) Night { return made(base, i, 0.1) }
	for name, c := range map[string]struct {
		nights []Night
		want   []int // nights of each series
	}{
		"other machines":              {[]Night{pooled(night(0), "ci", "m1", "EPYC 7763"), pooled(night(1), "ci", "m2", "EPYC 7763")}, []int{2}},
		"other models":                {[]Night{pooled(night(0), "ci", "m1", "EPYC 7763"), pooled(night(1), "ci", "m2", "Xeon 8370C")}, []int{1, 1}},
		"other pools":                 {[]Night{pooled(night(0), "ci", "m1", "EPYC 7763"), pooled(night(1), "lab", "m1", "EPYC 7763")}, []int{1, 1}},
		"a pool, and a machine":       {[]Night{pooled(night(0), "ci", "m1", "EPYC 7763"), pooled(night(1), "", "m1", "EPYC 7763")}, []int{1, 1}},
		"machines without a pool":     {[]Night{pooled(night(0), "", "m1", "EPYC 7763"), pooled(night(1), "", "m2", "EPYC 7763")}, []int{1, 1}},
		"a machine's older nights":    {[]Night{night(0), pooled(night(1), "", "m1", "EPYC 7763")}, []int{2}},
		"a pool of unknown CPUs":      {[]Night{pooled(night(0), "ci", "m1", ""), pooled(night(1), "ci", "m2", "")}, []int{1, 1}},
		"one machine, another kernel": {[]Night{pooled(night(0), "ci", "m1", "EPYC 7763"), pooled(night(1), "ci", "m1", "EPYC 7763")}, []int{2}},
	} {
		path := filepath.Join(t.TempDir(), "history.jsonl")
		for _, n := range c.nights {
			if added, err := Append(path, record(n)); err != nil || added != 1 {
				t.Fatalf("%s: %d added, %v", name, added, err)
			}
		}
		h := read(t, path)
		var got []int
		tracks, _ := tracksOf(h)
		for _, s := range tracks {
			got = append(got, len(s.Nights))
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: series of %v nights, want %v", name, got, c.want)
		}
		for i, r := range h.Records { // what was measured on stays known
			if r.Night.Machine != c.nights[i].Machine || r.Night.CPU != c.nights[i].CPU {
				t.Errorf("%s: %+v", name, r.Night.Key)
			}
		}
	}
}

// A change of a pool's series is settled, and accepted, wherever that was done; a night of another
// model neither ends the series nor raises its alarm again.
func TestPoolSettled(t *testing.T) {
	k := key(cell)
	h := &History{}
	for i, x := range append(quiet(1, 30, 0.01), 0.2) {
		h.Records = append(h.Records, record(pooled(made(k, i, x), "ci", nightID(i), "EPYC 7763")))
	}
	for i := range 8 { // nights that got another CPU
		h.Records = append(h.Records, record(pooled(made(k, 31+i, 0.5), "ci", nightID(i), "Xeon 8370C")))
	}
	f, err := Check(h, 0)
	if err != nil {
		t.Fatal(err)
	}
	open := f.Unsettled()
	if len(f.Series) != 2 || len(open) != 1 || open[0].Series.Ended || open[0].Series.Machine != "EPYC 7763 of the pool ci" {
		t.Fatalf("%d series, unsettled %+v", len(f.Series), open)
	}
	settled(h, open[0].Series.Key, 25, 30, infer.Refuted, 0.001)
	if f, err = Check(h, 0); err != nil || len(f.Unsettled()) != 0 {
		t.Errorf("%v: still unsettled: %+v", err, f.Unsettled())
	}
}

// A campaign's nights say its pool, and the model of the CPU that they were measured on.
func TestNightsOfAPool(t *testing.T) {
	a := answers()
	a.Machines = []*results.Machine{{ID: "m1", CPU: "EPYC 7763"}, {ID: "m2", CPU: "EPYC 7763"}}
	p := []analysis.Pinned{pin(a, "c03", 0.05)}
	if n := Nights(a, p, Origin{})[0]; n.Pool != "" || n.CPU != "EPYC 7763" || n.Series().CPU != "" || n.Series().Machine != "m1" {
		t.Errorf("without a pool: %+v", n.Key)
	}
	a.Campaign.Control = &results.Control{Profile: results.ProfileAsIs, Pool: "ci"}
	n := Nights(a, p, Origin{})[0]
	if n.Pool != "ci" || n.Machine != "m1" || n.Series().Machine != "EPYC 7763 of the pool ci" || n.Series().Series() != n.Series() {
		t.Errorf("%+v, of the series %+v", n.Key, n.Series())
	}
	a.Invocations[3].Machine = "m2" // two machines of one model
	if other := Nights(a, p, Origin{})[0]; other.Series() != n.Series() {
		t.Errorf("%+v, want %+v", other.Series(), n.Series())
	}
}
