package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// calibrationPath is where the calibration of the machine with this ID is kept
// inside dir.
func calibrationPath(dir, id string) string {
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
		err = safefile.Renew(calibrationPath(dir, id), func(w io.Writer) error {
			_, err := w.Write(append(data, '\n'))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("keeping the calibration: %w", err)
	}
	return nil
}

// LastCalibration is that of the machine with this ID, nil if there is none.
func LastCalibration(id string) (*results.Calibration, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, nil // and so there is none
	}
	return loadCalibration(cache, id)
}

// loadCalibration returns the calibration that SaveCalibration kept, and nil if
// there is none. One that can't be read is an error.
func loadCalibration(dir, id string) (*results.Calibration, error) {
	path := calibrationPath(dir, id)
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
		return nil, refusal.New(fmt.Errorf("reading the calibration %s: %w", path, err), "make a new one with: moobench doctor --calibrate")
	}
	return c, nil
}

// plausible tells a calibration from some other JSON.
func plausible(c *results.Calibration) bool {
	return !c.When.IsZero() && c.KnownNS > 0 && c.LowNS <= c.MeasuredNS && c.MeasuredNS <= c.HighNS && c.Level > 0 && c.Level < 1
}
