package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/results"
)

func verifyVerb(t *terminal) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:               "verify DIR…",
		Short:             "check that campaigns are as they were sealed, file by file",
		Args:              positional(cobra.MinimumNArgs(1)),
		ValidArgsFunction: campaigns(math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := verify(cmd.Context(), args)
			if err != nil {
				return err
			}
			if format == "json" {
				err = t.JSON(r)
			} else {
				err = r.writeText(t.Out)
			}
			if err == nil && !r.Whole {
				err = fmt.Errorf("verifying: %d of %s not whole",
					r.damaged, figure.Plural(len(r.Folders), "campaign is", "campaigns are"))
			}
			return err
		},
	}
	registerFormat(cmd, &format, textOrJSON)
	return cmd
}

// verification is the output of moobench verify --format json.
type verification struct {
	Version int              `json:"format"`
	Whole   bool             `json:"intact"`
	Folders []verifiedFolder `json:"folders"`
	damaged int              // number of damaged folders
}

// verifiedFolder is the state of a campaign's folder.
type verifiedFolder struct {
	Folder string `json:"folder"`
	// Sealed means that SEALED exists; without it campaign.json and the invocations can't be
	// checked.
	Sealed  bool     `json:"sealed"`
	Whole   bool     `json:"intact"`
	Do      string   `json:"advice,omitempty"` // for a folder that is not sealed
	Damaged []damage `json:"damaged"`
}

// damage is a file that differs from its record.
type damage struct {
	File string `json:"file"` // relative to the folder
	What string `json:"problem"`
	Do   string `json:"advice,omitempty"`
}

// verify reads all files of campaigns, and changes nothing.
func verify(ctx context.Context, dirs []string) (*verification, error) {
	r := &verification{Version: results.Format, Folders: []verifiedFolder{}}
	for _, dir := range dirs {
		f := verifiedFolder{Folder: dir, Damaged: []damage{}}
		if store, err := results.Open(dir); err != nil {
			f.add(err)
		} else {
			sealed, changed := store.Sealed()
			f.Sealed = sealed || changed != "" // a wrong seal is among the damages
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
		if r.Folders = append(r.Folders, f); !f.Whole {
			r.damaged++
		}
	}
	r.Whole = r.damaged == 0
	return r, nil
}

// add adds the problem of a file.
func (f *verifiedFolder) add(err error) {
	var known *results.Error
	if !errors.As(err, &known) {
		f.Damaged = append(f.Damaged, damage{File: ".", What: err.Error()})
		return
	}
	name, relErr := filepath.Rel(f.Folder, known.Path)
	if relErr != nil {
		name = known.Path
	}
	f.Damaged = append(f.Damaged, damage{File: filepath.ToSlash(name), What: known.Err.Error(), Do: known.Hint})
}

// writeText writes a line for each folder and each damaged file, and each piece of advice once.
func (r *verification) writeText(w io.Writer) error {
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
		var advice []string
		files := map[string]int{} // by advice
		for _, d := range f.Damaged {
			fmt.Fprintf(&b, "  ! %s: %s\n", console.Visible(d.File), console.Visible(d.What))
			if d.Do != "" && files[d.Do] == 0 {
				advice = append(advice, d.Do)
			}
			files[d.Do]++
		}
		for _, do := range advice {
			count := ""
			if files[do] < len(f.Damaged) {
				count = " (" + figure.Plural(files[do], "file", "files") + ")"
			}
			fmt.Fprintf(&b, "  to do%s: %s\n", count, console.Visible(do))
		}
		if f.Do != "" {
			fmt.Fprintf(&b, "  to do: %s\n", console.Visible(f.Do))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
