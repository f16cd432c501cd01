package framework

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"moobench/harness/maven"
	"moobench/refusal"
	"moobench/results/safefile"
)

// dependencyPlugin is pinned so that fetching works the same everywhere.
const dependencyPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"

// Resolver finds artifacts in the local Maven repository, and fetches missing ones with the
// machine's own Maven. It is safe for concurrent use.
type Resolver struct {
	Offline bool      // never start Maven
	Log     io.Writer // gets one line before each fetch; may be nil
	// Brought returns the path of an artifact that was brought along from another host, by its
	// coordinates or path, or "" if it was not. nil: artifacts are looked up in place, and fetched.
	Brought func(key string) string

	resolving  sync.Mutex // serialises runs of Maven
	mu         sync.Mutex // guards repository and found
	repository string
	found      map[string]string // see Found
	// Digests caches the digests of the files found, and of others that should not be read twice.
	Digests safefile.Digests
}

// MostJar limits the size in bytes of a jar, or of another file of a framework.
const MostJar = 4 << 30

// ChecksumError reports an artifact whose checksum is not the pinned one.
type ChecksumError struct {
	artifact  Artifact
	path, got string // the file, and its SHA-256 in hex
}

func (e *ChecksumError) Error() string {
	hint := "if the file was replaced on purpose, correct sha256"
	if e.artifact.Maven != "" {
		hint = "delete the file to have it fetched again; if it still differs, don't trust it"
	}
	return fmt.Sprintf("%s: SHA-256 of %s is %s, want %s (%s)", e.artifact, e.path, e.got, e.artifact.SHA256, hint)
}

// MissingError reports a missing local artifact of the user.
type MissingError struct {
	Artifact Artifact
	why      error
}

// Hint returns a suggestion.
func (e *MissingError) Hint() string { return "build it, or correct its path" }

// Reason returns the error without the hint.
func (e *MissingError) Reason() string { return fmt.Sprintf("artifact %q: %v", e.Artifact.Name, e.why) }

func (e *MissingError) Error() string { return e.Reason() + " (" + e.Hint() + ")" }

func (e *MissingError) Unwrap() error { return e.why }

// Resolve returns the absolute path of an artifact. A pinned checksum is verified every time; on
// a mismatch the error is a *ChecksumError. A release that is not pinned must be unchanged since
// it was first seen. The licence is printed before fetching; "" means that nobody has checked it.
func (r *Resolver) Resolve(ctx context.Context, a Artifact, licence string) (string, error) {
	r.resolving.Lock()
	defer r.resolving.Unlock()
	path, err := r.locate(ctx, a, licence)
	if err == nil {
		r.note(a, path)
	}
	if err != nil || a.SHA256 == "" && a.Moves() {
		return path, err
	}
	got, err := r.Digest(path)
	switch {
	case err != nil:
		return "", err
	case a.SHA256 == "" && (r.Offline || r.Brought != nil): // a read-only lookup records nothing
	case a.SHA256 == "":
		if err := first(a, path, got, time.Now()); err != nil {
			return "", err
		}
	case got != a.SHA256:
		return "", &ChecksumError{a, path, got}
	}
	return path, nil
}

// note records the path of an artifact.
func (r *Resolver) note(a Artifact, path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.found == nil {
		r.found = map[string]string{}
	}
	r.found[a.String()] = path
}

// Found returns the paths of the artifacts resolved so far, by their coordinates or paths.
func (r *Resolver) Found() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.found)
}

func (r *Resolver) locate(ctx context.Context, a Artifact, licence string) (string, error) {
	if r.Brought != nil {
		path := r.Brought(a.String())
		if path == "" {
			return "", refusal.New(fmt.Errorf("the bundle does not hold %s", a),
				"make it again from this plan: moobench fetch")
		}
		return path, readable(path)
	}
	if a.Maven == "" {
		if err := readable(a.Path); err != nil {
			return "", &MissingError{a, err}
		}
		return filepath.Abs(a.Path)
	}
	c, err := parseCoordinates(a.Maven)
	if err != nil {
		return "", err
	}
	repository, err := r.LocalRepository(ctx)
	if err != nil {
		return "", err
	}
	path := filepath.Join(repository, filepath.FromSlash(c.path()))
	if readable(path) == nil {
		return path, nil
	}
	if err := r.licensed(ctx, licence, c, repository); err != nil {
		return "", fmt.Errorf("fetching %s: %w", a.Maven, err)
	}
	if err := readable(path); err != nil {
		return "", fmt.Errorf("fetching %s: Maven is content, but %w", a.Maven, err)
	}
	return path, nil
}

// readable returns an error if path is not a non-empty regular file.
func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	case info.Size() == 0:
		return fmt.Errorf("%s is empty", path)
	}
	return nil
}

// licensed prints the licence of an artifact and fetches it. If the licence is unknown, it is
// taken from the POM.
func (r *Resolver) licensed(ctx context.Context, licence string, c coordinates, repository string) error {
	if licence == "" {
		pom := c.pom()
		if err := r.fetch(ctx, pom, repository); err != nil {
			return err
		}
		licence = cmp.Or(licenceOf(filepath.Join(repository, filepath.FromSlash(pom.path()))), "its POM names none")
	}
	if r.Log != nil && !r.Offline {
		fmt.Fprintf(r.Log, "fetching %s with Maven (licence: %s)\n", c.get(), licence)
	}
	return r.fetch(ctx, c, repository)
}

func (r *Resolver) fetch(ctx context.Context, c coordinates, repository string) error {
	put := fmt.Sprintf("or put it where Maven would: %s", filepath.Join(repository, filepath.FromSlash(c.path())))
	if r.Offline {
		return fmt.Errorf("it is not in %s, and moobench is to stay offline; "+
			"once with a network: mvn %s:get -Dartifact=%s -Dtransitive=false; %s",
			repository, dependencyPlugin, c.get(), put)
	}
	command, err := exec.LookPath(maven.Name)
	if err != nil {
		return fmt.Errorf("it is not in %s, and there is no Maven to fetch it: "+
			"install the package maven (Debian, Ubuntu: apt-get install maven), %s: %w", repository, put, err)
	}
	folder, err := maven.Folder() // Maven must not see a POM in our working directory
	if err != nil {
		return err
	}
	cmd := maven.Command(ctx, command, folder, "-q", "-B", "-U", "-Dmaven.repo.local="+repository,
		dependencyPlugin+":get", "-Dartifact="+c.get(), "-Dtransitive=false")
	cmd.WaitDelay = 5 * time.Second
	out, err := maven.Said(cmd)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		// The output begins with the cause, followed by advice on getting more details.
		lines := strings.Split(out, "\n")
		if i := slices.Index(lines, "[ERROR] "); i > 0 {
			lines = lines[:i]
		}
		return fmt.Errorf("%s: %w; it said:\n  %s\n  without a network, %s", command, err,
			strings.Join(lines[:min(len(lines), 12)], "\n  "), strings.TrimPrefix(put, "or "))
	}
	return nil
}

// Digest returns the SHA-256 of a file in hex. The content is read once per run, unless the
// file changes.
func (r *Resolver) Digest(path string) (string, error) {
	sum, err := r.Digests.Digest(context.Background(), path, MostJar, safefile.Open)
	if err != nil {
		return "", fmt.Errorf("verifying a checksum: %w", err)
	}
	return sum, nil
}
