package report

import (
	"encoding/json"
	"fmt"
	"io"

	"moobench/analysis"
)

// JSON prints the answers as they are, indented. JSON.md documents them.
func JSON(w io.Writer, a *analysis.Answers) error {
	data, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return fmt.Errorf("writing answers as JSON: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
