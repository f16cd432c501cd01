package history

import (
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
)

func TestSentences(t *testing.T) {
	k := key(cell)
	xs := quiet(1, 40, 0.01)
	for name, c := range map[string]struct {
		h    func() *History
		want []string
	}{
		"alarm": {
			func() *History { return historyOf(k, append(slices.Clone(xs[:30]), 0.2)) },
			[]string{"duration of kieker/bci/collect, against pinned/bci/collect, is", "higher, which is worse", "4 February 2026, commit abc001e", "suspected: the last night against the 30 nights before", "moobench confirm measures old and new again"},
		},
		"detected": {
			func() *History { return historyOf(k, stepped(xs, 30, 0.1)) },
			[]string{"detected: 10 nights since then, and 30 nights before", "moobench history accept 'overhead/duration/kieker/bci/collect' --night n0030"},
		},
		"confirmed": {
			func() *History {
				h := historyOf(k, stepped(xs, 30, 0.1))
				settled(h, k, 29, 30, infer.Confirmed, 0.1)
				return h
			},
			[]string{"is 11 % higher (99 % CI +8.3 % … +13 %), which is worse", "confirmed: new exceeded old by that much, re-measured in 15 blocks; the nights alone say +11 % (95 % CI +", "mend it, or make it the new normal"},
		},
		"open": {
			func() *History {
				h := historyOf(k, append(slices.Clone(xs[:30]), 0.2))
				settled(h, k, 25, 30, infer.Open, 0.03)
				return h
			},
			[]string{"suspected: re-measured in 15 blocks", "does not settle it", "--blocks 30"},
		},
		"accepted": {
			func() *History {
				h := historyOf(k, stepped(xs, 30, 0.1))
				accepted(h, k, 30)
				return h
			},
			[]string{"accepted as the new normal (meant)"},
		},
		"better": {
			func() *History { return historyOf(k, stepped(xs, 30, -0.1)) },
			[]string{"lower", "which is better"},
		},
	} {
		s, _ := checked(t, c.h())
		if len(s.Changes) != 1 {
			t.Errorf("%s: %d changes", name, len(s.Changes))
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(s.Changes[0].Sentence, want) {
				t.Errorf("%s: %q does not say %q", name, s.Changes[0].Sentence, want)
			}
		}
	}
}
