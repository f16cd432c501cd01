package main

import (
	"fmt"
	"io"
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

// about says which moobench this is, and what it writes.
func about() string {
	return fmt.Sprintf("moobench %s, results format %d, %s %s/%s\n", build(), results.Format, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionVerb(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, and the format it writes",
		Args:  positional(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(t.Out, about())
			return err
		},
	}
}
