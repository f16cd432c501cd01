package results

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"moobench/results/safefile"
)

// The names of a campaign's files.
const (
	campaignFile   = "campaign.json"
	tomlFile       = "benchmarks.toml"
	machinesDir    = "machines"
	invocationsDir = "invocations"
	sealedFile     = "SEALED"
	invocationFile = "invocation.json"
	samplesFile    = "samples.parquet"
	summaryFile    = "summary.json"
)

// Store is a campaign's folder. One process writes to it at a time, which Own sees
// to; any number may read meanwhile, because each file and each invocation appears
// whole.
type Store struct {
	dir      string
	campaign *Campaign
	step     steps
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
		os.Remove(dir) // unless something is in it
		return nil, diskError("creating", dir, err)
	}
	release, err := Lock(dir)
	var held *Error
	if errors.As(err, &held) && held.Problem == ProblemOwned {
		return nil, &Error{
			Problem: ProblemExists, Op: "creating", Path: dir, Err: errors.New("another moobench has just begun a campaign in it"),
			Hint: "choose another folder",
		}
	}
	if err != nil {
		os.Remove(dir)
		return nil, err
	}
	defer release()
	if err := s.vacate(); err != nil {
		return nil, err
	}
	if err := s.fill(toml); err != nil {
		// Nothing was measured yet, and the folder was empty: leave no half.
		os.RemoveAll(dir)
		return nil, err
	}
	return s, nil
}

// vacate empties a folder in which a campaign was begun by a moobench that was killed
// before campaign.json was there: nothing was measured. A folder that holds anything
// else is left as it is.
func (s *Store) vacate() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return diskError("creating", s.dir, err)
	}
	begun := func(e fs.DirEntry) bool {
		switch name := e.Name(); {
		case name == invocationsDir || name == machinesDir:
			inside, err := os.ReadDir(s.path(name))
			return e.IsDir() && err == nil && len(inside) == 0
		case name == tomlFile: // alone it may be the user's own
			_, err := os.Lstat(s.path(invocationsDir))
			return e.Type().IsRegular() && err == nil
		default:
			return e.Type().IsRegular() && strings.HasPrefix(name, tmpPrefix)
		}
	}
	for _, e := range entries {
		if !begun(e) {
			return &Error{
				Problem: ProblemExists, Op: "creating", Path: s.dir, Err: errors.New("the folder is not empty"),
				Hint: "choose another folder, or resume the campaign that is in it",
			}
		}
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

// fill makes what every campaign has, campaign.json last.
func (s *Store) fill(toml []byte) error {
	for _, name := range []string{invocationsDir, machinesDir} {
		folder := s.path(name)
		if err := errors.Join(s.step.at("mkdir "+folder), os.Mkdir(folder, 0o777)); err != nil {
			return diskError("creating", folder, err)
		}
	}
	if err := s.step.replaceFile(s.path(tomlFile), toml); err != nil {
		return err
	}
	if err := s.SaveCampaign(); err != nil {
		return err
	}
	parent := filepath.Dir(filepath.Clean(s.dir))
	return diskError("creating", s.dir, errors.Join(s.step.at("sync parent"), syncPath(parent)))
}

// Open opens the folder of a campaign for reading, and for adding to it.
func Open(dir string) (*Store, error) {
	s := &Store{dir: dir, campaign: new(Campaign)}
	if info, err := os.Stat(dir); err != nil {
		return nil, diskError("opening campaign", dir, err)
	} else if !info.IsDir() {
		return nil, &Error{
			Problem: ProblemOther, Op: "opening campaign", Path: dir, Err: errors.New("not a folder"),
			Hint: "name the folder that holds campaign.json",
		}
	}
	path := s.path(campaignFile)
	data, err := safefile.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.noCampaign()
	}
	if err != nil {
		return nil, diskError("reading", path, err)
	}
	if err := s.campaign.decode(path, data); err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.path(invocationsDir)); err != nil || !info.IsDir() {
		return nil, half(dir, "campaign.json is there, but its invocations folder is not", "copy the campaign again, with all its folders")
	}
	return s, nil
}

// decode reads what the campaign.json at path holds, and checks it.
func (c *Campaign) decode(path string, data []byte) error {
	if err := decodeJSON(path, data, c); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return &Error{
			Problem: ProblemDamaged, Op: "reading", Path: path, Err: err,
			Hint: "it was edited, or is of another moobench: use that one, or restore it from a copy",
		}
	}
	return nil
}

// noCampaign tells a folder whose creation was interrupted from one that has
// nothing to do with moobench.
func (s *Store) noCampaign() error {
	for _, name := range []string{invocationsDir, tomlFile, tmpPrefix + campaignFile} {
		if _, err := os.Lstat(s.path(name)); err == nil {
			return half(s.dir, "it has no campaign.json: moobench was stopped while creating it, or the file was lost",
				"if it was just created nothing was measured: start it again in the same folder, or delete it")
		}
	}
	return &Error{
		Problem: ProblemOther, Op: "opening campaign", Path: s.dir, Err: errors.New("not a campaign: there is no campaign.json"),
		Hint: "name the folder that moobench run wrote",
	}
}

// TOML is the text of the benchmarks.toml that the campaign was planned from. It is
// fs.ErrNotExist of an imported one.
func (s *Store) TOML() ([]byte, error) {
	data, err := safefile.Read(s.path(tomlFile), maxFile)
	return data, diskError("reading", s.path(tomlFile), err)
}

// Dir is the campaign's folder.
func (s *Store) Dir() string { return s.dir }

// Campaign is campaign.json. Changes are kept by SaveCampaign.
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

// AddMachine writes machines/<id>.json. Another state of the same machine, as a
// later session may find it, takes that name; the earlier one stays beside it
// as <id>.<n>.json, n counting from 1.
func (s *Store) AddMachine(m Machine) error {
	if !machineID.MatchString(m.ID) {
		return fmt.Errorf("adding machine: %q is no machine ID (want letters, digits, _ and -)", m.ID)
	}
	m.Format = Format
	path := s.path(machinesDir, m.ID+".json")
	data, err := marshal(path, m)
	if err != nil {
		return err
	}
	old, err := safefile.Read(path, maxFile)
	if err == nil && string(old) != string(data) {
		err = keepEarlier(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return diskError("adding machine", path, err)
	}
	return s.step.replaceFile(path, data)
}

// keepEarlier gives a file a second name with the next free number.
func keepEarlier(path string) error {
	for n := 1; ; n++ {
		err := os.Link(path, fmt.Sprintf("%s.%d.json", strings.TrimSuffix(path, ".json"), n))
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
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
		m := new(Machine)
		if err := readJSON(s.path(machinesDir, e.Name()), m); err != nil {
			errs = append(errs, err)
			continue
		}
		machines = append(machines, m)
	}
	// ReadDir sorts id.1.json, id.2.json, …, id.json.
	slices.Reverse(machines)
	slices.SortStableFunc(machines, func(a, b *Machine) int { return cmp.Compare(a.ID, b.ID) })
	return machines, errors.Join(errs...)
}

func damaged(path string, err error) error {
	return &Error{
		Problem: ProblemDamaged, Op: "reading", Path: path, Err: fmt.Errorf("it is cut off or was edited: %w", err),
		Hint: restore,
	}
}

func newer(path string, format int) error {
	return &Error{
		Problem: ProblemNewer, Op: "reading", Path: path,
		Err:  fmt.Errorf("it has format %d, this moobench reads format %d", format, Format),
		Hint: "use a newer moobench; nothing was changed",
	}
}

func half(dir, what, hint string) error {
	return &Error{Problem: ProblemHalf, Op: "opening campaign", Path: dir, Err: errors.New("half-written: " + what), Hint: hint}
}
