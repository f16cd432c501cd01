// Package integrity says whether campaigns are as they were sealed, file by file.
package integrity

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/results"
)

// Report is what moobench verify --format json prints.
type Report struct {
	Version int      `json:"format"`
	Whole   bool     `json:"intact"`
	Folders []Folder `json:"folders"`
}

// Folder is a campaign's folder.
type Folder struct {
	Folder string `json:"folder"`
	// Sealed says that SEALED is there: without it nothing vouches for campaign.json
	// and the invocations.
	Sealed  bool     `json:"sealed"`
	Whole   bool     `json:"intact"`
	Do      string   `json:"advice,omitempty"` // about a folder that is not sealed
	Damaged []Damage `json:"damaged"`
}

// Damage is a file that is not as it was recorded.
type Damage struct {
	File string `json:"file"` // below the folder
	What string `json:"problem"`
	Do   string `json:"advice,omitempty"`
}

// Check reads all files of campaigns, and changes nothing.
func Check(ctx context.Context, dirs []string) (*Report, error) {
	r := &Report{Version: results.Format, Whole: true, Folders: []Folder{}}
	for _, dir := range dirs {
		f := Folder{Folder: dir, Damaged: []Damage{}}
		if store, err := results.Open(dir); err != nil {
			f.add(err)
		} else {
			sealed, changed := store.Sealed()
			f.Sealed = sealed || changed != "" // what is sealed wrongly is among the damages
			for _, d := range store.Damages(ctx) {
				f.add(d)
			}
			f.Whole = f.Sealed && len(f.Damaged) == 0
			if !f.Sealed {
				f.Do = "it is not finished, or its SEALED was removed; finish it with: moobench run --resume " + dir
			}
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("verifying %s: %w", console.Visible(dir), ctx.Err())
		}
		r.Whole = r.Whole && f.Whole
		r.Folders = append(r.Folders, f)
	}
	return r, nil
}

// add adds what is wrong with a file.
func (f *Folder) add(err error) {
	var known *results.Error
	if !errors.As(err, &known) {
		f.Damaged = append(f.Damaged, Damage{File: ".", What: err.Error()})
		return
	}
	name, relErr := filepath.Rel(f.Folder, known.Path)
	if relErr != nil {
		name = known.Path
	}
	f.Damaged = append(f.Damaged, Damage{File: filepath.ToSlash(name), What: known.Err.Error(), Do: known.Hint})
}

// Err says how many campaigns are not whole, nil when all are.
func (r *Report) Err() error {
	damaged := 0
	for _, f := range r.Folders {
		if !f.Whole {
			damaged++
		}
	}
	if damaged == 0 {
		return nil
	}
	return fmt.Errorf("verifying: %d of %s not whole", damaged, figure.Plural(len(r.Folders), "campaign is", "campaigns are"))
}

// WriteText writes a line for each folder, one for each damaged file, and what to do,
// once for all files that it holds for.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Folders {
		state := "whole: as it was sealed"
		switch n := len(f.Damaged); {
		case n > 0:
			state = "! not whole: " + figure.Plural(n, "file is", "files are") + " not as recorded"
		case !f.Sealed:
			state = "! not sealed: what is there is as recorded"
		}
		fmt.Fprintf(&b, "%s  %s\n", console.Visible(f.Folder), state)
		var does []string
		files := map[string]int{} // that it is to be done about
		for _, d := range f.Damaged {
			fmt.Fprintf(&b, "  ! %s: %s\n", console.Visible(d.File), console.Visible(d.What))
			if d.Do == "" {
				continue
			}
			if files[d.Do]++; files[d.Do] == 1 {
				does = append(does, d.Do)
			}
		}
		for _, do := range does {
			some := ""
			if files[do] < len(f.Damaged) {
				some = " (" + figure.Plural(files[do], "file", "files") + ")"
			}
			fmt.Fprintf(&b, "  to do%s: %s\n", some, console.Visible(do))
		}
		if f.Do != "" {
			fmt.Fprintf(&b, "  to do: %s\n", console.Visible(f.Do))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
