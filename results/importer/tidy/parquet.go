package tidy

import (
	"fmt"
	"io"
	"time"

	"github.com/parquet-go/parquet-go"

	"moobench/results"
)

// groupRows is the number of rows of a table that are written at a time.
const groupRows = 1 << 16

// nodes are the types of columns in Parquet. Every column is optional.
var nodes = map[kind]parquet.Node{
	text:    parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary)),
	number:  parquet.Optional(parquet.Leaf(parquet.DoubleType)),
	integer: parquet.Optional(parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)),
	truth:   parquet.Optional(parquet.Leaf(parquet.BooleanType)),
	instant: parquet.Optional(parquet.Timestamp(parquet.Microsecond)),
}

// value returns the value of a column, null for nil.
func value(v any, column int) parquet.Value {
	switch v := v.(type) {
	case string:
		return parquet.ByteArrayValue([]byte(v)).Level(0, 1, column)
	case float64:
		return parquet.DoubleValue(v).Level(0, 1, column)
	case int64:
		return parquet.Int64Value(v).Level(0, 1, column)
	case bool:
		return parquet.BooleanValue(v).Level(0, 1, column)
	case time.Time:
		return parquet.Int64Value(v.UnixMicro()).Level(0, 1, column)
	}
	return parquet.NullValue().Level(0, 0, column)
}

// newWriter returns a writer of a table with these columns in their order.
func newWriter(w io.Writer, name string, columns []column) *parquet.GenericWriter[any] {
	group, names := parquet.Group{}, make([]string, len(columns))
	for i, c := range columns {
		group[c.name], names[i] = nodes[c.kind], c.name
	}
	schema := parquet.NewSchema(name, results.OrderedColumns(names, group))
	return parquet.NewGenericWriter[any](w, schema, parquet.CreatedBy("moobench", "1", ""), parquet.Compression(&parquet.Uncompressed))
}

// writeParquet writes a table, groupRows rows at a time.
func writeParquet(w io.Writer, t table) error {
	out := newWriter(w, t.name, t.columns)
	columns := make([][]parquet.Value, len(t.columns))
	flush := func() error {
		for i, leaf := range out.ColumnWriters() {
			if _, err := leaf.WriteRowValues(columns[i]); err != nil {
				return fmt.Errorf("column %s: %w", t.columns[i].name, err)
			}
			columns[i] = columns[i][:0]
		}
		return out.Flush()
	}
	var err error
	for row := range t.rows {
		for i, v := range row {
			columns[i] = append(columns[i], value(v, i))
		}
		if len(columns[0]) == groupRows {
			if err = flush(); err != nil {
				break
			}
		}
	}
	if err == nil && len(columns[0]) > 0 {
		err = flush()
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", t.name, err)
	}
	return nil
}
