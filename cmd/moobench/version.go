package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"moobench/results"
)

// version is the release this source tree leads to.
const version = "0.1.0"

// build names the program exactly: version and, where the build recorded it,
// the commit.
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

func versionVerb(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version, and the format it writes",
		Long:    "Prints the version of moobench, and of the results format that it writes.\n\n" + exitHelp,
		Example: "  moobench version",
		Args:    positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(t.Out, "moobench %s, results format %d, %s %s/%s\n", build(), results.Format, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
