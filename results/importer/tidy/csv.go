package tidy

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a table with the names of its columns in the first line. Unknown values
// are empty.
func writeCSV(w io.Writer, t table) error {
	out := csv.NewWriter(w)
	record := make([]string, len(t.columns))
	for i, c := range t.columns {
		record[i] = c.name
	}
	err := out.Write(record)
	for row := range t.rows {
		for i, v := range row {
			record[i] = asText(v)
		}
		if err == nil {
			err = out.Write(record)
		}
		if err != nil {
			break
		}
	}
	out.Flush()
	if err = cmp.Or(err, out.Error()); err != nil {
		return fmt.Errorf("writing %s: %w", t.name, err)
	}
	return nil
}

// asText writes a value so that it reads back as the same.
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
