// Package tidy writes a campaign as tables for R, pandas, DuckDB and other readers of CSV
// or Parquet: one row for each observation, one column for each variable, units beside
// the values. results/importer/README.md describes them.
package tidy

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"moobench/results"
	"moobench/results/importer"
)

// Format is a file format of tables.
type Format string

const (
	CSV     Format = "csv"
	Parquet Format = "parquet"
)

// Write writes tables of the listed invocations into the folder dir, which must be new or empty, whole or not
// at all: invocations, metrics, columns and names, and for Parquet the samples too. It returns the names of the
// files, and stops when ctx is done.
func Write(
	ctx context.Context, dir string, f Format, store *results.Store, list []*results.Invocation,
	measured map[results.Identity]Measured,
) ([]string, error) {
	e := &export{name: store.Name(), store: store, list: list, measured: measured}
	var names []string
	err := importer.Folder("exporting", dir, func(tmp string) error {
		for _, t := range []table{e.invocations(), e.metrics(), e.columns(), e.names()} {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("exporting: %w", err)
			}
			name := t.name + "." + string(f)
			names = append(names, name)
			err := writeFile(filepath.Join(tmp, name), func(w io.Writer) error {
				if f == Parquet {
					return writeParquet(w, t)
				}
				return writeCSV(w, t)
			})
			if err != nil {
				return err
			}
		}
		if f != Parquet {
			return nil
		}
		names = append(names, "samples.parquet")
		samples := func(w io.Writer) error { return e.writeSamples(ctx, w) }
		return writeFile(filepath.Join(tmp, "samples.parquet"), samples)
	})
	return names, err
}

// writeFile creates a file with the output of write.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err == nil {
		w := bufio.NewWriterSize(f, 1<<20)
		err = errors.Join(write(w), w.Flush(), f.Close())
	}
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	return nil
}

// writeCSV writes a table with a header. Unknown values are empty.
func writeCSV(w io.Writer, t table) error {
	out := csv.NewWriter(w) // it keeps the first error
	record := make([]string, len(t.columns))
	for i, c := range t.columns {
		record[i] = c.Name
	}
	out.Write(record)
	t.rows(func(row ...any) {
		for i, v := range row {
			record[i] = asText(v)
		}
		out.Write(record)
	})
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing %s: %w", t.name, err)
	}
	return nil
}

// asText formats a value so that it can be read back unchanged.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strings.ToUpper(strconv.FormatBool(v)) // the only spelling that R reads as a logical value
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return ""
}
