package nightly

import "testing"

// TestFit: a confirmation has blocks enough to say something, or as many as the alarm needs.
func TestFit(t *testing.T) {
	for blocks, ok := range map[int]bool{-1: false, 0: true, 4: false, 5: true, 1000: true, 1001: false} {
		o := Options{Blocks: blocks}
		if err := o.fit(); (err == nil) != ok {
			t.Errorf("%d blocks: %v", blocks, err)
		}
	}
}
