package machine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/knob"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results/safefile"
)

// JournalVar names the environment variable that holds the path of the journal.
const JournalVar = "MOOBENCH_JOURNAL"

const journalFormat = 1

// journal records the files that a moobench has changed or is about to change. It is written before the change, so
// that the machine can be restored however moobench ends.
type journal struct {
	Format   int     `json:"format"`
	PID      int     `json:"pid"`
	Start    string  `json:"start"` // of the process, as in /proc/<pid>/stat
	Boot     string  `json:"boot"`  // the kernel's boot ID, or ""
	Campaign string  `json:"campaign"`
	Entries  []entry `json:"entries"` // in the order of the changes, each path once

	path string
	kept bool // it exists on disk
}

// entry is a changed file.
type entry struct {
	Knob  string          `json:"knob"`
	Path  string          `json:"path"` // rooted, without leading slash
	Kind  knob.ChangeKind `json:"kind,omitempty"`
	Found string          `json:"found"` // the whole content
	Undo  string          `json:"undo,omitempty"`
	Wrote string          `json:"wrote,omitempty"`
	// Got is the whole content after the change; nil: unknown, perhaps not even changed.
	Got *string `json:"got"`
}

// JournalPath returns where this moobench records its changes and the next one looks for them: $MOOBENCH_JOURNAL,
// else /var/lib/moobench/machine.journal or a file in the user's cache folder, whichever exists, or the first that
// is writable. Root always uses the former: with a HOME kept by sudo, the cache folder is another user's.
func JournalPath() string {
	if path := os.Getenv(JournalVar); path != "" {
		return path
	}
	const system = "/var/lib/moobench/machine.journal"
	cache, err := safefile.CacheFolder()
	if err != nil || os.Geteuid() == 0 {
		return system
	}
	own := filepath.Join(cache, "machine.journal")
	for _, path := range []string{system, own} {
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	dir := filepath.Dir(system)
	for _, err := os.Stat(dir); err != nil; _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	if unix.Access(dir, unix.W_OK) == nil {
		return system
	}
	return own
}

// largestJournal is far more than all files of a machine with a thousand CPUs need.
const largestJournal = 64 << 20

// readJournal returns nil if the file does not exist. It refuses a file that another user may have written, since
// root would carry out its contents.
func readJournal(path string) (*journal, error) {
	const reading = "reading the journal of changes to this machine"
	data, err := safefile.ReadOwn(path, largestJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if refused := (*safefile.Refusal)(nil); errors.As(err, &refused) {
		return nil, refusal.New(fmt.Errorf("%s: %w", reading, err),
			"look at what it says, and remove it; or set "+JournalVar+" to a file that only this user can change")
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("%s: %w", reading, err),
			"run it as the user who owns that file, or with sudo")
	}
	j := journal{path: path, kept: true}
	if err := cmp.Or(json.Unmarshal(data, &j), j.check()); err != nil {
		return nil, refusal.New(fmt.Errorf("%s: %s is damaged: %w", reading, path, err),
			"what it still says was found can be written back by hand; "+
				"then remove the file, or restart the machine and remove it")
	}
	return &j, nil
}

// undoKeys are keys present in each recorded change: without any of them, a file records none.
var undoKeys = []string{`"path"`, `"found"`}

// SetAside renames a journal in which nothing can be undone, and returns the new name: otherwise anybody who can
// write there could block all campaigns with such a file. moobench itself never writes one, and the content is
// kept. A journal that records original content, or may have done so, stays, and the name is "". The machine must
// be locked.
func SetAside(path string) (kept string, err error) {
	data, err := safefile.ReadOwn(path, largestJournal)
	if err != nil {
		return "", nil // no such file, or readJournal will report the error
	}
	j := journal{}
	if json.Unmarshal(data, &j) == nil && j.check() == nil && len(j.Entries) > 0 {
		return "", nil
	}
	for _, key := range undoKeys {
		if bytes.Contains(bytes.ToLower(data), []byte(key)) {
			return "", nil
		}
	}
	const most = 1000
	for n := 1; n <= most; n++ {
		kept = fmt.Sprintf("%s.aside-%d", path, n)
		if err = os.Link(path, kept); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return "", fmt.Errorf("setting aside a journal in which nothing can be undone: %w", err)
	}
	return kept, nil
}

// check ensures that a journal can only ever cause writes to kernel settings.
func (j *journal) check() error {
	if j.Format != journalFormat {
		return fmt.Errorf("its format is %d, and this moobench knows %d", j.Format, journalFormat)
	}
	knobs := map[string]knob.Knob{}
	for _, k := range knob.All() {
		knobs[k.Name] = k
	}
	for _, e := range j.Entries {
		if !fs.ValidPath(e.Path) || !knobs[e.Knob].Writes(e.Path) {
			return fmt.Errorf("%q is not a file of the setting %q", e.Path, e.Knob)
		}
		if e.Kind != knob.ChangeWrite && e.Kind != knob.ChangeGuard && e.Kind != knob.ChangeMake {
			return fmt.Errorf("%q is not a kind of change", e.Kind)
		}
	}
	return nil
}

// save writes the journal to disk atomically: a power cut leaves the previous one or this one. An empty journal is
// removed.
func (j *journal) save() error {
	var err error
	switch {
	case len(j.Entries) > 0:
		err = j.replace()
	case !j.kept:
		return nil // any file there is not ours
	default:
		if err = os.Remove(j.path); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = safefile.Sync(filepath.Dir(j.path))
		}
	}
	if err != nil {
		return refusal.New(fmt.Errorf("keeping the journal of changes to this machine: %w", err),
			"set "+JournalVar+" to a file that can be written, and that outlives a restart")
	}
	j.kept = len(j.Entries) > 0
	return nil
}

func (j *journal) replace() error {
	if err := j.check(); err != nil { // it could not be read back
		return err
	}
	dir := filepath.Dir(j.path)
	data, err := json.MarshalIndent(j, "", " ")
	if err != nil {
		return err
	}
	if err := cmp.Or(os.MkdirAll(dir, 0o755), safefile.CheckFolder(dir)); err != nil {
		return err
	}
	err = safefile.Renew(j.path, 0o644, func(w io.Writer) error { _, err := w.Write(append(data, '\n')); return err })
	return cmp.Or(err, safefile.Sync(dir))
}

// add records an imminent change. A file already in the journal keeps its original content, and its current
// content becomes unknown.
func (j *journal) add(e entry) {
	i := j.index(e.Path)
	if i < 0 {
		j.Entries = append(j.Entries, e)
		return
	}
	j.Entries[i].Got = nil
	if e.Kind != knob.ChangeGuard {
		j.Entries[i].Wrote = e.Wrote
	}
}

func (j *journal) index(path string) int {
	return slices.IndexFunc(j.Entries, func(e entry) bool { return e.Path == path })
}

// within reports whether path is in a folder that moobench makes, and so goes together with it.
func within(entries []entry, path string) bool {
	return slices.ContainsFunc(entries, func(e entry) bool {
		return e.Kind == knob.ChangeMake && strings.HasPrefix(path, e.Path+"/")
	})
}

// bystanders returns the files that are as we left them, except those about to be changed: a change may affect any
// of them as well.
func (j *journal) bystanders(root fs.FS, changed []entry) []entry {
	var all []entry
	for _, e := range j.Entries {
		now, err := content(root, e)
		foreign := e.Got == nil || setting(now) != setting(*e.Got)
		in := slices.ContainsFunc(changed, func(c entry) bool { return c.Path == e.Path })
		if err == nil && e.Kind != knob.ChangeMake && !foreign && !in {
			all = append(all, entry{Knob: e.Knob, Path: e.Path, Kind: knob.ChangeGuard, Found: now})
		}
	}
	return all
}

// refresh records the files' contents after a change. The content of a file that is gone, such as that of a CPU
// switched off, is unknown.
func (j *journal) refresh(root fs.FS, changed []entry) {
	for _, e := range changed {
		if i := j.index(e.Path); i >= 0 {
			j.Entries[i] = j.Entries[i].refreshed(root)
		}
	}
}

// alive reports whether the process that wrote the journal still runs.
func (j *journal) alive(root fs.FS) bool {
	if j.rebooted(root) {
		return false
	}
	there, start := proc.Running(j.PID)
	return there && (start == j.Start || start == "")
}

// rebooted reports whether the machine has restarted since. Without a boot ID this is unknown, and the contents of
// the files decide.
func (j *journal) rebooted(root fs.FS) bool {
	now := randomBootID(root)
	return now != "" && j.Boot != "" && now != j.Boot
}

// content returns the whole content of an entry's file. A folder's is "". If there is no such file or folder, the
// error is fs.ErrNotExist.
func content(root fs.FS, e entry) (string, error) {
	if e.Kind == knob.ChangeMake {
		_, err := fs.Stat(root, e.Path)
		return "", err
	}
	b, err := fs.ReadFile(root, e.Path)
	if err == nil && !utf8.Valid(b) {
		return "", fmt.Errorf("/%s holds no text", e.Path)
	}
	return string(b), err
}

// setting returns the value in a content: the chosen word of a choice, else all of it.
func setting(content string) string { return strings.TrimSpace(knob.Chosen(content)) }
