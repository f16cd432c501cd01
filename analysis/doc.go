// Package analysis answers the questions of a campaign: it reads results and
// knows no scenario. What it says of a cell rests on one value per invocation,
// compared within blocks.
//
// It is the room of answers: cells, questions, gate, growth, break-even. What each
// invocation says is read in evidence, what became of records is settled in proof,
// samples are compared in infer, and the vocabulary of sentences is in prose.
package analysis
