package main

import (
	_ "embed"
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

	"github.com/spf13/cobra"

	"moobench/cmd/internal/console"
	"moobench/examples"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
	"moobench/scenarios/overhead"
)

// firstLook and catalogueHead are benchmarks.toml, the second one without the end of its
// list of variants; FILE is their own path.
var (
	//go:embed first-look.toml
	firstLook string
	//go:embed catalogue.toml
	catalogueHead string
)

func initVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:       "init [first-look|catalogue|nightly|pull-request]",
		Short:     "write a benchmarks.toml to start from, or all of a nightly run or a pull request's",
		Args:      positional(cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)),
		ValidArgs: []string{"first-look", "catalogue", "nightly", "pull-request"},
		RunE: func(c *cobra.Command, args []string) error {
			text, kind := firstLook, strings.Join(args, "")
			if kind == "nightly" || kind == "pull-request" {
				if !c.Flags().Changed("output") {
					output = "."
				}
				if kind == "nightly" {
					return writeNightly(t.Console, output)
				}
				return writeKit(t.Console, output, kit{
					"a pull request", examples.PullRequest(), strings.NewReplacer(),
					"moobench run -n " + filepath.Join(output, "pull-request.toml") + " shows the plan; the lines marked <- in the three files are yours",
				})
			}
			if kind == "catalogue" {
				var err error
				if text, err = catalogueText(); err != nil {
					return err
				}
			}
			text = strings.ReplaceAll(text, "FILE", output)
			err := safefile.New(output, 0o666, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
			switch {
			case errors.Is(err, fs.ErrExist):
				return refusal.New(fmt.Errorf("%s exists and is not overwritten", output), "name another file with -o")
			case err != nil:
				return fmt.Errorf("writing %s: %w", output, err)
			}
			_, err = fmt.Fprintf(t.Out, "wrote %s\nnext: moobench run -n %s shows the plan, moobench run %s measures it\n", output, output, output)
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "benchmarks.toml", "file to write, or folder of nightly and pull-request")
	return cmd
}

// catalogueText is a benchmarks.toml of all variants that run on the JDK of this machine; the others
// stand in comments, which say why. Where there is no JDK, none is left out.
func catalogueText() (string, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return "", err
	}
	java, missing := jvm.Find("")
	text := catalogueHead
	for _, name := range set.Names() {
		by := set.CountedBy(name)
		// One that no parameter of the scenario counts would not monitor our method.
		if by != "" && !slices.ContainsFunc(overhead.Scenario{}.Schema().Parameters, func(p results.Parameter) bool { return p.Name == by }) {
			continue
		}
		v, err := set.Variant(name)
		if err != nil {
			return "", err
		}
		if err := v.Suits(java.Home, java.Major); missing == nil && err != nil {
			text += fmt.Sprintf("  # %v\n", err)
			continue
		}
		text += fmt.Sprintf("  %q,\n", name)
	}
	return text + "]\n", nil
}

// plainPath and plainUser match paths and names that a crontab and a unit file read
// literally.
var (
	plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._+-]*$`)
	plainUser = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`)
)

// writeNightly writes the files of a nightly run to a folder.
func writeNightly(c console.Console, dir string) error {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("writing the nightly run: %w", err)
	}
	// The service runs as the user who writes its files.
	owner := examples.UserPlaceholder
	if u, err := user.LookupId(strconv.Itoa(os.Geteuid())); err == nil && plainUser.MatchString(u.Username) {
		owner = u.Username
	} else {
		c.Warn("moobench.service names the user "+owner+": put there who is to measure", "")
	}
	names := []string{examples.UserPlaceholder, owner}
	if plainPath.MatchString(whole) {
		names = append(names, examples.Placeholder, whole)
	} else {
		c.Warn("moobench.service and crontab name the folder "+examples.Placeholder+": a unit file would read yours otherwise, so put it there yourself", "")
	}
	return writeKit(c, dir, kit{
		"a nightly run", examples.Nightly(), strings.NewReplacer(names...),
		filepath.Join(dir, "NIGHTLY.md") + " says how the first night comes about",
	})
}

// kit is what moobench init writes to a folder.
type kit struct {
	what  string // it is for
	files []examples.File
	names *strings.Replacer // puts in what is known
	next  string            // what comes next
}

// writeKit writes the files to a folder, and says what was written and what comes next. What
// is there already is left as it is.
func writeKit(c console.Console, dir string, k kit) error {
	var wrote, left []string
	for _, f := range k.files {
		text, err := f.Text()
		if err != nil {
			return fmt.Errorf("reading what moobench brings along: %w", err)
		}
		mode := os.FileMode(0o666)
		if f.Executable {
			mode = 0o777
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Target))
		err = os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = safefile.New(path, mode, func(w io.Writer) error { _, err := k.names.WriteString(w, text); return err })
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
		return refusal.New(fmt.Errorf("all files of %s are in %s already, and none is overwritten", k.what, console.Visible(dir)), "name another folder with -o")
	}
	for _, path := range left {
		c.Warn(path+" exists and is left as it is: write "+k.what+" to another folder with -o to compare", "")
	}
	for _, path := range wrote {
		fmt.Fprintf(c.Out, "wrote %s\n", console.Visible(path))
	}
	_, err := fmt.Fprintf(c.Out, "next: %s\n", console.Visible(k.next))
	return err
}
