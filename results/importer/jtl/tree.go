package jtl

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"
)

// slack is by how much a sub-result may end after its parent: both ends are rounded to
// milliseconds.
const slack = int64(time.Millisecond)

// tree tells requests from the samples that are parts or sums of others, by what they are
// called, by when they were, and by their threads.
type tree struct {
	samples []sample
	drop    []bool
	byPlace map[place][]int // samples by thread and label, in the order of sending
	threads map[int32][]int // samples by thread, in the order of sending
	related map[int32][]int32
	names   *names // of threads
}

// place is what a thread did under one label.
type place struct{ thread, label int32 }

// leftOut counts the lines that are no requests, and the transactions that are.
type leftOut struct{ parts, sums, alone int }

// requestsOf leaves out what is part of another sample, or the sum of others. The samples are
// sorted by their sending.
func requestsOf(samples []sample, t *tables) ([]sample, leftOut) {
	tr := tree{samples: samples, names: t.threads, drop: make([]bool, len(samples)), byPlace: map[place][]int{}, threads: map[int32][]int{}}
	for i, s := range samples {
		at := place{s.thread, s.label}
		tr.byPlace[at] = append(tr.byPlace[at], i)
		tr.threads[s.thread] = append(tr.threads[s.thread], i)
	}
	out := leftOut{parts: tr.dropParts()}
	out.sums, out.alone = tr.dropSums()
	kept := make([]sample, 0, len(samples)-out.parts-out.sums)
	for i, s := range samples {
		if !tr.drop[i] {
			kept = append(kept, s)
		}
	}
	return kept, out
}

// inside says how one sample lies in the time of another: not at all, perhaps (both begin or end
// in one millisecond, and requests that follow each other do, too), or surely.
type inside int

const (
	outside inside = iota
	perhaps
	surely
)

func (s *sample) in(p *sample) inside {
	switch {
	case s.from() < p.from() || s.to() > p.to()+slack || s.from() > p.to():
		return outside
	case s.from() < p.to() && (s.from() > p.from() || s.to() > s.from()), s.from() == p.from() && p.from() == p.to():
		return surely
	}
	return perhaps
}

// dropParts leaves out sub-results: they are named after a sample of the same thread in whose
// time they lie. A label that only looks like such a name is that of requests.
func (t *tree) dropParts() (parts int) {
	type tally struct{ all, sure int }
	byLabel := map[int32]*tally{}
	how := make([]inside, len(t.samples))
	for i := range t.samples {
		s := &t.samples[i]
		if s.parent < 0 || s.steps > 0 {
			continue
		}
		how[i] = t.within(i, t.byPlace[place{s.thread, s.parent}])
		n := byLabel[s.label]
		if n == nil {
			n = &tally{}
			byLabel[s.label] = n
		}
		if n.all++; how[i] == surely {
			n.sure++
		}
	}
	for i, s := range t.samples {
		n := byLabel[s.label]
		if how[i] == outside || n == nil {
			continue
		}
		mostly := 10*n.sure >= 9*(n.all-1) && n.sure > 0
		if how[i] == surely && (s.thread >= 0 || mostly) || mostly {
			t.drop[i] = true
			parts++
		}
	}
	return parts
}

// candidates is how many samples of one thread and label are tried: one that holds another began
// shortly before it, and load generators whose threads have the same names mix theirs.
const candidates = 16

// within says how a sample lies in the best of some others, which are in the order of sending.
func (t *tree) within(i int, parents []int) inside {
	s, best := &t.samples[i], outside
	from := sort.Search(len(parents), func(k int) bool { return t.samples[parents[k]].from() > s.from() })
	for k := from - 1; k >= max(0, from-candidates) && best != surely; k-- {
		if p := parents[k]; p != i && !t.same(p, i) {
			best = max(best, s.in(&t.samples[p]))
		}
	}
	return best
}

// same says whether two samples of one label have the same time: then none is a part of the other.
func (t *tree) same(a, b int) bool {
	x, y := &t.samples[a], &t.samples[b]
	return x.label == y.label && x.from() == y.from() && x.to() == y.to() && x.line > y.line
}

// dropSums leaves out transactions whose samples are in the file; the others are requests.
func (t *tree) dropSums() (sums, alone int) {
	for i := range t.samples {
		switch s := &t.samples[i]; {
		case s.steps == 0 || t.drop[i]:
		case t.isSum(i):
			t.drop[i] = true
			sums++
		default:
			alone++
		}
	}
	return sums, alone
}

// isSum says whether most of the samples that a transaction is made of are in the file: of the
// same thread, or of those that are named after it, and in its time. Some may be missing, as
// broken lines are. Without threads, where others' samples lie in its time, all must be there.
func (t *tree) isSum(i int) bool {
	s := &t.samples[i]
	most := int(s.steps)
	found := t.steps(i, t.threads[s.thread], most)
	if s.thread < 0 {
		return found == most || t.addsUp(i)
	}
	for _, thread := range t.relatives(s.thread) {
		found += t.steps(i, t.threads[thread], most-found)
	}
	return 2*found > most || t.addsUp(i)
}

// addsUp says whether the time of a transaction is the sum of as many samples as it is made of,
// the next of its thread: it has no pauses, and where the file does not say how long these were,
// the later samples lie behind its time.
func (t *tree) addsUp(i int) bool {
	s := &t.samples[i]
	all, left, sum := t.threads[s.thread], int(s.steps), int64(0)
	from := sort.Search(len(all), func(k int) bool { return t.samples[all[k]].from() >= s.from() })
	for k := from; k < len(all) && left > 0 && sum <= s.values[rowTook]; k++ {
		j := all[k]
		step := &t.samples[j]
		if step.steps > 0 || t.drop[j] {
			continue
		}
		if left == int(s.steps) && step.from() > s.to() {
			return false
		}
		sum += step.values[rowTook]
		left--
	}
	off := sum - s.values[rowTook]
	return left == 0 && max(off, -off) <= int64(s.steps)*slack
}

// steps counts the samples among others, which are in the order of sending, that a transaction
// is made of, up to a number.
func (t *tree) steps(i int, all []int, most int) (n int) {
	s := &t.samples[i]
	from := sort.Search(len(all), func(k int) bool { return t.samples[all[k]].from() >= s.from() })
	for k := from; k < len(all) && n < most && t.samples[all[k]].from() <= s.to(); k++ {
		if j := all[k]; j != i && t.isStep(j, i) {
			n++
		}
	}
	return n
}

// isStep says whether sample j may be one that transaction i is made of. Sub-results are none: they
// lie in another sample, or in the transaction itself, whose name they have. Of two transactions
// with the same time the one that was written first is a part of the other.
func (t *tree) isStep(j, i int) bool {
	step, s := &t.samples[j], &t.samples[i]
	if step.in(s) != surely || t.isPartOf(j) {
		return false
	}
	equal := step.from() == s.from() && step.to() == s.to()
	return step.steps == 0 || !equal || step.line < s.line
}

// isPartOf says whether a sample was left out as a sub-result.
func (t *tree) isPartOf(j int) bool { return t.drop[j] && t.samples[j].steps == 0 }

// relatives are the threads whose names begin with that of another: those that a parallel
// controller starts.
func (t *tree) relatives(thread int32) []int32 {
	if t.related == nil {
		t.related = map[int32][]int32{}
		var all []int32
		for id := range t.threads {
			if id >= 0 {
				all = append(all, id)
			}
		}
		name := func(id int32) string { return t.names.list[id] }
		slices.SortFunc(all, func(a, b int32) int { return cmp.Compare(name(a), name(b)) })
		for i, id := range all {
			for _, other := range all[i+1:] {
				rest, ok := strings.CutPrefix(name(other), name(id))
				if !ok {
					break
				}
				if rest != "" && (rest[0] < '0' || rest[0] > '9') {
					t.related[id] = append(t.related[id], other)
				}
			}
		}
	}
	return t.related[thread]
}
