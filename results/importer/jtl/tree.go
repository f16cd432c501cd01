package jtl

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"
)

// slack is the largest time by which a sub-result may end after its parent: both ends are rounded to
// milliseconds.
const slack = int64(time.Millisecond)

// tree separates requests from samples that are parts or sums of others, by labels, times and threads.
type tree struct {
	samples []sample
	drop    []bool
	byPlace map[place][]int // by thread and label, in order of sending
	threads map[int32][]int // by thread, in order of sending
	related map[int32][]int32
	names   *names // of threads
}

// place is a thread and a label.
type place struct{ thread, label int32 }

// leftOut counts the lines that are not requests, and the transactions that are.
type leftOut struct{ parts, sums, alone int }

// requestsOf leaves out samples that are parts or sums of others. The samples are sorted by sending.
func requestsOf(samples []sample, t *tables) ([]sample, leftOut) {
	tr := tree{
		samples: samples, names: t.threads, drop: make([]bool, len(samples)),
		byPlace: map[place][]int{}, threads: map[int32][]int{},
	}
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

// inside says whether one sample lies within the time of another: no, perhaps (both begin or end in the same
// millisecond, as consecutive requests do, too), or surely.
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

// dropParts leaves out sub-results: samples named after a sample of the same thread whose time contains them. A
// label that merely looks like a sub-result's is kept if its samples rarely lie in their parents.
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

// candidates is the number of samples of one thread and label that are tried as a parent. A parent began
// shortly before, and load generators with equal thread names are mixed.
const candidates = 16

// within returns how a sample lies in the best of some others, which are in order of sending.
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

// same reports whether two samples of one label have the same time: then neither is a part of the other, and
// the later line yields.
func (t *tree) same(a, b int) bool {
	x, y := &t.samples[a], &t.samples[b]
	return x.label == y.label && x.from() == y.from() && x.to() == y.to() && x.line > y.line
}

// dropSums leaves out transactions whose samples are in the file; other transactions are requests.
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

// isSum reports whether most of a transaction's samples are in the file: in its time, and of its thread or of
// threads named after it. Some may be missing with broken lines. Without thread names, samples of other threads
// lie in its time, so that all must be there.
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

// addsUp reports whether the time of a transaction is the sum of its samples, the next ones of its thread. The
// time excludes pauses; if the file does not give their length, later samples lie beyond the transaction's end.
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

// steps counts the samples of a transaction among others, which are in order of sending, up to most.
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

// isStep reports whether sample j may be a step of transaction i. Sub-results are not steps: they lie in
// another sample, or in the transaction itself, whose name they have. Of two transactions with the same time
// the one written first is a part of the other.
func (t *tree) isStep(j, i int) bool {
	step, s := &t.samples[j], &t.samples[i]
	if step.in(s) != surely || t.isPartOf(j) {
		return false
	}
	equal := step.from() == s.from() && step.to() == s.to()
	return step.steps == 0 || !equal || step.line < s.line
}

// isPartOf reports whether a sample was left out as a sub-result.
func (t *tree) isPartOf(j int) bool { return t.drop[j] && t.samples[j].steps == 0 }

// relatives returns the threads whose names extend another's: a parallel controller starts them.
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
