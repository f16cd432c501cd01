package swap

import (
	"fmt"
	"strings"
	"testing"

	"moobench/internal/testgolden"
)

// TestShownText: what is printed of a change, and of a JVM without one; lists say how many more there are.
func TestShownText(t *testing.T) {
	changed := func(change func(*Change)) *Change {
		c := &Change{
			Request: "activate", Patterns: []string{"+ a.B.c(..)"}, Classes: 2, Methods: 1, MatchNS: 1000,
			TransformNS: 2000, SwapNS: 3000,
			TookNS: 6000,
		}
		change(c)
		return c
	}
	var b strings.Builder
	for _, c := range []struct {
		name string
		all  bool
		r    Result
	}{
		{
			"state", false,
			Result{
				Patterns: []string{"+ a", "- b"}, Methods: []string{"m"}, Count: 3,
				Records: map[string]int64{"entered": 1234, "exited": 0},
			},
		},
		{"nothing", false, Result{}},
		{
			"change", false,
			Result{Change: changed(func(*Change) {}), Patterns: []string{"+ a"}, Methods: []string{"m"}, Count: 1},
		},
		{
			"change, all", true,
			Result{Change: changed(func(*Change) {}), Patterns: []string{"+ a"}, Methods: []string{"m"}, Count: 1},
		},
		{"no class", false, Result{Change: changed(func(c *Change) { c.Classes, c.Methods = 0, 0 })}},
		{"one class", false, Result{Change: changed(func(c *Change) { c.Classes, c.Methods = 1, 2 })}},
		{
			"removed", false,
			Result{Change: changed(func(c *Change) { c.Request, c.Patterns = "remove", []string{"+ a", "b"} })},
		},
		{"unsigned", false, Result{Change: changed(func(c *Change) { c.Patterns = []string{"b"} })}},
		{"failed", false, Result{Change: changed(func(c *Change) { c.Failed, c.Failures = 1, []string{"a.B: no"} })}},
		{
			"failed, many", false,
			Result{Change: changed(func(c *Change) { c.Failed, c.Failures = 1500, []string{"a.B: no", "a.C: no"} })},
		},
		{"failed silently", false, Result{Change: changed(func(c *Change) { c.Failed = 2 })}},
		{"kept", false, Result{Keep: "/tmp/k"}},
	} {
		c.r.PID, c.r.VM, c.r.JVM, c.r.Probe = 7, "HotSpot", "21", "moobench"
		fmt.Fprintf(&b, "== %s\n", c.name)
		c.r.writeText(&b, c.all)
	}
	testgolden.Check(t, "testdata/shown.txt", b.String())
}
