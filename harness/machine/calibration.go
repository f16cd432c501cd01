package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"moobench/results"
	"moobench/results/safefile"
)

// CalibrationPath is where the calibration of the machine with this ID is kept
// inside dir.
func CalibrationPath(dir, id string) string {
	return filepath.Join(dir, "calibration-"+id+".json")
}

// SaveCalibration keeps the calibration of the machine with this ID in dir,
// which is made if need be. It replaces an earlier one, whole or not at all.
func SaveCalibration(dir, id string, c results.Calibration) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err == nil {
		err = safefile.MakeFolder(dir)
	}
	if err == nil {
		err = safefile.Renew(CalibrationPath(dir, id), func(w io.Writer) error {
			_, err := w.Write(append(data, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("keeping the calibration: %w", err)
	}
	return nil
}

// LoadCalibration returns the calibration that SaveCalibration kept, and nil if
// there is none. One that can't be read is an error.
func LoadCalibration(dir, id string) (*results.Calibration, error) {
	path := CalibrationPath(dir, id)
	data, err := safefile.ReadOwn(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := new(results.Calibration)
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err == nil && !plausible(c) {
		err = errors.New("it has no date, no known cost, or no interval")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the calibration %s: %w\nhint: make a new one with: moobench doctor --calibrate", path, err)
	}
	return c, nil
}

// plausible tells a calibration from some other JSON.
func plausible(c *results.Calibration) bool {
	return !c.When.IsZero() && c.KnownNS > 0 && c.LowNS <= c.MeasuredNS && c.MeasuredNS <= c.HighNS && c.Level > 0 && c.Level < 1
}
