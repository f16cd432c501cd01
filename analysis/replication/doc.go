// Package replication sets a paper's printed figures beside ours.
//
// A paper is a figures.toml: tables as they were printed, checks that recompute
// what can be recomputed from the printed figures alone, and claims with the
// cells of a campaign that decide them. The package knows formulas, never a
// paper: a new one is a folder without code. It is pure, and reads no file.
package replication
