package tidy

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// writeCSV writes a table with the names of its columns in the first line.
// What is not known is empty.
func writeCSV(w io.Writer, t table) error {
	out := csv.NewWriter(w)
	record := make([]string, len(t.columns))
	for i, c := range t.columns {
		record[i] = c.name
	}
	if err := out.Write(record); err != nil {
		return fmt.Errorf("writing %s: %w", t.name, err)
	}
	for row := range t.rows {
		for i, v := range row {
			record[i] = asText(v)
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("writing %s: %w", t.name, err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
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
		return strings.ToUpper(strconv.FormatBool(v)) // R takes no other spelling for a truth value
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	return ""
}
