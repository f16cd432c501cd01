// Package simulation makes up campaigns whose truth is known and counts how
// often the intervals of package stats hold it. It consists of tests; what they
// counted at length stands in COVERAGE.md.
package simulation
