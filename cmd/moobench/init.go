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
	"moobench/cmd/internal/outcome"
	"moobench/examples"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/published"
	"moobench/results/safefile"
	"moobench/scenarios/overhead"
)

// firstLook and the others are complete files, except catalogueHead, to which the list of variants
// is added. FILE stands for the file's own path.
var (
	//go:embed first-look.toml
	firstLook string
	//go:embed catalogue.toml
	catalogueHead string
	//go:embed otel-specification.toml
	otelSpecification string
	//go:embed otel-s001.toml
	otelS001 string
)

func initVerb(t *terminal) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use: "init [KIND|PAPER|PAPER/CAMPAIGN]",
		Short: "write a benchmarks.toml to start from, all of a nightly run, a pull request's or many hosts', " +
			"or a paper's campaigns",
		Args: positional(cobra.MaximumNArgs(1)),
		ValidArgsFunction: upTo(1, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return initKinds(), cobra.ShellCompDirectiveNoFileComp
		}),
		RunE: func(c *cobra.Command, args []string) error {
			o := initOptions{kind: strings.Join(args, ""), output: output, chosen: c.Flags().Changed("output")}
			if o.kind != "" && !slices.Contains(initKinds(), o.kind) {
				err := fmt.Errorf("there is no %q to write", o.kind)
				if near := strict.Nearest(o.kind, initKinds()); near != "" {
					err = fmt.Errorf("%w: did you mean %s?", err, near)
				}
				return outcome.Usage(refusal.New(err, "there are "+strings.Join(initKinds(), ", ")))
			}
			return t.writeInit(o)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "benchmarks.toml",
		"file to write, or a folder for several files")
	return cmd
}

// initOptions says what moobench init writes, and where.
type initOptions struct {
	kind, output string
	chosen       bool // -o was given
}

// folder returns the folder for several files: usual, unless another one was chosen.
func (o initOptions) folder(usual string) string {
	if o.chosen {
		return o.output
	}
	return usual
}

const nightlyKind, pullRequestKind, catalogueKind = "nightly", "pull-request", "catalogue"

// plainFiles returns the texts of kinds that are a single fixed file.
func plainFiles() map[string]string {
	return map[string]string{
		"":                   firstLook,
		"first-look":         firstLook,
		"otel-specification": otelSpecification,
		"otel-s001":          otelS001,
	}
}

// initKinds lists the kinds for moobench init: files to start from, papers, and their further
// campaigns.
func initKinds() []string {
	all := []string{"first-look", catalogueKind, "otel-specification", "otel-s001", nightlyKind, pullRequestKind}
	all = append(all, examples.Engines()...)
	for _, paper := range published.Names() {
		all = append(all, paper)
		for _, campaign := range published.Further(paper) {
			all = append(all, paper+"/"+campaign)
		}
	}
	return all
}

// writeInit writes the files of the chosen kind.
func (t *terminal) writeInit(o initOptions) error {
	paper, campaign, _ := strings.Cut(o.kind, "/")
	switch {
	case o.kind == nightlyKind:
		return writeNightly(t.Console, o.folder("."))
	case o.kind == pullRequestKind:
		dir := o.folder(".")
		return writeKit(t.Console, dir, kit{
			"a pull request", exampleFiles(examples.PullRequest()), strings.NewReplacer(),
			"moobench run -n " + filepath.Join(dir, "pull-request.toml") +
				" shows the plan; the lines marked <- in the three files are yours",
		})
	case slices.Contains(examples.Engines(), o.kind):
		return writeKit(t.Console, o.folder("."), kit{
			"the shards of a plan, by " + o.kind, exampleFiles(examples.Fleet(o.kind)), strings.NewReplacer(),
			"the lines marked <- are yours, and the first lines say how it is used; moobench plan writes the plan",
		})
	case slices.Contains(published.Names(), paper):
		return writePaper(t.Console, o, paper, campaign)
	}
	text := plainFiles()[o.kind]
	if o.kind == catalogueKind {
		var err error
		if text, err = catalogueText(); err != nil {
			return err
		}
	}
	text = strings.ReplaceAll(text, "FILE", o.output)
	err := safefile.New(o.output, 0o666, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	switch {
	case errors.Is(err, fs.ErrExist):
		return refusal.New(fmt.Errorf("%s exists and is not overwritten", o.output), "name another file with -o")
	case err != nil:
		return fmt.Errorf("writing %s: %w", o.output, err)
	}
	_, err = fmt.Fprintf(t.Out, "wrote %s\nnext: moobench run -n %s shows the plan, moobench run %s measures it\n",
		o.output, o.output, o.output)
	return err
}

// writePaper writes one of a paper's further campaigns and its files, or all of the paper's files
// into a folder named after it.
func writePaper(c console.Console, o initOptions, paper, campaign string) error {
	from, err := published.Open(paper)
	if err != nil {
		return err
	}
	k := kit{what: paper, names: strings.NewReplacer()}
	dir, files := o.folder("."), published.FilesOf(paper, campaign)
	if campaign == "" {
		dir = o.folder(paper)
		if files, err = fs.Glob(from, "*"); err != nil {
			return fmt.Errorf("listing the files of %s: %w", paper, err)
		}
		k.next = "moobench replicate " + dir + " repeats its experiments; " + filepath.Join(dir, "README.md") +
			" says what the other campaigns ask"
	} else {
		path := filepath.Join(dir, campaign+".toml")
		k.what = o.kind
		k.next = "moobench run -n " + path + " shows the plan, moobench run " + path + " measures it; " +
			"its first lines say what it takes"
	}
	for _, name := range files {
		k.files = append(k.files, kitFile{target: name, text: func() (string, error) {
			text, err := fs.ReadFile(from, name)
			return string(text), err
		}})
	}
	return writeKit(c, dir, k)
}

// catalogueText returns a benchmarks.toml with all variants that can be fetched and run on this
// machine's JDK. The others are in comments that give the reason. Without a JDK no variant is
// excluded for it.
func catalogueText() (string, error) {
	set, err := framework.Catalogue()
	if err != nil {
		return "", err
	}
	java, missing := jvm.Find("")
	text := catalogueHead
	for _, name := range set.Names() {
		by := set.CountedBy(name)
		// Variants whose records no parameter of the scenario counts would not monitor the
		// fixture's method.
		counts := func(p results.Parameter) bool { return p.Name == by }
		if by != "" && !slices.ContainsFunc(overhead.Scenario{}.Schema().Parameters, counts) {
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
		if v.Homeless() {
			text += fmt.Sprintf("  # %s can't be fetched: a [framework.x] that inherits it says its home\n", name)
			continue
		}
		text += fmt.Sprintf("  %q,\n", name)
	}
	return text + "]\n", nil
}

// plainPath and plainUser match paths and names that crontabs and unit files take literally.
var (
	plainPath = regexp.MustCompile(`^/[A-Za-z0-9/._+-]*$`)
	plainUser = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9._-]*$`)
)

// writeNightly writes the files of a nightly run into a folder.
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
		c.Warn("moobench.service and crontab name the folder "+examples.Placeholder+
			": a unit file would read yours otherwise, so put it there yourself", "")
	}
	return writeKit(c, dir, kit{
		"a nightly run", exampleFiles(examples.Nightly()), strings.NewReplacer(names...),
		filepath.Join(dir, "NIGHTLY.md") + " says how the first night comes about",
	})
}

// kit is a set of files that moobench init writes into a folder.
type kit struct {
	what  string // purpose, in words
	files []kitFile
	names *strings.Replacer // fills in known names
	next  string            // next step for the user
}

// kitFile is one file of a kit.
type kitFile struct {
	target     string // relative path, with slashes
	executable bool
	text       func() (string, error)
}

// exampleFiles converts files of the examples.
func exampleFiles(files []examples.File) []kitFile {
	return results.Each(files, func(f examples.File) kitFile { return kitFile{f.Target, f.Executable, f.Text} })
}

// writeKit writes the files into a folder, and prints which were written and the next step. It
// keeps existing files.
func writeKit(c console.Console, dir string, k kit) error {
	var wrote, left []string
	for _, f := range k.files {
		text, err := f.text()
		if err != nil {
			return fmt.Errorf("reading what moobench brings along: %w", err)
		}
		mode := os.FileMode(0o666)
		if f.executable {
			mode = 0o777
		}
		path := filepath.Join(dir, filepath.FromSlash(f.target))
		err = os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = safefile.New(path, mode, func(w io.Writer) error {
				_, err := k.names.WriteString(w, text)
				return err
			})
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			left = append(left, path)
		case err != nil:
			return refusal.New(fmt.Errorf("writing %s: %w", console.Visible(path), err),
				"choose another folder with -o")
		default:
			wrote = append(wrote, path)
		}
	}
	if len(wrote) == 0 {
		err := fmt.Errorf("all files of %s are in %s already, and none is overwritten", k.what, console.Visible(dir))
		return refusal.New(err, "name another folder with -o")
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
