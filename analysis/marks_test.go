package analysis

import (
	"testing"

	"moobench/analysis/caveat"
)

// A caveat that counts invocations says so where no row does.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		mark caveat.Mark
		want string
	}{
		{caveat.Mark{Kind: "disturbed", Show: "disturbed 2 of 5", Of: 5}, "disturbed 2 of 5 invocations"},
		{caveat.Mark{Kind: markFew, Show: "only 3"}, "only 3 invocations"},
		{caveat.Mark{Kind: "queue", Show: "queue not filled"}, "queue not filled"},
	} {
		if got := said(c.mark); got != c.want {
			t.Errorf("%+v: %q, want %q", c.mark, got, c.want)
		}
	}
}
