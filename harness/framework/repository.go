package framework

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"moobench/harness/maven"
	"moobench/refusal"
	"moobench/results/safefile"
)

// LocalRepository returns the folder of Maven's local repository. In order of precedence:
// -Dmaven.repo.local in MAVEN_ARGS or MAVEN_OPTS; localRepository of the user's settings.xml;
// of the installation's settings.xml; ~/.m2/repository. The folder need not exist yet.
func (r *Resolver) LocalRepository(ctx context.Context) (dir string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.repository != "" || ctx.Err() != nil {
		return r.repository, ctx.Err()
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("looking for the local Maven repository: %w", err)
		}
	}()
	home, err := safefile.Home()
	if err != nil {
		return "", refusal.New(err, "set HOME")
	}
	for _, a := range strings.Fields(os.Getenv("MAVEN_OPTS") + " " + os.Getenv("MAVEN_ARGS")) { // the last one wins
		if v, ok := strings.CutPrefix(a, "-Dmaven.repo.local="); ok && v != "" {
			dir = v
		}
	}
	files := []string{filepath.Join(home, ".m2", "settings.xml")} // highest precedence first
	if mvn, err := exec.LookPath(maven.Name); err == nil {
		if mvn, err = filepath.EvalSymlinks(mvn); err == nil {
			files = append(files, filepath.Join(filepath.Dir(mvn), "..", "conf", "settings.xml"))
		}
	}
	for _, file := range files {
		if dir != "" {
			break
		}
		if dir, err = readSettings(file, home); err != nil {
			return "", err
		}
	}
	if dir, err = filepath.Abs(cmp.Or(dir, filepath.Join(home, ".m2", "repository"))); err != nil {
		return "", err
	}
	// Its content is executed, by Maven and by the measured programs. Root therefore rejects a
	// folder that others can change. Other users may share one among themselves.
	if os.Geteuid() == 0 {
		if err := safefile.CheckFolder(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", refusal.New(err,
				"name one that only root can change: MAVEN_OPTS=-Dmaven.repo.local=FOLDER; sudo -H takes root's own")
		}
	}
	r.repository = dir
	return dir, nil
}

var settingsProperty = regexp.MustCompile(`\$\{([^}]*)\}`)

// readSettings returns localRepository of a settings.xml; "" if the file or the element is missing.
func readSettings(file, home string) (string, error) {
	var settings struct {
		LocalRepository string `xml:"localRepository"`
	}
	err := readXML(file, &settings)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return settingsProperty.ReplaceAllStringFunc(strings.TrimSpace(settings.LocalRepository), func(p string) string {
		name := p[2 : len(p)-1]
		if name == "user.home" {
			return home
		}
		if env, ok := strings.CutPrefix(name, "env."); ok {
			return os.Getenv(env)
		}
		return p
	}), nil
}

// readXML reads one of Maven's XML files into a value.
func readXML(file string, into any) error {
	data, err := safefile.Read(file, 1<<20)
	if err != nil {
		return err
	}
	if err := xml.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
