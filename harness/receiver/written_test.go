package receiver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moobench/harness/proc"
)

const mapText = "$0=" + kiekerMetadata + "\n$1=" + operation + "\n$2=" + operation + "\n$3=a=b\n$4=com.example.MyRecord\n"

func TestKiekerFiles(t *testing.T) {
	metadata := []byte("$0;1;2.0.2;KIEKER-SINGLETON;host;1;false;0;NANOSECONDS;0\n")
	text := append(metadata, textFile(0, 3)...)
	for _, c := range []struct {
		name, source string
		files        map[string][]byte
		records      int64
		err          string
	}{
		{"text", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": text, "kieker-2.dat": textFile(3, 4)}, 7, ""},
		{"text of any class", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": []byte("$4;1;x\n")}, 1, ""},
		{"text empty", "kieker-text", map[string][]byte{"kieker.map": nil, "kieker-1.dat": nil}, 0, ""},
		{"text truncated", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": text[:len(text)-1]}, 2, "line 4: the stream ends in the middle of a record"},
		{"text garbage", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": []byte("hello\n")}, 0, "line 1: \"hello\\n\" is not a record"},
		{"text unregistered", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": []byte("$9;1;x\n")}, 0, "id 9, which was not registered"},
		{"text long line", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.dat": bytes.Repeat([]byte("x"), kiekerLine+1)}, 0, "buffer full"},
		{"binary", "kieker-binary", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.bin": binaryFile(2000), "kieker-2.bin": binaryFile(5)}, 2005, ""},
		{"binary truncated", "kieker-binary", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.bin": binaryFile(3)[:150], "kieker-2.bin": binaryFile(5)}, 7, "18 of the 56 bytes"},
		{"binary unknown class", "kieker-binary", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.bin": {0, 0, 0, 4, 0}}, 0, `class "com.example.MyRecord"`},
		{"binary registry on disk", "kieker-binary", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.bin": kiekerWire(1)}, 0, "id -1, which was not registered"},
		{"no map", "kieker-binary", map[string][]byte{"kieker-1.bin": binaryFile(5)}, 0, "kieker.map: no such file"},
		{"bad map", "kieker-binary", map[string][]byte{"kieker.map": []byte("$0=a\nfoo\n"), "kieker-1.bin": binaryFile(5)}, 0, `line 2 is "foo\n", want $id=string`},
		{"huge id in map", "kieker-binary", map[string][]byte{"kieker.map": []byte("$2000000000=a\n"), "kieker-1.bin": binaryFile(5)}, 0, "id 2000000000"},
		{"other form", "kieker-text", map[string][]byte{"kieker.map": []byte(mapText), "kieker-1.bin": binaryFile(5)}, 0, "has none, but kieker-1.bin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a [b] *") // a folder's name is not a pattern
			var size int64
			for name, b := range c.files {
				write(t, filepath.Join(dir, "kieker-20261121-UTC-h-K", name), b)
				if name != "kieker.map" && c.name != "other form" {
					size += int64(len(b))
				}
			}
			s, err := Open(t.Context(), c.source, dir, nil, "")
			if err != nil {
				t.Fatal(err)
			}
			tally, err := s.Finish(t.Context())
			if tally.Records != c.records || tally.Bytes != size || tally.ByLoopEnd != 0 || tally.LoopEndFromBytes {
				t.Errorf("%+v, want %d records in %d bytes", tally, c.records, size)
			}
			checkError(t, err, c.err)
		})
	}
}

// TestDeletedByKieker: the numbers in the names of what is left say what was deleted.
func TestDeletedByKieker(t *testing.T) {
	for want, names := range map[string][]string{
		"":                              {"a/kieker-20261121-100000000-UTC-001.bin", "a/kieker-20261121-100000001-UTC-002.bin", "b/kieker-20261121-100000000-UTC-001.bin"},
		"deleted the oldest 2 of its 5": {"a/kieker-20261121-100000000-UTC-003.bin", "a/kieker-20261121-100000001-UTC-004.bin", "b/kieker-20261121-100000000-UTC-001.bin"},
		"oldest 1000 of its 1001":       {"a/kieker-20261121-100000000-UTC-1001.bin"},
	} {
		if got := deletedByKieker(names); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%q of %v, want %q", got, names, want)
		}
	}
	for _, names := range [][]string{nil, {"a/kieker-x.bin"}, {"a/kieker-1.bin", "a/kieker-0.bin"}} {
		if got := deletedByKieker(names); got != "" {
			t.Errorf("%q of %v", got, names)
		}
	}
}

func TestLoopEndFromBytes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, probeFile)
	s, err := Open(t.Context(), "probe-file", dir, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, append([]byte(probeHeader), make([]byte, 3*probeRecord)...))
	s.Mark(proc.MonotonicNS())
	write(t, path, append([]byte(probeHeader), make([]byte, 4*probeRecord)...))
	tally, err := s.Finish(t.Context())
	if tally.Records != 4 || tally.ByLoopEnd != 3 || !tally.LoopEndFromBytes || err != nil {
		t.Errorf("%+v, %v; want 3 of 4 from bytes", tally, err)
	}
	if info, err := os.Stat(path); err != nil || tally.Bytes != info.Size() || tally.LastNS == 0 {
		t.Errorf("%+v, %v", tally, err)
	}
}

func TestProbeFile(t *testing.T) {
	for _, c := range []struct {
		name, in string
		records  int64
		err      string
	}{
		{"no record", probeHeader, 0, ""},
		{"records", probeHeader + string(make([]byte, 64)), 2, ""},
		{"truncated", probeHeader + string(make([]byte, 70)), 2, "26 of its 32 bytes are missing"},
		{"empty", "", 0, `it begins with "", want "moobench-records 1 size=32\n"`},
		{"newer", "moobench-records 2 size=40\n", 0, "want"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, probeFile), []byte(c.in))
			tally, err := openProbeFile(dir).Finish(t.Context())
			if tally.Records != c.records {
				t.Errorf("%d records, want %d", tally.Records, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

func TestFixtureCount(t *testing.T) {
	for _, c := range []struct {
		name, in string
		records  int64
		err      string
	}{
		{"zero", "recorded=0\n", 0, ""},
		{"some", "recorded=20000000000\n", 20_000_000_000, ""},
		{"truncated", "recorded=12", 0, "want recorded=NUMBER and a line end"},
		{"empty", "", 0, "it is \"\""},
		{"negative", "recorded=-1\n", 0, "want recorded=NUMBER"},
		{"garbage", "entered=1 recorded=2\n", 0, "want recorded=NUMBER"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, recordsCount), []byte(c.in))
			tally, err := openFixtureCount(dir).Finish(t.Context())
			if tally != (Tally{Records: c.records}) {
				t.Errorf("%+v, want %d records", tally, c.records)
			}
			checkError(t, err, c.err)
		})
	}
}

func FuzzKiekerMap(f *testing.F) {
	f.Add([]byte(mapText), binaryFile(2), textFile(0, 2))
	f.Fuzz(func(t *testing.T, names, binary, text []byte) {
		d, err := parseKiekerMap(names)
		if err != nil {
			return
		}
		if n, _ := countKiekerBinary(d, bytes.NewReader(binary)); n > int64(len(binary)) {
			t.Fatalf("%d records in %d bytes", n, len(binary))
		}
		if n, _ := countKiekerText(d, bytes.NewReader(text)); n > int64(bytes.Count(text, []byte{'\n'})) {
			t.Fatalf("%d records in %q", n, text)
		}
	})
}

func FuzzProbeFile(f *testing.F) {
	f.Add([]byte(probeHeader + "12345678901234567890123456789012"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if n, err := countProbe(bytes.NewReader(in)); err == nil && n*probeRecord+int64(len(probeHeader)) != int64(len(in)) {
			t.Fatalf("%d records in %d bytes", n, len(in))
		}
	})
}

func FuzzRecorded(f *testing.F) {
	f.Add("recorded=12\n")
	f.Fuzz(func(t *testing.T, in string) {
		if n, err := parseRecorded(in); err == nil && n < 0 {
			t.Fatalf("%d from %q", n, in)
		}
	})
}

func BenchmarkKiekerText(b *testing.B) {
	const n = 1000
	d, err := parseKiekerMap([]byte(mapText))
	if err != nil {
		b.Fatal(err)
	}
	in := bytes.NewReader(nil)
	text := textFile(0, n)
	b.ReportAllocs()
	for b.Loop() {
		in.Reset(text)
		if records, err := countKiekerText(d, io.Reader(in)); records != n || err != nil {
			b.Fatal(records, err)
		}
	}
	perRecord(b, n)
}

// TestAFileWithoutEnd: a file may be as long as its writer likes, and is read for as long as there is
// time; what lies outside of the folder is not what the agent wrote.
func TestAFileWithoutEnd(t *testing.T) {
	dir, told := t.TempDir(), Told{"file": {"rec.csv"}, "lines": {"true"}}
	told["file"][0] = filepath.Join(dir, "rec.csv")
	f, err := os.Create(filepath.Join(dir, "rec.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(1<<40), f.Close()); err != nil {
		t.Skip(err) // a file system without holes
	}
	count := func(told Told) error {
		t.Helper()
		s, err := Open(t.Context(), "file", dir, told, "")
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err = s.Finish(ctx)
		return err
	}
	if err := count(told); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("its lines: %v", err)
	}
	if err := count(Told{"file": told["file"], "match": {`no(\d+)`}}); err == nil {
		t.Error("its text: no error")
	}
	outside := filepath.Join(t.TempDir(), "others.csv")
	if err := errors.Join(os.WriteFile(outside, []byte("a\nb\n"), 0o600), os.Remove(f.Name()), os.Symlink(outside, f.Name())); err != nil {
		t.Fatal(err)
	}
	if err := count(told); err == nil || !strings.Contains(err.Error(), "leads out of its folder") {
		t.Errorf("a link: %v", err)
	}
}
