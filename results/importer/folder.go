// Package importer makes campaigns of what other tools measured; each tool has
// a package below this one. Here is what they share: a folder that is there
// whole or not at all, mistakes with their lines, cells and their baselines, and
// invocations made of columns of samples.
//
// An imported campaign is unordered. What its source lacks, be it order, blocks,
// A/A, warm-up or machine, is absent and never filled in.
package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"moobench/refusal"
	"moobench/results"
)

// Folder makes the folder dir, which must be new or empty, whole or not at all:
// fill writes into another one beside it, which then takes its name. op says in
// errors what is done: importing, exporting.
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
	// What is filled has the mode that the umask leaves it, inside of what nobody else can enter.
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

// Campaign makes a campaign in dir, which must be new or empty, whole or not at
// all. fill adds the invocations, and may change the campaign meanwhile: it is
// saved and sealed when fill is done.
func Campaign(dir string, c *results.Campaign, fill func(*results.Store) error) (*results.Store, error) {
	err := Folder("importing", dir, func(tmp string) error {
		store, err := results.Create(tmp, c, nil)
		if err != nil {
			return err
		}
		if err := os.Remove(filepath.Join(tmp, "benchmarks.toml")); err != nil {
			return fmt.Errorf("importing: %w", err) // there is none that made these figures
		}
		if err := fill(store); err != nil {
			return err
		}
		return errors.Join(store.SaveCampaign(), store.Seal())
	})
	if err != nil {
		return nil, err
	}
	return results.Open(dir)
}
