package report

import (
	"encoding/json"
	"fmt"
	"io"

	"moobench/analysis"
)

// JSON prints the answers as they are, indented. JSON.md documents them.
func JSON(w io.Writer, a *analysis.Answers) error { return writeJSON(w, a) }

// writeJSON prints a value indented, with a line end.
func writeJSON(w io.Writer, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("writing answers as JSON: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
