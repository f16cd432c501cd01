package saturation

import (
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/results"

	"github.com/google/go-cmp/cmp"
)

// window is a window of a second, in which all calls were made that were asked for, with as many records; of
// these so many came in time.
func window(asked, delivered int64) results.Rated {
	return results.Rated{Asked: asked, Calls: asked, SpanNS: 1e9, Made: asked, Delivered: delivered}
}

// A curve says what its windows don't show: records that nobody counted, those that wait in a buffer, and that
// not even the lowest rate was borne.
func TestCaveats(t *testing.T) {
	const (
		uncounted = "its records were not counted while it ran: whether they were delivered is not known, " +
			"only whether calls kept their rate"
		buffered = "at 1,000 calls per second, which is below that, 98 % of the records came in time: the others " +
			"wait in a " +
			"buffer that is sent at intervals or once it is full, and are counted at another rate; make " +
			"drain longer, or hold"
		lowest = "not even the lowest rate was sustained: set lowest lower, or make drain longer than the interval " +
			"at which it sends"
	)
	share := func(asked int64, x float64) Rate { return Rate{Asked: asked, Share: &infer.Estimate{Value: x}} }
	above := &Knee{Above: number(2_000)}
	for _, c := range []struct {
		name  string
		role  results.Role
		knee  *Knee
		rates []Rate
		rated []results.Rated
		want  []string
	}{
		{"counted", results.RoleVariant, above, nil, []results.Rated{window(1_000, 1_000)}, nil},
		{"nothing came", results.RoleVariant, above, nil, []results.Rated{window(1_000, 0)}, nil},
		{"not counted", results.RoleVariant, above, nil, []results.Rated{window(1_000, -1)}, []string{uncounted}},
		{"none were made", results.RoleVariant, above, nil, []results.Rated{{Asked: 1_000}}, []string{uncounted}},
		{"a baseline makes none", results.RoleBaseline, above, nil, []results.Rated{window(1_000, -1)}, nil},
		{
			"later", results.RoleVariant, above,
			[]Rate{share(1_000, 0.98)},
			[]results.Rated{window(9, 9), window(9, 10)},
			[]string{buffered},
		},
		{"none came later", results.RoleVariant, above, []Rate{share(1_000, 0.98)}, []results.Rated{window(9, 9)}, nil},
		{
			"as many as it takes", results.RoleVariant, above,
			[]Rate{share(1_000, 0.99)},
			[]results.Rated{window(9, 10)},
			nil,
		},
		{"at the knee", results.RoleVariant, above, []Rate{share(2_000, 0.5)}, []results.Rated{window(9, 10)}, nil},
		{"no share", results.RoleVariant, above, []Rate{{Asked: 1_000}}, []results.Rated{window(9, 10)}, nil},
		{
			"lost at all rates", results.RoleVariant, &Knee{Lost: 1}, nil,
			[]results.Rated{window(9, 9)},
			[]string{lowest},
		},
		{
			"lost at some", results.RoleVariant, &Knee{Lost: 1, Above: number(9)}, nil,
			[]results.Rated{window(9, 9)},
			nil,
		},
		{"slowed at all rates", results.RoleVariant, &Knee{Slowed: 1}, nil, []results.Rated{window(9, 9)}, nil},
		{"no knee", results.RoleVariant, nil, []Rate{share(1_000, 0.98)}, []results.Rated{window(9, 10)}, nil},
	} {
		s := Curve{Knee: c.knee, Rates: c.rates}
		s.caveats(&results.Cell{Role: c.role}, []*evidence.Invocation{{Rated: c.rated}})
		if diff := cmp.Diff(c.want, s.Caveats); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The knee of a JVM lies between what it bore and what it refused. A rate that was slowed bounds it by what was
// asked for, since not even so many calls came about; one that lost records by what was made.
func TestKneeOf(t *testing.T) {
	slowed := func(asked, calls int64) results.Rated {
		w := window(asked, asked)
		w.Calls = calls
		return w
	}
	for _, c := range []struct {
		name  string
		rated []results.Rated
		want  Knee
	}{
		{"bears all", []results.Rated{window(100, 100)}, Knee{Above: number(100), Low: number(100)}},
		{"loses all", []results.Rated{window(100, 98)}, Knee{Below: number(100), High: number(100), Lost: 1}},
		{
			"loses some",
			[]results.Rated{window(100, 100), window(400, 100)},
			Knee{
				Value: number(200), Above: number(100), Below: number(400), Low: number(100), High: number(400),
				Lost: 1,
			},
		},
		{
			"is slowed",
			[]results.Rated{window(100, 100), slowed(400, 120)},
			Knee{
				Value: number(200), Above: number(100), Below: number(400), Low: number(100), High: number(400),
				Slowed: 1,
			},
		},
		{
			"loses when slowed",
			[]results.Rated{window(100, 100), {Asked: 300, Calls: 225, SpanNS: 1e9, Made: 225, Delivered: 10}},
			Knee{
				Value: number(150), Above: number(100), Below: number(225), Low: number(100), High: number(225),
				Lost: 1,
			},
		},
	} {
		c.want.JVMs = 1
		if diff := cmp.Diff(&c.want, kneeOf([]*evidence.Invocation{{Rated: c.rated}})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	if k := kneeOf(nil); k != nil {
		t.Errorf("no JVM has the knee %+v", k)
	}
}

// Time and CPU time are per call, unknown only if negative, and a share is of counted records alone.
func TestFiguresAtTheirEdges(t *testing.T) {
	w := results.Rated{Calls: 4, Made: 4, Delivered: 3}
	if cpuOf(w) != 0 || shareOf(w) != 0.75 {
		t.Errorf("no CPU time is %v, three of four are %v", cpuOf(w), shareOf(w))
	}
	if w.Delivered = 5; shareOf(w) != 1 {
		t.Errorf("more than all are %v", shareOf(w))
	}
	if w.Delivered = -1; shareOf(w) == shareOf(w) {
		t.Errorf("not counted is %v", shareOf(w))
	}
	for x, want := range map[float64]string{100.4: "100", 999.6: "1,000", 123.6: "124", 10.6: "11"} {
		if got := perSecond(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}
