package history

import "testing"

// The alarms of a night are shared by the series that are judged in it: those of the same campaign and machine that
// go on, have nights enough, and are no second baseline.
func TestBeside(t *testing.T) {
	xs := quiet(1, 30, 0.01)
	of := func(change func(k *Key)) Key {
		k := key("other")
		change(&k)
		return k
	}
	for name, c := range map[string]struct {
		other    Key
		from, to int // nights of the other series
		change   func(n *Night)
		want     int
	}{
		"the same nights":   {other: of(func(*Key) {}), to: 30, want: 2},
		"as few as do":      {other: of(func(*Key) {}), from: 23, to: 30, want: 2},
		"too few":           {other: of(func(*Key) {}), from: 24, to: 30, want: 1},
		"ended":             {other: of(func(*Key) {}), to: 25, want: 1},
		"another machine":   {other: of(func(k *Key) { k.Machine = "m2" }), to: 30, want: 1},
		"another campaign":  {other: of(func(k *Key) { k.Campaign = "weekly" }), to: 30, want: 1},
		"a second baseline": {other: of(func(*Key) {}), to: 30, change: func(n *Night) { n.AA = true }, want: 1},
	} {
		h := historyOf(key(cell), xs)
		for i := c.from; i < c.to; i++ {
			n := made(c.other, i, xs[i])
			if c.change != nil {
				c.change(&n)
			}
			h.Records = append(h.Records, record(n))
		}
		judged, err := judge(h, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range judged.tracks {
			if one.Cell != cell {
				continue
			}
			if got := judged.beside(one); got != c.want {
				t.Errorf("%s: %d series, want %d", name, got, c.want)
			}
			if s, nights := judged.source(one, h); s == nil || nights != 30 || s.tests != 3*c.want {
				t.Errorf("%s: %d nights, %+v, want %d comparisons", name, nights, s, 3*c.want)
			}
		}
	}
}
