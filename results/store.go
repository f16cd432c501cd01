package results

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"moobench/results/safefile"
)

// Names of a campaign's files.
const (
	campaignFile   = "campaign.json"
	tomlFile       = "benchmarks.toml"
	machinesDir    = "machines"
	invocationsDir = "invocations"
	sealedFile     = "SEALED"
	measuredFile   = "MEASURED"
	invocationFile = "invocation.json"
	samplesFile    = "samples.parquet"
	summaryFile    = "summary.json"
)

// Store is a campaign's folder. One process writes to it at a time, which Own ensures; any number may read
// meanwhile, because each file and each invocation appears whole.
type Store struct {
	dir      string
	campaign *Campaign
	step     steps

	// measured has the SHA-256 of each invocation.json that this process has written, by its name in the
	// folder. These are sealed, whatever the files hold later.
	measuring sync.Mutex
	measured  map[string]string
}

// Create makes the folder of a new campaign, with the verbatim text of its
// benchmarks.toml. The folder must be new or empty. campaign.json is written
// last: a folder without it holds nothing that was measured.
func Create(dir string, c *Campaign, toml []byte) (*Store, error) {
	return create(dir, c, toml, nil)
}

func create(dir string, c *Campaign, toml []byte, step steps) (*Store, error) {
	s := &Store{dir: dir, campaign: c, step: step}
	if err := errors.Join(step.at("mkdir "+dir), os.MkdirAll(dir, 0o777)); err != nil {
		os.Remove(dir) // fails if it is not empty
		return nil, diskError("creating", dir, err)
	}
	release, err := Lock(dir)
	if held, ok := errors.AsType[*Error](err); ok && held.problem == problemOwned {
		return nil, newError(problemExists, "creating", dir,
			"another moobench has just begun a campaign in it", "choose another folder")
	}
	if err != nil {
		os.Remove(dir)
		return nil, err
	}
	defer release()
	if err := s.vacate(); err != nil {
		return nil, err
	}
	for _, folder := range []string{s.path(invocationsDir), s.path(machinesDir)} {
		if err == nil {
			err = diskError("creating", folder, errors.Join(s.step.at("mkdir "+folder), os.Mkdir(folder, 0o777)))
		}
	}
	if err == nil {
		err = s.step.replaceFile(s.path(tomlFile), toml)
	}
	if err == nil {
		err = s.SaveCampaign()
	}
	if err == nil {
		parent := filepath.Dir(filepath.Clean(dir))
		err = diskError("creating", dir, errors.Join(s.step.at("sync parent"), safefile.Sync(parent)))
	}
	if err != nil {
		// Nothing was measured yet, and the folder was empty: leave nothing behind.
		os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// vacate empties a folder in which moobench was killed before it wrote campaign.json:
// nothing was measured. It is an error if the folder holds anything else.
func (s *Store) vacate() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return diskError("creating", s.dir, err)
	}
	foreign := func(e fs.DirEntry) bool {
		switch name := e.Name(); {
		case name == invocationsDir || name == machinesDir:
			inside, err := os.ReadDir(s.path(name))
			return !e.IsDir() || err != nil || len(inside) > 0
		case name == tomlFile: // alone it may be the user's own
			_, err := os.Lstat(s.path(invocationsDir))
			return !e.Type().IsRegular() || err != nil
		default:
			return !e.Type().IsRegular() || !strings.HasPrefix(name, tmpPrefix)
		}
	}
	if slices.ContainsFunc(entries, foreign) {
		return newError(problemExists, "creating", s.dir, "the folder is not empty",
			"choose another folder, or resume the campaign that is in it")
	}
	for _, e := range entries {
		if e.Name() == lockFile {
			continue
		}
		if err := os.Remove(s.path(e.Name())); err != nil {
			return diskError("creating", s.dir, err)
		}
	}
	return nil
}

// HasCampaign reports whether a folder holds a campaign.json. Create accepts a folder that holds only the files
// that it makes before that one.
func HasCampaign(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, campaignFile))
	return err == nil
}

// Open opens the folder of a campaign for reading, and for adding to it.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, campaign: new(Campaign)}
	if info, err := os.Stat(dir); err != nil {
		return nil, diskError("opening campaign", dir, err)
	} else if !info.IsDir() {
		return nil, newError(problemOther, "opening campaign", dir,
			"not a folder", "name the folder that holds campaign.json")
	}
	path := s.path(campaignFile)
	data, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		for _, name := range []string{invocationsDir, tmpPrefix + campaignFile} {
			if _, err := os.Lstat(s.path(name)); err == nil {
				return nil, newError(problemHalf, "opening campaign", dir,
					"half-written: it has no campaign.json: "+
						"moobench was stopped while creating it, or the file was lost",
					"if it was just created nothing was measured: start it again in the same folder, or delete it")
			}
		}
		return nil, newError(problemOther, "opening campaign", dir, "not a campaign: there is no campaign.json",
			"name the folder that moobench run wrote")
	}
	if err == nil {
		err = s.campaign.decode(path, data)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.path(invocationsDir)); err != nil || !info.IsDir() {
		return nil, newError(problemHalf, "opening campaign", dir,
			"half-written: campaign.json is there, but its invocations folder is not",
			"copy the campaign again, with all its folders")
	}
	return s, nil
}

// DecodeCampaign decodes and checks the content of the campaign.json at path.
func DecodeCampaign(path string, data []byte) (*Campaign, error) {
	c := new(Campaign)
	return c, c.decode(path, data)
}

// decode decodes and checks the content of the campaign.json at path.
func (c *Campaign) decode(path string, data []byte) error {
	if err := decodeJSON(path, data, c); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return &Error{
			problemDamaged, "reading", path, err,
			"it was edited, or is of another moobench: use that one, or restore it from a copy",
		}
	}
	return nil
}

// TOML returns the text of the benchmarks.toml that the campaign was planned from;
// fs.ErrNotExist for an imported campaign.
func (s *Store) TOML() ([]byte, error) {
	return readFile(s.path(tomlFile))
}

// Dir is the campaign's folder.
func (s *Store) Dir() string { return s.dir }

// Name returns the base name of the folder, also if it was opened as ".".
func (s *Store) Name() string {
	if whole, err := filepath.Abs(s.dir); err == nil {
		return filepath.Base(whole)
	}
	return filepath.Base(s.dir)
}

// Campaign returns campaign.json. SaveCampaign writes changes.
func (s *Store) Campaign() *Campaign { return s.campaign }

// SaveCampaign writes campaign.json, whole or not at all.
func (s *Store) SaveCampaign() error {
	s.campaign.Format = Format
	data, err := marshal(s.path(campaignFile), s.campaign)
	if err != nil {
		return err
	}
	return s.step.replaceFile(s.path(campaignFile), data)
}

func (s *Store) path(elem ...string) string {
	return filepath.Join(append([]string{s.dir}, elem...)...)
}

var machineID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// AddMachine writes machines/<id>.json. An earlier, different state of the same machine stays beside it as
// <id>.<n>.json, n counting from 1.
func (s *Store) AddMachine(m Machine) error {
	if !machineID.MatchString(m.ID) {
		return fmt.Errorf("adding machine: %q is not a machine ID (want letters, digits, _ and -)", m.ID)
	}
	m.Format = Format
	path := s.path(machinesDir, m.ID+".json")
	data, err := marshal(path, m)
	if err != nil {
		return err
	}
	old, err := safefile.Read(path, maxFile)
	// A mere change of format is not a different state.
	if was := new(Machine); err == nil && decodeJSON(path, old, was) == nil && was.Format != Format {
		was.Format = Format
		if today, err := marshal(path, was); err == nil {
			old = today
		}
	}
	if err == nil && !bytes.Equal(old, data) {
		err = fs.ErrExist
		for n := 1; errors.Is(err, fs.ErrExist); n++ {
			err = os.Link(path, s.path(machinesDir, fmt.Sprintf("%s.%d.json", m.ID, n)))
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError("adding machine", path, err)
	}
	return s.step.replaceFile(path, data)
}

// Machines returns every state of every machine, sorted by ID, the latest state
// of each first.
func (s *Store) Machines() ([]*Machine, error) {
	entries, err := os.ReadDir(s.path(machinesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, diskError("reading", s.path(machinesDir), err)
	}
	var machines []*Machine
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tmpPrefix) || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		path, m := s.path(machinesDir, e.Name()), new(Machine)
		data, err := readFile(path)
		if err == nil {
			err = decodeJSON(path, data, m)
		}
		if errs = append(errs, err); err == nil {
			m.Format = Format // the keys are the same in all formats
			machines = append(machines, m)
		}
	}
	// ReadDir sorts id.1.json, id.2.json, …, id.json.
	slices.Reverse(machines)
	slices.SortStableFunc(machines, func(a, b *Machine) int { return cmp.Compare(a.ID, b.ID) })
	return machines, errors.Join(errs...)
}
