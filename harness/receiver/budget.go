package receiver

import "sync/atomic"

// budget bounds how much of something all connections of a receiver hold at once.
type budget struct{ left atomic.Int64 }

func newBudget(most int64) *budget {
	b := &budget{}
	b.left.Store(most)
	return b
}

// take takes n, or nothing when less is left.
func (b *budget) take(n int64) bool {
	if b.left.Add(-n) >= 0 {
		return true
	}
	b.left.Add(n)
	return false
}

func (b *budget) give(n int64) { b.left.Add(n) }
