package turnaround

import (
	"fmt"
	"path/filepath"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// first is the series of sample 1, one row; the others are in Turnaround.
const first = results.SeriesFirst

// dumps are the raw dumps of a fixture, which are read before they are sealed.
type dumps struct {
	dir    string
	series map[string]results.Series
}

// read returns the columns of a series by name; nil where there is no such
// series.
func (d *dumps) read(name string) (map[string][]int64, error) {
	s, ok := d.series[name]
	if !ok {
		return nil, nil
	}
	columns, err := results.ReadDump(filepath.Join(d.dir, s.Dump), s)
	if err != nil {
		return nil, err
	}
	named := map[string][]int64{}
	for i, c := range s.Columns {
		named[c.Name] = columns[i]
	}
	return named, nil
}

// changes are the samples of an invocation, a value of each column for each;
// sample 1 is the first.
type changes map[string][]int64

// check reads the samples, and checks that there are as many as were ordered, and
// that each of them was monitored if records prove it.
func (d *dumps) check(c *plan.Cell) error {
	all := changes{}
	for _, name := range []string{first, Turnaround} {
		columns, err := d.read(name)
		if err != nil {
			return err
		}
		for name, values := range columns {
			all[name] = append(all[name], values...)
		}
	}
	if n, want := int64(len(all["total"])), c.Int(samples); n != want {
		return countsf("the fixture timed %d changes, %d were ordered: it lies, or ended early", n, want)
	}
	if c.Proof.Kind != results.ProofCount {
		return nil
	}
	return all.monitored(c.Int(atOnce))
}

// monitored checks that the first call of every class of every sample left a
// record: a change that missed a class looks quick.
func (c changes) monitored(atOnce int64) error {
	recorded := c["recorded"]
	if len(recorded) != len(c["total"]) {
		return countsf("the fixture doesn't say how many records each change yielded: are fixture and moobench of the same version?")
	}
	for i, n := range recorded {
		if n != atOnce {
			return countsf("sample %d: %d first calls of %s left %d records: not all were instrumented, or more than those", i+1, atOnce, classes(atOnce), n)
		}
	}
	return nil
}

func classes(n int64) string {
	if n == 1 {
		return "1 class"
	}
	return fmt.Sprintf("%d classes", n)
}

func countsf(format string, args ...any) error {
	return &jvm.Failure{Kind: "counts", Message: fmt.Sprintf(format, args...)}
}

// expected is the number of records of an invocation: one for the first call of
// each class of each sample, and one for each execution of the hot method while
// its probe is in. Neither the calls before and after nor those that warm up
// are monitored.
func expected(c *plan.Cell) int64 {
	return c.Int(samples)*c.Int(atOnce) + c.Int(calls)*c.Int(depth)
}
