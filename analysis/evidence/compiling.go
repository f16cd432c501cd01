package evidence

import (
	"moobench/results"
	"moobench/results/summary"
)

const (
	// compiledLeast is the share of its loop that a batch's compilations must have taken to count.
	// Shorter ones move no mean by more than that.
	compiledLeast = 0.005
	// compiledLead is by how much more than the compilation itself is left out before it, as a
	// share: the code that it replaces was thrown away, or queued, before it began.
	compiledLead = 0.25
)

// compiling says of each batch whether the JVM's compilers worked in it, or the calls waited for
// their code: nil where the JVM doesn't tell. What is told is how long they had worked when a
// compilation ended, and so the batches before that are of it. The time of a batch is that of the
// calls of the first thread, and of the reference.
func compiling(s *summary.Summary, calls *summary.Column, batches int) []bool {
	told, reference := s.Find(results.SeriesCompiling, "t"), s.Find(results.SeriesReference, "t")
	if len(told) == 0 || len(reference) == 0 || told[0].Batches() != batches || reference[0].Batches() != batches {
		return nil
	}
	lengths, loop := make([]float64, batches), 0.0
	for i := range lengths {
		lengths[i] = calls.Sum[i] + reference[0].Sum[i]
		loop += lengths[i]
	}
	var all []bool
	for i, took := range told[0].Sum {
		if took < compiledLeast*loop {
			continue
		}
		if all == nil {
			all = make([]bool, batches)
		}
		left := took * (1 + compiledLead)
		for b := i; b >= 0 && left > 0; b-- {
			all[b] = true
			left -= lengths[b]
		}
	}
	return all
}
