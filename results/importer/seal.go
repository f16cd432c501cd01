package importer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"moobench/results"
)

// Samples are those of one series of an invocation: Values[c][r] is the value of
// Series.Columns[c] in row r. Count and Dump of the series need not be set.
type Samples struct {
	Series results.Series
	Values [][]int64
}

// Seal adds an invocation with its samples, whole or not at all. Series without
// rows are left out.
func Seal(store *results.Store, id results.Identity, inv *results.Invocation, all ...Samples) error {
	draft, err := store.Begin(id)
	if err != nil {
		return err
	}
	for _, s := range all {
		if len(s.Values) == 0 || len(s.Values[0]) == 0 {
			continue
		}
		s.Series.Count = int64(len(s.Values[0]))
		s.Series.Dump = fmt.Sprintf("%s.%d.i64", s.Series.Name, s.Series.Thread)
		if err := writeDump(filepath.Join(draft.Dir(), s.Series.Dump), s); err != nil {
			return errors.Join(err, draft.Discard())
		}
		inv.Series = append(inv.Series, s.Series)
	}
	return draft.Seal(inv)
}

func writeDump(path string, s Samples) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	return errors.Join(results.WriteDump(f, s.Series, s.Values...), f.Close())
}
