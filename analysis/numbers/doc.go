// Package numbers reads anybody's numbers and compares them with the same
// statistics as campaigns.
//
// Numbers come one a line, as columns of a table, as summaries (mean, standard
// deviation, n), or as counts with exposures. Whatever can't be read is
// refused with its file and line, all at once: a thousands separator or a
// decimal comma that is guessed wrong would be an answer to another question.
//
// A Report in JSON is what moobench test --json prints; the fields of its types
// document the keys. A null bound is an unbounded one.
package numbers
