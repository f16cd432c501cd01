package evidence

import (
	"moobench/results"
	"moobench/results/summary"
)

const (
	// compiledLeast is the least share of the loop for a batch's compilations to count. Shorter
	// ones move no mean by more than that.
	compiledLeast = 0.005
	// compiledLead extends the excluded time before a compilation, as a share of its length: the
	// code it replaces was discarded, or queued, before it began.
	compiledLead = 0.25
)

// compiling reports for each batch whether the JVM's compilers worked in it, or calls waited for
// their code; nil if the JVM doesn't report it. Compilation times are recorded in the batch where a
// compilation ends, so the batches it spanned before are marked too. The time of a batch is the
// time of the first thread's calls and of the reference.
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
