package moobenchcsv

import (
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/importer"
	"moobench/results/importer/internal/testimport"
)

// importing imports what this format knows.
var importing = testimport.Importer(importFiles)

// write writes files into a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files are paths without a variant.
func files(paths ...string) []importer.File {
	var all []importer.File
	for _, path := range paths {
		all = append(all, importer.File{Path: path})
	}
	return all
}

// samples are the values of a column of an invocation, by thread.
func samples(t *testing.T, s *results.Store, inv *results.Invocation, name string) map[int][]int64 {
	t.Helper()
	found := map[int][]int64{}
	err := s.Samples(inv, func(series results.Series, column int, values []int64) error {
		if series.Columns[column].Name == name {
			found[series.Thread] = append(found[series.Thread], values...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// folder has two loops of two configurations.
var folder = map[string]string{
	"raw-1-10-0.csv":    "1;80;1000;0\n1;90;2000;0\n2;81;1500;0\n2;91;2500;1\n",
	"raw-1-10-4.csv":    "1;800;1000;0\n1;900;2000;3\n2;810;1500;2\n2;910;2500;2\n",
	"raw-2-10-0.csv":    "1;82;1000;0\n1;92;2000;0\n2;83;1500;0\n2;93;2500;1\n",
	"raw-2-10-4.csv":    "1;802;1000;0\n1;902;2000;0\n2;812;1500;0\n2;912;2500;1\n",
	"output_1_10_0.txt": "not of interest",
}

func TestImport(t *testing.T) {
	s := importing.Store(t, importer.Request{}, files(write(t, folder)))
	c, list := s.Campaign(), testimport.Invocations(t, s)
	if c.Design != results.DesignPaired || c.Source != "MooBench" || len(c.Blocks) != 0 || len(list) != 4 {
		t.Fatalf("%s of %s has %d blocks and %d invocations", c.Design, c.Source, len(c.Blocks), len(list))
	}
	var got []string
	for _, inv := range list {
		got = append(got, fmt.Sprintf("%s %s %v", inv.Identity, c.Cell(inv.Cell).Label(), inv.Scalars["gc_count"]))
	}
	want := []string{"b0001.s00.r0 config-0 1", "b0001.s01.r0 config-4 4", "b0002.s00.r0 config-0 1", "b0002.s01.r0 config-4 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("invocations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int][]int64{1: {800, 900}, 2: {810, 910}}, samples(t, s, list[1], "t")); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[int][]int64{1: {1000, 2000}, 2: {1500, 2500}}, samples(t, s, list[0], "heap")); diff != "" {
		t.Errorf("heap (-want +got):\n%s", diff)
	}
	cell := c.Cells[1]
	if cell.Baseline != "c00" || cell.Parameter("calls") != "2" || cell.Parameter("threads") != "2" || cell.Parameter("depth") != "10" || len(cell.Factors) != 0 {
		t.Errorf("cell %+v", cell)
	}
	if q := c.Scenarios[0].Questions; len(q) != 1 || q[0].Test != results.TestPaired || q[0].A != "c01" || q[0].B != "c00" {
		t.Errorf("questions %+v", q)
	}
}

// A folder and the zip file that MooBench's scripts make of it are the same.
func TestZip(t *testing.T) {
	dir := t.TempDir()
	path := zipped(t, dir, folder)
	plain := importing.Store(t, importer.Request{}, files(write(t, folder)))
	for _, path := range []string{dir, path} {
		zipped := importing.Store(t, importer.Request{}, files(path))
		want, got := testimport.Invocations(t, plain), testimport.Invocations(t, zipped)
		if len(want) != len(got) {
			t.Fatalf("%s: %d invocations instead of %d", path, len(got), len(want))
		}
		for i := range want {
			if diff := cmp.Diff(want[i].Files, got[i].Files); diff != "" {
				t.Errorf("%s: %s: files (-want +got):\n%s", path, want[i].Identity, diff)
			}
		}
	}
}

// zipped is the path of a zip file of MooBench's scripts in dir.
func zipped(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, zipFile))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// gzipped is a text, compressed.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Compressed raw files are read like others: in a folder, beside plain ones, in a
// zip file, and by themselves.
func TestGzip(t *testing.T) {
	packed := map[string]string{}
	for name, text := range folder {
		if isRaw(name) && name != "raw-1-10-0.csv" {
			name, text = name+".gz", gzipped(t, text)
		}
		packed[name] = text
	}
	dir := write(t, packed)
	loose := []string{filepath.Join(dir, "raw-1-10-0.csv")}
	for _, name := range []string{"raw-1-10-4.csv.gz", "raw-2-10-0.csv.gz", "raw-2-10-4.csv.gz"} {
		if !isRaw(name) {
			t.Errorf("%s is not taken for a raw file", name)
		}
		loose = append(loose, filepath.Join(dir, name))
	}
	want := testimport.Invocations(t, importing.Store(t, importer.Request{}, files(write(t, folder))))
	for _, paths := range [][]string{{dir}, loose, {zipped(t, t.TempDir(), packed)}} {
		got := testimport.Invocations(t, importing.Store(t, importer.Request{}, files(paths...)))
		if len(got) != len(want) {
			t.Fatalf("%s: %d invocations instead of %d", paths, len(got), len(want))
		}
		for i := range want {
			if diff := cmp.Diff(want[i].Files, got[i].Files); diff != "" {
				t.Errorf("%s: %s: files (-want +got):\n%s", paths, want[i].Identity, diff)
			}
		}
	}
}

// A file of a few bytes may hold any number of empty lines: reading ends.
func TestUnpackedSizeIsLimited(t *testing.T) {
	text := "1;80\n" + strings.Repeat("\n", 2000)
	for most, want := range map[int64]string{
		int64(len(text)):     "",
		int64(len(text)) - 1: "x:2001: the file is longer than 2004 bytes up to here: is this a raw file of MooBench?",
		4:                    "x:1: the file is longer than 4 bytes up to here: is this a raw file of MooBench?",
	} {
		mistakes := &refusal.Mistakes{}
		read("x", strings.NewReader(text), bounds{most, callsMost}, mistakes)
		if got := mistakes.Error(); got != want {
			t.Errorf("at most %d bytes: %q, want %q", most, got, want)
		}
	}
}

// So may it hold any number of calls, and an archive any number of files.
func TestArchivesAreLimited(t *testing.T) {
	text := strings.Repeat("1;80\n", 50)
	mistakes := &refusal.Mistakes{}
	if c := read("x", strings.NewReader(text), bounds{sizeMost, 20}, mistakes); mistakes.Error() != "x:21: there are more than 20 calls: is this a raw file of MooBench?" || len(c.threads[0].values[took]) != 20 {
		t.Errorf("%v", mistakes)
	}
	left := int64(300)
	for i, want := range []string{"", "x:11: unpacked, the files of this archive are longer than any figures are"} {
		mistakes := &refusal.Mistakes{}
		read("x", importer.Limited{In: strings.NewReader(text), Left: &left, Full: errUnpacked}, bounds{sizeMost, callsMost}, mistakes)
		if got := mistakes.Error(); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("file %d: %q, want %q", i, got, want)
		}
	}
	named := map[string]string{}
	for i := range runsMost + 1 {
		named[fmt.Sprintf("raw-%d-1-0.csv", i)] = ""
	}
	_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(zipped(t, t.TempDir(), named))})
	if err == nil || !strings.HasSuffix(err.Error(), "there are 10001 raw files: more than 10000 are not imported at once") {
		t.Errorf("error %v", err)
	}
}

// No link leads out of a folder: what lies elsewhere is not shown to whoever reads
// the errors, nor imported.
func TestLinksOutOfTheFolder(t *testing.T) {
	dir := write(t, map[string]string{
		"secret": "root:secret:1\n", "titles": "TITLE[0]=secret\nTITLE[1]=secret too\n", "other/results.zip": "secret",
		"raw/raw-1-10-4.csv": "1;2\n", "zip/x": "", "titled/raw-1-10-0.csv": "1;2\n", "inside/raw-1-10-0.csv": "1;2\n", "inside/kept.csv": "1;3\n",
	})
	for link, target := range map[string]string{
		"raw/raw-1-10-0.csv": "../secret", "zip/results.zip": "../other/results.zip",
		"titled/labels.sh": "../titles", "titled/results.yaml": filepath.Join(dir, "titles"), "inside/raw-2-10-0.csv": "kept.csv",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"raw": "raw/raw-1-10-0.csv: it is not read: it is a link that leads out of its folder",
		"zip": "zip/results.zip: it is not read: it is a link that leads out of its folder",
	} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(filepath.Join(dir, name))})
		var mistakes *refusal.Mistakes
		if !errors.As(err, &mistakes) || strings.ReplaceAll(err.Error(), dir+"/", "") != want {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if variant := importing.Store(t, importer.Request{}, files(filepath.Join(dir, "titled"))).Campaign().Cells[0].Variant; variant != "config-0" {
		t.Errorf("the variant is called %q", variant)
	}
	if n := len(testimport.Invocations(t, importing.Store(t, importer.Request{}, files(filepath.Join(dir, "inside"))))); n != 2 {
		t.Errorf("%d invocations", n)
	}
}

// A pipe in a folder is not waited for.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, "raw-1-10-0.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "raw-1-10-0.csv")} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(path)})
		if err == nil || !strings.HasSuffix(err.Error(), "it is not read: it is not a regular file") {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// An import that is to end does so within a file, and leaves nothing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := write(t, map[string]string{"raw-1-10-0.csv": strings.Repeat("1;2\n", 1000), "raw-2-10-0.csv": "1;2\n"})
	to := filepath.Join(t.TempDir(), "campaign")
	_, err := importFiles(ctx, importer.Request{Dir: to, Files: files(dir), Progress: func(int, int) { cancel() }})
	if left, _ := os.ReadDir(filepath.Dir(to)); !errors.Is(err, context.Canceled) || len(left) > 0 {
		t.Errorf("error %v, %d files left", err, len(left))
	}
	fl := &filler{mistakes: &refusal.Mistakes{}}
	err = fl.add(ctx, run{name: "x", cell: "c00", open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(dir, "raw-1-10-0.csv")) }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("within a file: %v", err)
	}
}

func TestShapesOfLines(t *testing.T) {
	for name, text := range map[string]string{
		"python":            "0;7\n0;9\n",
		"three columns":     "0;7;1\n0;9;1\n",
		"another system":    "0;7;1;0\r\n0;9;1;0\r\n",
		"a header":          "thread_id;duration_nsec;gc;t\n0;7;1;0\n0;9;1;0\n",
		"columns in order":  "duration_nsec;thread_id\n7;0\n9;0\n",
		"an empty line":     "0;7\n\n0;9\n",
		"blanks":            "0; 7\n0 ;9\n",
		"columns of others": "configuration;order_index;Thread-ID;duration_nsec\n3;0;0;7\n3;1;0;9\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := importing.Store(t, importer.Request{}, files(write(t, map[string]string{"raw-1-1-0.csv": text})))
			if diff := cmp.Diff(map[int][]int64{0: {7, 9}}, samples(t, s, testimport.Invocations(t, s)[0], "t")); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
		})
	}
}

// A clock that was set back is said, and the call stays in.
func TestNegativeTimes(t *testing.T) {
	s := importing.Store(t, importer.Request{}, files(write(t, map[string]string{"raw-1-1-0.csv": "0;7\n0;-9\n"})))
	inv := testimport.Invocations(t, s)[0]
	if len(inv.Warnings) != 1 || !strings.HasPrefix(inv.Warnings[0], "1 calls took less than nothing") || samples(t, s, inv, "t")[0][1] != -9 {
		t.Errorf("warnings %q", inv.Warnings)
	}
}

func TestLabels(t *testing.T) {
	runs := map[string]string{"raw-1-10-0.csv": "0;7\n", "raw-1-10-2.csv": "0;8\n", "raw-1-10-4.csv": "0;9\n"}
	yaml := "kind: %s\nexperiments:\n- timestamp: 1\n  measurements:\n%s"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":                {nil, "config-0 config-2 config-4"},
		"a script":            {map[string]string{"r/labels.sh": "TITLE[0]=\"No instrumentation\"\nTITLE[2]='Two'\n #TITLE[4]=\"x\"\nTITLE[4]=\"$FRAMEWORK four\"\n"}, "none Two config-4"},
		"the folder above":    {map[string]string{"labels.sh": "TITLE[0]=\"No instrumentation\"\nTITLE[2]=\"Two\"\nTITLE[4]=\"Four\"\n"}, "none Two Four"},
		"all of the results":  {map[string]string{"r/results.yaml": fmt.Sprintf(yaml, "x", "    a : [ 1, 2 ]\n    b : [ 1 ]\n    c d : [ 1 ]\n    e : [ 1 ]\n    f : [ 1 ]\n")}, "a c d f"},
		"the measured ones":   {map[string]string{"r/results.yaml": fmt.Sprintf(yaml, "x", "    a : [ 1, 2 ]\n    b : [ 1 ]\n    c : [ 1 ]\n")}, "a b c"},
		"some of the results": {map[string]string{"r/results.yaml": fmt.Sprintf(yaml, "x", "    a : [ 1, 2 ]\n    b : [ 1 ]\n")}, "config-0 config-2 config-4"},
		"a known framework":   {map[string]string{"r/results.yaml": fmt.Sprintf(yaml, "Kieker-java", "")}, "none No collection Binary file"},
		"another framework":   {map[string]string{"r/results.yaml": fmt.Sprintf(yaml, "OpenTelemetry-java", "")}, "config-0 config-2 config-4"},
		"twice the same":      {map[string]string{"r/labels.sh": "TITLE[0]=a\nTITLE[2]=b\nTITLE[4]=b\n"}, "a b b (configuration 4)"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for n, text := range runs {
				files["r/"+n] = text
			}
			for n, text := range c.files {
				files[n] = text
			}
			var got []string
			for _, cell := range importing.Store(t, importer.Request{}, []importer.File{{Path: filepath.Join(write(t, files), "r")}}).Campaign().Cells {
				got = append(got, cell.Variant)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("variants %s, want %s", text, c.want)
			}
		})
	}
}

// Folders of several depths are one campaign, and each depth has its baseline.
func TestDepths(t *testing.T) {
	dir := write(t, map[string]string{
		"a/raw-1-2-0.csv": "0;7\n", "a/raw-1-2-1.csv": "0;8\n", "b/raw-1-4-0.csv": "0;9\n", "b/raw-1-4-1.csv": "0;10\n",
	})
	c := importing.Store(t, importer.Request{Window: results.WindowHalf, Baseline: "config-1"}, files(filepath.Join(dir, "a"), filepath.Join(dir, "b"))).Campaign()
	var got []string
	for _, cell := range c.Cells {
		got = append(got, cell.ID+" "+cell.Label()+" "+cell.Baseline)
	}
	want := []string{"c00 config-0 depth=2 c01", "c01 config-1 depth=2 ", "c02 config-0 depth=4 c03", "c03 config-1 depth=4 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if c.Scenarios[0].Window != results.WindowHalf {
		t.Errorf("window %q", c.Scenarios[0].Window)
	}
}

func TestMistakes(t *testing.T) {
	one := func(text string) map[string]string { return map[string]string{"d/raw-1-10-0.csv": text} }
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"empty":        {one(""), "d/raw-1-10-0.csv: it has no calls"},
		"only a head":  {one("thread;ns\n"), "d/raw-1-10-0.csv: it has no calls"},
		"no numbers":   {one("hello;world\n1;2\n"), `d/raw-1-10-0.csv:1: "hello;world" is neither a call (thread;ns;heap;gc) nor a line that names these columns`},
		"commas":       {one("1,2\n"), `d/raw-1-10-0.csv:1: "1,2" is neither a call (thread;ns;heap;gc) nor a line that names these columns`},
		"one column":   {one("17\n"), "d/raw-1-10-0.csv:1: it has 1 columns separated by semicolons, and a raw file of MooBench two or four: thread;ns or thread;ns;heap;gc"},
		"many columns": {one("1;2;3;4;5;6;7;8;9;10\n"), "d/raw-1-10-0.csv:1: it has 10 columns separated by semicolons, and a raw file of MooBench two or four: thread;ns or thread;ns;heap;gc"},
		"widths":       {one("1;2;3;4\n1;2\n1;2;3;4;5\n"), "d/raw-1-10-0.csv:2: it has 2 columns, and the first line 4\nd/raw-1-10-0.csv:3: it has 5 columns, and the first line 4"},
		"numbers": {
			one("1;2;3;4\n1;2.5;3;4\n1;2;x;\n-1;2;3;4\n1;2;3;4\n"),
			"d/raw-1-10-0.csv:2: the time in ns, \"2.5\", is not a whole number\nd/raw-1-10-0.csv:3: the used heap, \"x\", is not a whole number\nd/raw-1-10-0.csv:3: the number of collections, \"\", is not a whole number\nd/raw-1-10-0.csv:4: -1 is not a number of a thread",
		},
		"too large":     {one("1;9999999999999999999\n1;2\n"), `d/raw-1-10-0.csv:1: the time in ns, "9999999999999999999", is not a whole number`},
		"cut off":       {one("1;200\n1;2"), "d/raw-1-10-0.csv:2: the file ends in the middle of this line: it was cut off"},
		"binary":        {one(strings.Repeat("x", 100_000)), "d/raw-1-10-0.csv:1: it is longer than 65536 bytes: is this a raw file of MooBench?"},
		"a shorter run": {map[string]string{"d/raw-1-10-0.csv": "1;2\n1;2\n", "d/raw-2-10-0.csv": "1;2\n"}, "d/raw-2-10-0.csv: it has 1 calls, and the longest file of its folder 2: it was cut off; move it away to import the others"},
		"of two files":  {map[string]string{"d/raw-1-10-0.csv": "1;x\n", "d/raw-2-10-0.csv": "1;y\n"}, "d/raw-1-10-0.csv:1: the time in ns, \"x\", is not a whole number\nd/raw-2-10-0.csv:1: the time in ns, \"y\", is not a whole number"},
		"no runs":       {map[string]string{"d/notes.txt": ""}, "d: it has neither raw-LOOP-DEPTH-CONFIGURATION.csv nor results.zip: is it a results folder of MooBench?"},
		"both":          {map[string]string{"d/raw-1-10-0.csv": "1;2\n", "d/results.zip": ""}, "d: it has both raw files and results.zip: name the zip file to import that, or move it away"},
		"gzip cut off":  {map[string]string{"d/raw-1-10-0.csv.gz": gzipped(t, strings.Repeat("1;2\n", 1000))[:30]}, "d/raw-1-10-0.csv.gz:1: the compressed file ends here: it was cut off"},
		"gzip's end":    {map[string]string{"d/raw-1-10-0.csv.gz": strings.TrimSuffix(gzipped(t, "1;2\n"), "\x00")}, "d/raw-1-10-0.csv.gz:2: the compressed file ends here: it was cut off"},
		"no gzip":       {map[string]string{"d/raw-1-10-0.csv.gz": "1;2\n", "d/raw-2-10-0.csv.gz": ""}, "d/raw-1-10-0.csv.gz: it is not a gzip file, or was cut off\nd/raw-2-10-0.csv.gz: it is not a gzip file, or was cut off"},
		"both packed":   {map[string]string{"d/raw-1-10-0.csv": "1;2\n", "d/raw-1-10-0.csv.gz": gzipped(t, "1;2\n")}, "d/raw-1-10-0.csv.gz: this loop of this configuration and depth is in d/raw-1-10-0.csv too: import folders of different experiments each by itself"},
		"no zip":        {map[string]string{"d/results.zip": "PK"}, "d/results.zip: it is not a zip file, or was cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, to := write(t, c.files), filepath.Join(t.TempDir(), "campaign")
			_, err := importFiles(t.Context(), importer.Request{Dir: to, Name: "x", Files: files(filepath.Join(dir, "d"))})
			var mistakes *refusal.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("error %v", err)
			}
			if diff := cmp.Diff(c.want, strings.ReplaceAll(err.Error(), dir+"/", "")); diff != "" {
				t.Errorf("mistakes (-want +got):\n%s", diff)
			}
			if left, _ := os.ReadDir(filepath.Dir(to)); len(left) > 0 {
				t.Errorf("%s is left", left[0].Name())
			}
		})
	}
}

func TestWhatDoesNotGoTogether(t *testing.T) {
	dir := write(t, map[string]string{
		"a/raw-1-2-0.csv": "0;7\n", "b/raw-1-2-0.csv": "0;7\n",
		"x/raw-1-2-0.csv": "0;7\n", "x/results.yaml": "kind: X\n", "y/raw-2-2-0.csv": "0;7\n", "y/results.yaml": "kind: Y\n",
		"m/raw-1-2-0.csv": "0;7\n", "m/labels.sh": "TITLE[0]=m\n", "n/raw-2-2-0.csv": "0;7\n", "n/labels.sh": "TITLE[0]=n\n",
	})
	for _, c := range []struct{ one, two, baseline, want string }{
		{"a", "b", "", "b/raw-1-2-0.csv: this loop of this configuration and depth is in a/raw-1-2-0.csv too: import folders of different experiments each by itself"},
		{"x", "y", "", "the folders are of different frameworks (X, Y), whose configurations have the same numbers: import each on its own"},
		{"m", "n", "", `configuration 0 is "m" in one folder and "n" in another: import each on its own`},
		{"a", "y", "z", `there is no variant "z" to be the baseline: there are config-0`},
	} {
		_, err := importFiles(t.Context(), importer.Request{Dir: filepath.Join(t.TempDir(), "c"), Files: files(filepath.Join(dir, c.one), filepath.Join(dir, c.two)), Baseline: c.baseline})
		var mistakes *refusal.Mistakes
		if !errors.As(err, &mistakes) || strings.ReplaceAll(err.Error(), dir+"/", "") != c.want {
			t.Errorf("%s and %s: error %v, want %s", c.one, c.two, err, c.want)
		}
	}
}

// Whatever calls a file has, all of them are read.
func TestEveryCallIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, text := map[int][]int64{}, ""
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			id, ns := rapid.IntRange(0, 3).Draw(t, "thread"), rapid.Int64Range(-5, 1e15).Draw(t, "ns")
			want[id] = append(want[id], ns)
			text += fmt.Sprintf("%d;%d;%d;0\n", id, ns, ns)
		}
		mistakes, got := &refusal.Mistakes{}, map[int][]int64{}
		for _, th := range read("x", strings.NewReader(text), bounds{sizeMost, callsMost}, mistakes).threads {
			got[int(th.id)] = th.values[took]
		}
		if err := mistakes.Err(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("times (-want +got):\n%s", diff)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("1;80;1000;0\n1;90;2000;0\n")
	f.Add("thread;ns\n0;1\n")
	f.Add("1;2;3\n;;\n")
	f.Fuzz(func(t *testing.T, text string) {
		mistakes := &refusal.Mistakes{}
		c := read("x", strings.NewReader(text), bounds{sizeMost, callsMost}, mistakes)
		if mistakes.Count == 0 && c.count == 0 {
			t.Error("neither a call nor a mistake")
		}
		var n int64
		for _, th := range c.threads {
			n += int64(len(th.values[took]))
			if c.has.at[heap] >= 0 && len(th.values[heap]) != len(th.values[took]) || c.has.at[gc] >= 0 && len(th.values[gc]) != len(th.values[took]) {
				t.Error("columns differ in length")
			}
		}
		if mistakes.Count == 0 && n != c.count {
			t.Errorf("%d calls of %d", n, c.count)
		}
	})
}

// BenchmarkRead reads a file as MooBench makes it: 2,000,000 calls.
func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("1;1240;123456789;0\n1;90;123456789;0\n", 1_000_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		mistakes := &refusal.Mistakes{}
		if c := read("x", strings.NewReader(text), bounds{sizeMost, callsMost}, mistakes); c.count != 2_000_000 {
			b.Fatal(c.count, mistakes)
		}
	}
}

// TestInteger: numbers of 18 digits are read whatever their sign; longer ones, signs and blanks are no integers.
func TestInteger(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "-7": -7, "123456789012345678": 123456789012345678, "-123456789012345678": -123456789012345678,
	} {
		if n, ok := integer([]byte(text)); !ok || n != want {
			t.Errorf("%s: %d, %t", text, n, ok)
		}
	}
	for _, text := range []string{"+7", " 7", "7.0", "1234567890123456789", "-1234567890123456789", "-"} {
		if n, ok := integer([]byte(text)); ok {
			t.Errorf("%q: %d", text, n)
		}
	}
}
