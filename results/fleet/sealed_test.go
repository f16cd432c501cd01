package fleet

import (
	"fmt"
	"testing"
)

// TestAsSealed: the first changes are named, and how many more there are.
func TestAsSealed(t *testing.T) {
	var all []string
	for i := range namedChanges + 2 {
		all = append(all, fmt.Sprint(i))
	}
	if err := asSealed("a", nil); err != nil {
		t.Errorf("nothing is changed: %v", err)
	}
	named := ""
	for i := range namedChanges {
		if named += "; "; i == 0 {
			named = ""
		}
		named += fmt.Sprint(i)
	}
	for n, want := range map[int]string{
		1: "a is not as it was sealed: 0", namedChanges: "a is not as it was sealed: " + named,
		namedChanges + 1: "a is not as it was sealed: " + named + "; and 1 more",
		namedChanges + 2: "a is not as it was sealed: " + named + "; and 2 more",
	} {
		if err := asSealed("a", append([]string(nil), all[:n]...)); err == nil || err.Error() != want {
			t.Errorf("%d changes: %v, want %s", n, err, want)
		}
	}
}
