package moobenchcsv

import (
	"archive/zip"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/safefile"
)

// rawFile matches the name of a raw file: loop, recursion depth, number of the configuration. Some of
// MooBench's scripts for Python write results instead of raw. The files are large, and some are kept
// compressed.
var rawFile = regexp.MustCompile(`^(?:raw|results)-(\d{1,6})-(\d{1,6})-(\d{1,6})\.csv(?:\.gz)?$`)

// Limits of an import: raw files, and bytes of an unpacked archive, since a small archive could unpack without
// end.
const (
	runsMost     = 10_000
	unpackedMost = 4 << 30 // plus unpackedTimes the length of the archive
	// unpackedTimes is far more than the ten to twenty times by which a raw file shrinks.
	unpackedTimes = 100
)

// zipFile is the archive that MooBench's scripts make of the raw files of a folder.
const zipFile = "results.zip"

// isRaw reports whether a path has the name of a raw file.
func isRaw(path string) bool { return rawFile.MatchString(filepath.Base(path)) }

// run is a raw file: the calls of one JVM.
type run struct {
	name                string // as shown
	folder              int    // index of its source
	loop, depth, config int
	cell                string // ID, once the cells are made
	id                  results.Identity
	open                func() (io.ReadCloser, error)
}

// found has the raw files of all sources, and the archives to close at the end.
type found struct {
	runs    []run
	labels  []labels // by source
	closers []io.Closer
}

// find finds the raw files in folders and zip files, and those named directly, which form one source. They are
// sorted by depth, configuration and loop.
func find(files []importer.File, mistakes *refusal.Mistakes) (*found, error) {
	f := &found{}
	loose := -1 // source of raw files that were named directly
	for _, file := range files {
		path := file.Path
		if isRaw(path) {
			if loose < 0 {
				loose = f.source(path)
			}
			f.add(loose, path, func() (io.ReadCloser, error) { return safefile.Open(path) })
			continue
		}
		if err := f.look(path, mistakes); err != nil {
			return f, fmt.Errorf("importing: %w", err)
		}
	}
	if len(f.runs) > runsMost {
		mistakes.At(files[0].Path, 0,
			"with all that were named, there are %d raw files: more than %d are not imported at once",
			len(f.runs), runsMost)
	}
	slices.SortStableFunc(f.runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.config, b.config), cmp.Compare(a.loop, b.loop))
	})
	return f, nil
}

// add adds a file if it is named like a raw file; compressed ones are unpacked while they are read.
func (f *found) add(source int, name string, open func() (io.ReadCloser, error)) {
	m := rawFile.FindStringSubmatch(filepath.Base(name))
	if m == nil {
		return
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1]) // at most six digits
	}
	if packed := open; strings.HasSuffix(name, ".gz") {
		open = func() (io.ReadCloser, error) {
			in, err := packed()
			if err != nil {
				return nil, err
			}
			z, err := gzip.NewReader(in)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) {
				err = errNotGzip
			}
			if err != nil {
				return nil, errors.Join(err, in.Close())
			}
			return contentOf{z, in}, nil
		}
	}
	f.runs = append(f.runs, run{name: name, folder: source, loop: n[0], depth: n[1], config: n[2], open: open})
}

// errNotGzip is the error for a file named like a compressed one but without its header.
var errNotGzip = errors.New("it is not a gzip file, or was cut off")

// contentOf reads from Reader and closes Closer.
type contentOf struct {
	io.Reader
	io.Closer
}

// look adds the raw files in a folder or a zip file.
func (f *found) look(path string, mistakes *refusal.Mistakes) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return f.unzip(path, func() (*os.File, error) { return safefile.Open(path) }, mistakes)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	source, before, zipped := f.source(filepath.Join(path, zipFile)), len(f.runs), ""
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		f.add(source, name, func() (io.ReadCloser, error) { return safefile.OpenIn(path, e.Name()) })
		if e.Name() == zipFile {
			zipped = name
		}
	}
	switch raw := len(f.runs) - before; {
	case raw == 0 && zipped == "":
		mistakes.At(path, 0, "it has neither raw-LOOP-DEPTH-CONFIGURATION.csv nor results.zip: "+
			"is it a results folder of MooBench?")
	case raw > 0 && zipped != "":
		mistakes.At(path, 0, "it has both raw files and results.zip: name the zip file to import that, or move it away")
	case raw == 0:
		return f.unzip(zipped, func() (*os.File, error) { return safefile.OpenIn(path, zipFile) }, mistakes)
	}
	return nil
}

// unzip adds the raw files in a zip file.
func (f *found) unzip(path string, open func() (*os.File, error), mistakes *refusal.Mistakes) error {
	archive, err := open()
	if err != nil {
		return unread(path, err, mistakes)
	}
	f.closers = append(f.closers, archive)
	info, err := archive.Stat()
	if err != nil {
		return err
	}
	z, err := zip.NewReader(archive, info.Size())
	if errors.Is(err, zip.ErrFormat) {
		mistakes.At(path, 0, "it is not a zip file, or was cut off")
		return nil
	}
	if err != nil {
		return err
	}
	source, before := f.source(path), len(f.runs)
	left := unpackedMost + unpackedTimes*info.Size() // shared, since the files are read one after the other
	for _, e := range z.File {
		f.add(source, path+"/"+e.Name, func() (io.ReadCloser, error) {
			in, err := e.Open()
			if err != nil {
				return nil, err
			}
			return contentOf{importer.Limited{In: in, Left: &left, Full: errUnpacked}, in}, nil
		})
	}
	if len(f.runs) == before {
		mistakes.At(path, 0, "there is no raw-LOOP-DEPTH-CONFIGURATION.csv in it")
	}
	return nil
}

// unread adds an unreadable file to the mistakes if the file is to blame, and returns the error otherwise.
func unread(path string, err error, mistakes *refusal.Mistakes) error {
	if refused, ok := errors.AsType[*safefile.Refusal](err); ok {
		err = fmt.Errorf("it is not read: %s", refused.Why)
	} else if !errors.Is(err, errNotGzip) {
		return err
	}
	mistakes.At(path, 0, "%v", err)
	return nil
}

// errUnpacked is the error for an archive that unpacks to too many bytes.
var errUnpacked = errors.New("unpacked, the files of this archive are longer than any figures are: " +
	"is this a zip file of MooBench?")

// labels are the names of the configurations in a folder.
type labels struct {
	framework string
	titles    map[int]string // from a script's TITLE[n]
	listed    []string       // from results.yaml, in the order of the configurations
}

// kieker are the titles of MooBench's framework Kieker-java, which are the same in all of its versions. Other
// frameworks' titles have changed.
var kieker = []string{
	"No instrumentation", "Deactivated probe", "No collection", "Text file", "Binary file", "Binary TCP",
}

const (
	kiekerFramework = "Kieker-java"
	uninstrumented  = "No instrumentation"
)

var (
	title       = regexp.MustCompile(`(?m)^\s*TITLE\[(\d{1,6})\]=(?:"([^"\n]*)"|'([^'\n]*)'|(\S+))`)
	yamlKind    = regexp.MustCompile(`(?m)^kind:\s*(\S.*?)\s*$`)
	yamlMeasure = regexp.MustCompile(`(?m)^\s+(\S.*?)\s*:\s*\[`)
)

// scriptMost is the largest length in bytes of a script or a results.yaml.
const scriptMost = 1 << 20

// source adds a source. Its labels are beside path or, as in MooBench's own layout, in the folder above; the
// nearest ones count. Links that lead out of their folder are not followed.
func (f *found) source(path string) int {
	dir, l := filepath.Dir(path), labels{titles: map[int]string{}}
	yaml, _ := safefile.ReadIn(dir, "results.yaml", scriptMost) // a missing file names nothing
	if m := yamlKind.FindSubmatch(yaml); m != nil {
		l.framework = string(m[1])
	}
	for _, m := range yamlMeasure.FindAllSubmatch(yaml, -1) {
		l.listed = append(l.listed, string(m[1]))
	}
	l.readTitles(dir)
	above, err := filepath.Abs(filepath.Join(dir, ".."))
	if err == nil && len(l.titles) == 0 && len(l.listed) == 0 {
		l.readTitles(above)
	}
	if err == nil && l.framework == "" && filepath.Base(filepath.Dir(above)) == "frameworks" {
		l.framework = filepath.Base(above)
	}
	f.labels = append(f.labels, l)
	return len(f.labels) - 1
}

// readTitles reads the labels in a script, except those with a shell variable.
func (l *labels) readTitles(dir string) {
	for _, name := range []string{"labels.sh", "config.rc"} {
		text, _ := safefile.ReadIn(dir, name, scriptMost) // a missing file has no titles
		for _, m := range title.FindAllSubmatch(text, -1) {
			label := strings.TrimSpace(string(m[2]) + string(m[3]) + string(m[4]))
			if n, err := strconv.Atoi(string(m[1])); err == nil && label != "" && !strings.Contains(label, "$") {
				l.titles[n] = label
			}
		}
	}
}

// variants returns the names of the configurations, which must be sorted. results.yaml lists either all
// configurations of the framework or only the measured ones, without numbers; if it could be either, it is not
// used.
func (l *labels) variants(configs []int) map[int]string {
	named, used := map[int]string{}, map[string]bool{}
	for i, config := range configs {
		name := l.titles[config]
		switch {
		case name != "":
		case len(l.listed) > configs[len(configs)-1]:
			name = l.listed[config]
		case len(l.listed) == len(configs):
			name = l.listed[i]
		case strings.EqualFold(l.framework, kiekerFramework) && config < len(kieker):
			name = kieker[config]
		default:
			name = fmt.Sprintf("config-%d", config)
		}
		if strings.EqualFold(name, uninstrumented) {
			name = importer.Without
		}
		if used[name] {
			name = fmt.Sprintf("%s (configuration %d)", name, config)
		}
		named[config], used[name] = name, true
	}
	return named
}
