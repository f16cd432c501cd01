package results

import "testing"

// TestShardsShareThePlan: every planned block is measured by one shard, which knows how many it has and which number
// each of its own has in the whole.
func TestShardsShareThePlan(t *testing.T) {
	for planned := range 12 {
		for count := 1; count <= 5; count++ {
			var of [12]int // shards that measure a block
			for index := 1; index <= count; index++ {
				s := Shard{Index: index, Count: count, Planned: planned, First: 7}
				own := 0
				for i := range planned {
					if !s.Measures(i) {
						continue
					}
					if got := s.Own(own); got != 7+i {
						t.Errorf("block %d of shard %d/%d is called %d, want %d", own, index, count, got, 7+i)
					}
					of[i]++
					own++
				}
				if got := s.Blocks(); got != own {
					t.Errorf("shard %d/%d of %d blocks has %d, want %d", index, count, planned, got, own)
				}
			}
			for i, n := range of[:planned] {
				if n != 1 {
					t.Errorf("block %d is measured by %d of %d shards", i, n, count)
				}
			}
		}
	}
}

// TestUndecided: only a precision that was asked for, and has no decision yet, waits for a pilot.
func TestUndecided(t *testing.T) {
	for _, test := range []struct {
		z    *Sizing
		want bool
	}{
		{nil, false},
		{&Sizing{}, false},
		{&Sizing{Precision: 0.02}, true},
		{&Sizing{Precision: 2}, true},
		{&Sizing{Precision: 0.02, Decision: &Decision{Blocks: 9}}, false},
	} {
		if got := test.z.Undecided(); got != test.want {
			t.Errorf("%+v: %v", test.z, got)
		}
	}
}
