// Package results is the format on disk, and the vocabulary of every other package:
// campaign, cell, block, invocation, series, metric, question.
//
// It imports nothing of moobench except its own folders: the half that measures (harness)
// writes it, the half that answers (analysis) reads it, and neither needs the other.
// FORMAT.md describes the files for readers in other languages.
package results

// Format is the version of the format on disk that this package writes. Keys
// may be added within a format; meanings never change.
const Format = 2
