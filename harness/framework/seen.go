package framework

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"moobench/refusal"
	"moobench/results/safefile"
)

// seenFile is the file in the user's state folder that records artifacts when they are first
// seen, one per line: SHA-256, coordinates, date. It is a cache: a campaign keeps its own
// record of the measured artifacts.
const seenFile = "artifacts"

const mostSeen = 4 << 20 // bytes

// first checks that an artifact that is not pinned is unchanged since it was first seen on this
// machine, and records a new one. A published release never changes under the same name.
func first(a Artifact, path, sum string, now time.Time) error {
	state, err := safefile.StateFolder()
	if err != nil {
		return err
	}
	file := filepath.Join(state, seenFile)
	text, err := safefile.ReadOwn(file, mostSeen)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking up what %s was before: %w", a, err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for lines.Scan() {
		was, coordinates, day := fieldsOf(lines.Text())
		switch {
		case coordinates != a.Maven:
		case was == sum:
			return nil
		default:
			changed := fmt.Errorf("%s: SHA-256 of %s is %s, and was %s when it was first seen, on %s",
				a, path, sum, was, day)
			return refusal.New(changed, fmt.Sprintf("delete the file to have it fetched again; if it still differs, "+
				"don't trust it, or take its line out of %s", file))
		}
	}
	line := fmt.Sprintf("%s %s %s\n", sum, a.Maven, now.UTC().Format(time.DateOnly))
	if err := safefile.MakeFolder(state); err != nil {
		return err
	}
	return safefile.Renew(file, 0o600, func(w io.Writer) error {
		_, err := io.WriteString(w, string(text)+line)
		return err
	})
}

func fieldsOf(line string) (sum, coordinates, day string) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return "", "", ""
	}
	return fields[0], fields[1], fields[2]
}

// licenceOf returns the licence stated in an artifact's POM, or "".
func licenceOf(pom string) string {
	var project struct {
		Licenses []struct {
			Name string `xml:"name"`
			URL  string `xml:"url"`
		} `xml:"licenses>license"`
	}
	if err := readXML(pom, &project); err != nil {
		return ""
	}
	var all []string
	for _, l := range project.Licenses {
		all = append(all, strings.TrimSpace(strings.TrimSpace(l.Name)+" "+strings.TrimSpace(l.URL)))
	}
	return strings.Join(all, " or ")
}
