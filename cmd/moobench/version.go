package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"moobench/results"
)

// version is the release that this source tree leads to.
const version = "0.1.0"

// build returns the exact version: the release and, if the build recorded it, the commit.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "+" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ".dirty"
		}
	}
	return version + revision + dirty
}

// about returns the version of moobench and of its results format.
func about() string {
	return fmt.Sprintf("moobench %s, results format %d, %s %s/%s\n",
		build(), results.Format, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// cited and citedAuthor are the title and author for references, as in CITATION.cff.
const (
	cited       = "moobench: what monitoring costs a JVM application, and how sure that is"
	citedAuthor = "The moobench maintainers"
)

// committed returns the day of this build's commit, or "" if the build did not record it.
func committed() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.time" {
				return s.Value[:min(len(s.Value), len("2026-11-21"))]
			}
		}
	}
	return ""
}

// citation returns a BibTeX entry for this build, with the year of its commit.
func citation() string {
	year, _, _ := strings.Cut(committed(), "-")
	if year != "" {
		year = "  year   = {" + year + "},\n"
	}
	return "@misc{moobench,\n" +
		"  title  = {{" + cited + "}},\n" +
		"  author = {{" + citedAuthor + "}},\n" +
		"  note   = {Version " + build() + "},\n" +
		year + "}\n"
}

func versionVerb(t *terminal) *cobra.Command {
	cite := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "print the version, and the format it writes; or how to cite it",
		Args:  positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			text := about()
			if cite {
				text = citation()
			}
			_, err := io.WriteString(t.Out, text)
			return err
		},
	}
	cmd.Flags().BoolVar(&cite, "cite", false, "the entry of BibTeX for papers")
	return cmd
}
