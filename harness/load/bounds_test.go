package load

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"moobench/results"
)

// TestExpected: an answer is as expected by its status, its whole body, and a pattern in it.
func TestExpected(t *testing.T) {
	pattern := regexp.MustCompile("(?m)^ok$")
	for name, c := range map[string]struct {
		expect Expect
		status int
		body   string
		want   string // "": as expected
	}{
		"the first that is well": {Expect{}, 200, "", ""},
		"the last that is well":  {Expect{}, 299, "", ""},
		"before it":              {Expect{}, 199, "", "status 199, expected 200 to 299"},
		"behind it":              {Expect{}, 300, "", "status 300, expected 200 to 299"},
		"the one that is wanted": {Expect{Status: 404}, 404, "", ""},
		"another one":            {Expect{Status: 404}, 200, "", "status 200, expected 404"},
		"the body":               {Expect{Body: []byte("a")}, 200, "a", ""},
		"another body":           {Expect{Body: []byte("a  b\n")}, 200, "ab", "the body is not a b"},
		"an empty body":          {Expect{Body: []byte{}}, 200, "a", "the body is not empty"},
		"any body":               {Expect{}, 200, "a", ""},
		"the pattern":            {Expect{Pattern: pattern}, 200, "so\nok\n", ""},
		"no match":               {Expect{Pattern: pattern}, 200, "okay", "the body does not match ^ok$"},
		"the body alone": {
			Expect{Body: []byte("a"), Pattern: pattern},
			200, "a",
			"the body does not match ^ok$",
		},
	} {
		err := c.expect.check(c.status, []byte(c.body))
		if (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for n, more := range map[int]string{1: "", wrongBytes: "", wrongBytes + 1: " …", 3 * wrongBytes: " …"} {
		want := strings.Repeat("x", min(n, wrongBytes)) + more
		if got := extract([]byte(strings.Repeat("x", n))); got != want {
			t.Errorf("%d bytes: %d, want %d", n, len(got), len(want))
		}
	}
}

// TestJudge: a right answer is late after its time, or after the end of the load; a wrong one stays wrong.
func TestJudge(t *testing.T) {
	const end = 1000
	for name, c := range map[string]struct {
		got       Outcome
		after     time.Duration
		due, done int64
		want      Outcome
	}{
		"in time":           {Right, 100, 800, 900, Right},
		"just late":         {Right, 100, 800, 901, Late},
		"no limit":          {Right, 0, 0, 999, Right},
		"at the end":        {Right, 0, 0, end, Right},
		"after the end":     {Right, 0, 0, end + 1, Late},
		"late and wrong":    {Wrong, 100, 0, end + 1, Wrong},
		"late and reset":    {Reset, 100, 0, end + 1, Reset},
		"late and no reply": {TimedOut, 100, 0, end + 1, TimedOut},
	} {
		s := &sender{endNS: end}
		s.LateAfter = c.after
		sample := Sample{intendedNS: c.due}
		var why error
		if c.got != Right {
			why = errors.New("why")
		}
		answer := answer{outcome: c.got, doneNS: c.done, status: 500, err: why}
		s.judge(&client{}, &prepared{name: "x"}, answer, &sample)
		if sample.Outcome != c.want || sample.DoneNS != c.done || (len(s.wrong) == 1) != (c.want == Wrong) {
			t.Errorf("%s: %+v, %d wrong ones, want %v", name, sample, len(s.wrong), c.want)
		}
		for range 2 * wrongKept {
			s.judge(&client{}, &prepared{name: "x"}, answer, &sample)
		}
		if kept := len(s.wrong); kept > wrongKept || c.want == Wrong && kept != wrongKept {
			t.Errorf("%s: %d wrong ones are kept", name, kept)
		}
	}
}

// TestDueTimes: in a ramp the rate grows from 0, and then it holds; the last request is due before the end.
func TestDueTimes(t *testing.T) {
	l := Load{Rate: 100, Ramp: 2 * time.Second, Hold: 3 * time.Second}
	if got := l.expected(); got != 400 {
		t.Errorf("%v are expected, want 400", got)
	}
	for sent, want := range map[float64]time.Duration{
		0: 0, 25: time.Second, 100: 2 * time.Second, 150: 2500 * time.Millisecond, 400: 5*time.Second - 1,
		1000: 5*time.Second - 1,
	} {
		if got := l.due(sent); got != int64(want) {
			t.Errorf("%v are due after %v, want %v", sent, time.Duration(got), want)
		}
	}
	for _, c := range []struct{ a, b, want int64 }{{0, 3, 0}, {1, 3, 1}, {3, 3, 1}, {4, 3, 2}, {6, 3, 2}, {7, 1, 7}} {
		if got := ceil(c.a, c.b); got != c.want {
			t.Errorf("%d by %d: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestLosses: requests are lost that are neither right nor late, and a timeline counts them apart.
func TestLosses(t *testing.T) {
	var c Counts
	for o := range c {
		c[o] = int64(o + 1)
	}
	if c.Total() != 28 || c.Lost() != 28-1-7 {
		t.Errorf("%v: %d, %d lost", results.Outcomes, c.Total(), c.Lost())
	}
	ms := int64(time.Millisecond)
	r := &Result{EndNS: 1000 * ms, Hold: []Sample{{intendedNS: -5}, {intendedNS: 999*ms + 1}, {intendedNS: 2000 * ms}}}
	for step, want := range map[time.Duration]int{
		time.Millisecond: 1000, time.Microsecond: 1000, 0: 1000, 3 * time.Millisecond: 334, time.Second: 1,
		time.Minute: 1,
	} {
		rows := r.Timeline(step)
		n := len(rows[0])
		if n != want || rows[1][0] < 1 || rows[1][n-1] < 2 {
			t.Errorf("%v: %d rows, want %d; %v", step, n, want, rows[1][n-1])
		}
	}
}

// TestRangesOfLoads: a search needs a range of loads above 0 that ends.
func TestRangesOfLoads(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		low, high        float64
		capacity, bisect bool
	}{
		{1, 2, true, true},
		{1, 1, true, false},
		{2, 1, false, false},
		{0, 1, false, false},
		{-1, 1, false, false},
		{1, inf, false, false},
		{nan, 1, false, false},
		{1, nan, false, false},
		{0.001, 0.002, true, true},
	} {
		tried := 0
		try := func(context.Context, float64) (bool, error) { tried++; return false, nil }
		_, err := Capacity(t.Context(), c.low, c.high, try)
		if (err == nil) != c.capacity || (tried > 0) != c.capacity {
			t.Errorf("capacity from %v to %v: %v", c.low, c.high, err)
		}
		tried = 0
		err = Bisect(t.Context(), c.low, c.high, rand.New(rand.NewPCG(1, 2)), try)
		if (err == nil) != c.bisect || (tried > 0) != c.bisect {
			t.Errorf("between %v and %v: %v", c.low, c.high, err)
		}
	}
	for bears, want := range map[float64]float64{0.5: 0, 1: 1, 8: 8, 9: 8} {
		got, _, err := search(t.Context(), 1, 8, func(load float64) (bool, error) { return load <= bears, nil })
		if err != nil || got != want {
			t.Errorf("of a server that bears %v: %v, %v, want %v", bears, got, err, want)
		}
	}
}
