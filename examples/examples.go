// Package examples holds the files that moobench init writes to a repository.
package examples

import "embed"

// Placeholder stands in the files for the folder they are written to.
const Placeholder = "/srv/my-agent"

// UserPlaceholder stands in the files for the user that the service runs as.
const UserPlaceholder = "the-clones-owner"

// File is a file that moobench init writes.
type File struct {
	name       string // below this folder
	Target     string // destination, relative and with slashes
	Executable bool
}

//go:embed nightly pullrequest fleet
var files embed.FS

// Nightly lists the files of a nightly run in reading order.
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

// PullRequest lists the files that measure a pull request beside its target branch.
func PullRequest() []File {
	return []File{
		{name: "pullrequest/pull-request.sh", Target: "pull-request.sh", Executable: true},
		{name: "pullrequest/pull-request.toml", Target: "pull-request.toml"},
		{name: "pullrequest/github.yml", Target: ".github/workflows/moobench-pull-request.yml"},
	}
}

// Engines returns the engines that can measure the shards of a plan: the arguments of Fleet.
func Engines() []string { return []string{"github-matrix", "gitlab-matrix", "slurm", "kubernetes"} }

// Fleet lists the files for measuring the shards of a plan with an engine.
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

// Text returns the content of a file, placeholders included.
func (f File) Text() (string, error) {
	text, err := files.ReadFile(f.name)
	return string(text), err
}
