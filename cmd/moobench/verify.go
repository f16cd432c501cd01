package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moobench/analysis/figure"
	"moobench/results"
)

// verified is what moobench verify --format json prints.
type verified struct {
	Version int              `json:"version"`
	Whole   bool             `json:"whole"`
	Folders []verifiedFolder `json:"folders"`
}

// verifiedFolder is a campaign's folder.
type verifiedFolder struct {
	Folder string `json:"folder"`
	// Sealed says that SEALED is there: without it nothing vouches for campaign.json
	// and the invocations.
	Sealed  bool          `json:"sealed"`
	Whole   bool          `json:"whole"`
	Do      string        `json:"do,omitempty"` // about a folder that is not sealed
	Damaged []damagedFile `json:"damaged"`
}

// damagedFile is a file that is not as it was recorded.
type damagedFile struct {
	File string `json:"file"` // below the folder
	What string `json:"what"`
	Do   string `json:"do,omitempty"`
}

func verifyVerb(t *terminal) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "verify DIR…",
		Short: "check that campaigns are as they were sealed, file by file",
		Long: `Checks every file of campaigns against its checksum, and every summary against its
samples. Names each file that was changed, is gone, was added or can't be read, and
what to do about it. It changes nothing, and reads all samples.

A campaign that is not sealed is not finished, or its SEALED was removed: what is
there is checked, and it does not count as whole.

Exit status:
  0  all campaigns are whole: as they were sealed
  1  a campaign is not whole, or is none
  2  usage`,
		Example: `  moobench verify results/runs/2026-11-21T030000Z-nightly
  moobench verify results/runs/* --format json | jq '.folders[] | select(.whole | not)'`,
		Args: positional(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usageError{fmt.Errorf("unknown format %q: there are text, json", format)}
			}
			return t.verify(cmd.Context(), args, format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json")
	return cmd
}

// verify checks all of the folders, and says what is not whole in the error.
func (t *terminal) verify(ctx context.Context, dirs []string, format string) error {
	v := verified{Version: 1, Whole: true, Folders: []verifiedFolder{}}
	damaged := 0
	for _, dir := range dirs {
		f := verifyFolder(ctx, dir)
		if ctx.Err() != nil {
			return fmt.Errorf("verifying %s: %w", visible(dir), ctx.Err())
		}
		if !f.Whole {
			damaged++
		}
		v.Folders = append(v.Folders, f)
	}
	v.Whole = damaged == 0
	if err := v.write(t.out, format); err != nil {
		return err
	}
	if damaged > 0 {
		return fmt.Errorf("verifying: %d of %s not whole", damaged, figure.Plural(len(dirs), "campaign is", "campaigns are"))
	}
	return nil
}

func verifyFolder(ctx context.Context, dir string) verifiedFolder {
	f := verifiedFolder{Folder: dir, Damaged: []damagedFile{}}
	store, err := results.Open(dir)
	if err != nil {
		f.add(dir, err)
		return f
	}
	sealed, changed := store.Sealed()
	f.Sealed = sealed || changed != "" // what is sealed wrongly is among the damages
	for _, d := range store.Damages(ctx) {
		f.add(dir, d)
	}
	f.Whole = f.Sealed && len(f.Damaged) == 0
	if !f.Sealed {
		f.Do = "it is not finished, or its SEALED was removed; finish it with: moobench run --resume " + dir
	}
	return f
}

// add adds what is wrong with a file.
func (f *verifiedFolder) add(dir string, err error) {
	var known *results.Error
	if !errors.As(err, &known) {
		f.Damaged = append(f.Damaged, damagedFile{File: ".", What: err.Error()})
		return
	}
	name, relErr := filepath.Rel(dir, known.Path)
	if relErr != nil {
		name = known.Path
	}
	f.Damaged = append(f.Damaged, damagedFile{File: filepath.ToSlash(name), What: known.Err.Error(), Do: known.Hint})
}

func (v *verified) write(w io.Writer, format string) error {
	if format == "json" {
		return printJSON(w, v)
	}
	var b strings.Builder
	for _, f := range v.Folders {
		f.print(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// print is a line for the folder, one for each damaged file, and what to do, once
// for all files that it holds for.
func (f *verifiedFolder) print(b *strings.Builder) {
	state := "whole: as it was sealed"
	switch n := len(f.Damaged); {
	case n > 0:
		state = "! not whole: " + figure.Plural(n, "file is", "files are") + " not as recorded"
	case !f.Sealed:
		state = "! not sealed: what is there is as recorded"
	}
	fmt.Fprintf(b, "%s  %s\n", visible(f.Folder), state)
	var does []string
	files := map[string]int{}
	for _, d := range f.Damaged {
		fmt.Fprintf(b, "  ! %s: %s\n", visible(d.File), visible(d.What))
		if d.Do == "" {
			continue
		}
		if files[d.Do]++; files[d.Do] == 1 {
			does = append(does, d.Do)
		}
	}
	for _, do := range does {
		of := ""
		if files[do] < len(f.Damaged) {
			of = " (" + figure.Plural(files[do], "file", "files") + ")"
		}
		fmt.Fprintf(b, "  to do%s: %s\n", of, visible(do))
	}
	if f.Do != "" {
		fmt.Fprintf(b, "  to do: %s\n", visible(f.Do))
	}
}
