// Package importer makes campaigns of the measurements of other tools; each tool has a
// package below this one, with a Format. They share this package: reading files within
// bounds, mistakes with their lines, the builder of a campaign, and folders that appear
// whole or not at all.
//
// An imported campaign is unordered. What its source lacks, be it order, blocks, A/A,
// warm-up or machine, is absent and never invented.
package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"moobench/refusal"
)

// Folder makes the folder dir, which must be new or empty, whole or not at all: fill
// writes into another one beside it, which then takes its name. op is the operation in
// errors: importing, exporting.
func Folder(op, dir string, fill func(tmp string) error) error {
	if old, err := os.ReadDir(dir); len(old) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return refusal.New(fmt.Errorf("%s into %s: %w", op, dir, cmp.Or(err, errors.New("the folder is not empty"))), "choose another folder with -o")
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	tmp, release, err := draft(parent)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	defer release()
	// The folder has the mode that the umask leaves, inside one that nobody else can enter.
	whole := filepath.Join(tmp, "whole")
	if err := os.Mkdir(whole, 0o777); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if err := fill(whole); err != nil {
		return err
	}
	if err := os.Rename(whole, dir); err != nil {
		return fmt.Errorf("%s into %s: %w", op, dir, err)
	}
	return nil
}
