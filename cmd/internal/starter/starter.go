// Package starter writes what a user begins with: a benchmarks.toml, or all files of a
// nightly run.
package starter

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/cmd/internal/console"
	"moobench/examples/nightly"
	"moobench/harness/framework"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

const firstLook = `# What does monitoring cost? Run it with: moobench run %s
name = "first-look"

# On a machine that does nothing else; moobench doctor shows what can be set on this one:
#[machine]
#profile  = "fixed-hardware"               # sets what is sensible, and puts back what it found
#governor = { set = "performance", policy = "require" } # or stop; try: or warn; observe: leave it

[[scenario]]
use      = "overhead"
variants = ["none", "kieker/bci/tcp"]      # the first is the baseline; moobench list shows all
blocks   = 10                              # each starts every cell once; or, in its place:

# ten blocks are a pilot, which decides how many there are:
#precision = "2%%"                         # half-width of each difference, in per cent of the cell's own mean
#max_time  = "2h"                          # never longer; by default ten times the pilot

# A question of your own, answered in words:
#[[question]]
#text   = "Is the agent free within 1 %%?"
#a      = "kieker/bci/tcp"
#b      = "none"                           # the answer is about a - b
#test   = "tost"                           # or paired (the default), welch, student, signed-rank, mann-whitney
#margin = "1%%"                            # or an amount: "5ns"
`

const catalogueHead = `# Every variant of the catalogue that monitors what it is told. Run it with: moobench run %s
name   = "catalogue"

[[scenario]]
use       = "overhead"
calls     = 100_000                       # the same in every cell
blocks    = 3
resources = 1
variants  = [
  "none",                                 # the baseline
`

// FirstLook is a benchmarks.toml of one agent against none, which will have this path.
func FirstLook(path string) string { return fmt.Sprintf(firstLook, path) }

// Catalogue is a benchmarks.toml of every variant of the catalogue that monitors what it
// is told: its records are counted by one of these parameters, those of its scenario.
func Catalogue(path string, parameters []results.Parameter) (string, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, catalogueHead, path)
	for _, name := range set.Names() {
		by := set.CountedBy(name)
		if by == "" || slices.ContainsFunc(parameters, func(p results.Parameter) bool { return p.Name == by }) { // else it would not monitor our method
			fmt.Fprintf(&b, "  %q,\n", name)
		}
	}
	b.WriteString("]\n")
	return b.String(), nil
}

// Write writes a benchmarks.toml, never over another one, and says what comes next.
func Write(c console.Console, path, text string) error {
	f, err := safefile.Create(path, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return refusal.New(fmt.Errorf("%s exists and is not overwritten", path), "name another file with -o")
	}
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = fmt.Fprintf(c.Out, "wrote %s\nnext: moobench run -n %s shows the plan, moobench run %s measures it\n", path, path, path)
	return err
}

// plainPath and plainUser are what a crontab and a unit file read as it stands.
var (
	plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._+-]*$`)
	plainUser = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`)
)

// Nightly writes the files of a nightly run to a folder, and says what was written and
// what comes next. What is there already is left as it is.
func Nightly(c console.Console, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("writing the nightly run: %w", err)
	}
	// The service runs as who writes its files.
	owner := nightly.UserPlaceholder
	if u, err := user.LookupId(strconv.Itoa(os.Geteuid())); err == nil && plainUser.MatchString(u.Username) {
		owner = u.Username
	} else {
		c.Warn("moobench.service names the user "+owner+": put there who is to measure", "")
	}
	var wrote, left []string
	for _, f := range nightly.Files() {
		text, err := f.Text()
		if err != nil {
			return fmt.Errorf("reading what moobench brings along: %w", err)
		}
		if plainPath.MatchString(whole) {
			text = strings.ReplaceAll(text, nightly.Placeholder, whole)
		}
		text = strings.ReplaceAll(text, nightly.UserPlaceholder, owner)
		mode := os.FileMode(0o666)
		if f.Executable {
			mode = 0o777
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Target))
		err = os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = safefile.New(path, mode, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			left = append(left, path)
		case err != nil:
			return refusal.New(fmt.Errorf("writing %s: %w", console.Visible(path), err), "choose another folder with -o")
		default:
			wrote = append(wrote, path)
		}
	}
	if len(wrote) == 0 {
		return refusal.New(fmt.Errorf("all files of a nightly run are in %s already, and none is overwritten", console.Visible(dir)), "name another folder with -o")
	}
	for _, path := range left {
		c.Warn(path+" exists and is left as it is: write the nightly run to another folder with -o to compare", "")
	}
	if !plainPath.MatchString(whole) {
		c.Warn("moobench.service and crontab name the folder "+nightly.Placeholder+": a unit file would read yours otherwise, so put it there yourself", "")
	}
	for _, path := range wrote {
		fmt.Fprintf(c.Out, "wrote %s\n", console.Visible(path))
	}
	_, err = fmt.Fprintf(c.Out, "next: %s says how the first night comes about\n", console.Visible(filepath.Join(dir, "NIGHTLY.md")))
	return err
}
