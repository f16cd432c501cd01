// Package nightly holds the files of a nightly run: what moobench init nightly
// writes.
package nightly

import "embed"

// Placeholder stands in the files for the folder that they are written to.
const Placeholder = "/srv/my-agent"

// UserPlaceholder stands in them for the user that the service runs as.
const UserPlaceholder = "the-clones-owner"

// File is one of the files.
type File struct {
	name       string // below this folder
	Target     string // where it goes, relative and with slashes
	Executable bool
}

//go:embed benchmarks.toml nightly.sh github.yml gitlab-ci.yml moobench.service moobench.timer crontab NIGHTLY.md
var files embed.FS

// Files lists them in the order in which one reads them.
func Files() []File {
	return []File{
		{name: "NIGHTLY.md", Target: "NIGHTLY.md"},
		{name: "benchmarks.toml", Target: "benchmarks.toml"},
		{name: "nightly.sh", Target: "nightly.sh", Executable: true},
		{name: "github.yml", Target: ".github/workflows/moobench.yml"},
		{name: "gitlab-ci.yml", Target: ".gitlab-ci.yml"},
		{name: "moobench.service", Target: "moobench.service"},
		{name: "moobench.timer", Target: "moobench.timer"},
		{name: "crontab", Target: "crontab"},
	}
}

// Text is what is in a file, with the placeholders in it.
func (f File) Text() (string, error) {
	text, err := files.ReadFile(f.name)
	return string(text), err
}
