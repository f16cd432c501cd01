// Package examples holds the files that moobench init writes to a repository.
package examples

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

//go:embed nightly pullrequest fleet
var files embed.FS

// Nightly lists the files of a nightly run in the order in which one reads them.
func Nightly() []File {
	return []File{
		{name: "nightly/NIGHTLY.md", Target: "NIGHTLY.md"},
		{name: "nightly/benchmarks.toml", Target: "benchmarks.toml"},
		{name: "nightly/nightly.sh", Target: "nightly.sh", Executable: true},
		{name: "nightly/github.yml", Target: ".github/workflows/moobench.yml"},
		{name: "nightly/gitlab-ci.yml", Target: ".gitlab-ci.yml"},
		{name: "nightly/moobench.service", Target: "moobench.service"},
		{name: "nightly/moobench.timer", Target: "moobench.timer"},
		{name: "nightly/crontab", Target: "crontab"},
	}
}

// PullRequest lists the files that measure a pull request beside the branch that it goes into.
func PullRequest() []File {
	return []File{
		{name: "pullrequest/pull-request.sh", Target: "pull-request.sh", Executable: true},
		{name: "pullrequest/pull-request.toml", Target: "pull-request.toml"},
		{name: "pullrequest/github.yml", Target: ".github/workflows/moobench-pull-request.yml"},
	}
}

// Engines are what carries the shards of a plan out: the kinds of Fleet.
func Engines() []string { return []string{"github-matrix", "gitlab-matrix", "slurm", "kubernetes"} }

// Fleet lists the files with which an engine measures the shards of a plan.
func Fleet(engine string) []File {
	return map[string][]File{
		"github-matrix": {{name: "fleet/github-matrix.yml", Target: ".github/workflows/moobench-fleet.yml"}},
		"gitlab-matrix": {{name: "fleet/gitlab-matrix.yml", Target: ".gitlab-ci.yml"}},
		"slurm": {
			{name: "fleet/submit.sh", Target: "submit.sh", Executable: true},
			{name: "fleet/shard.sbatch", Target: "shard.sbatch", Executable: true},
			{name: "fleet/collect.sh", Target: "collect.sh", Executable: true},
			{name: "fleet/prolog.sh", Target: "prolog.sh", Executable: true},
		},
		"kubernetes": {{name: "fleet/kubernetes.yaml", Target: "moobench-job.yaml"}},
	}[engine]
}

// Text is what is in a file, with the placeholders in it.
func (f File) Text() (string, error) {
	text, err := files.ReadFile(f.name)
	return string(text), err
}
