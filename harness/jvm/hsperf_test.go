package jvm

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// perfFile builds an hsperfdata file: int64 entries, then string ones.
func perfFile(order binary.AppendByteOrder, ints map[string]int64, strs map[string]string) []byte {
	b := []byte{0xca, 0xfe, 0xc0, 0xc0, 0, 2, 0, 1}
	if order.String() == "LittleEndian" {
		b[4] = 1
	}
	b = append(b, make([]byte, 16)...)
	b = order.AppendUint32(b, perfPrologue)
	b = order.AppendUint32(b, uint32(len(ints)+len(strs)))
	for name, n := range ints {
		b = appendPerfEntry(b, order, name, 'J', 0, order.AppendUint64(nil, uint64(n)))
	}
	for name, s := range strs {
		b = appendPerfEntry(b, order, name, 'B', uint32(len(s)+1), append([]byte(s), 0))
	}
	return b
}

func appendPerfEntry(b []byte, order binary.AppendByteOrder, name string, kind byte, count uint32, value []byte) []byte {
	dataAt := (perfHeader + len(name) + 1 + 7) / 8 * 8
	length := (dataAt + len(value) + 7) / 8 * 8
	entry := order.AppendUint32(nil, uint32(length))
	entry = order.AppendUint32(entry, perfHeader)
	entry = order.AppendUint32(entry, count)
	entry = append(entry, kind, 0, 1, 1)
	entry = order.AppendUint32(entry, uint32(dataAt))
	entry = append(entry, name...)
	entry = append(entry, make([]byte, length-len(entry))...)
	copy(entry[dataAt:], value)
	return append(b, entry...)
}

func TestParsePerfData(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		file := perfFile(order, map[string]int64{
			"java.ci.totalTime": 2000, "sun.os.hrt.frequency": 1_000_000, "java.cls.loadedClasses": 316,
			"java.cls.sharedLoadedClasses": 778, "sun.gc.collector.0.invocations": 3, "sun.gc.collector.1.invocations": 2, "sun.gc.collector.0.lastEntryTime": 99,
		},
			map[string]string{"java.property.java.version": "17.0.15"})
		counters, err := parsePerfData(file)
		if err != nil {
			t.Fatalf("%s: %v", order, err)
		}
		if _, counted := counters["java.property.java.version"]; counted || len(counters) != 7 {
			t.Errorf("%s: %v", order, counters)
		}
		h := hsperfOf(counters)
		if h.JITNS != 2e6 || h.ClassesLoaded != 1094 || h.GCCount != 5 || !math.IsNaN(h.GCNS) || !math.IsNaN(h.SafepointNS) {
			t.Errorf("%s: %+v", order, h)
		}
	}
}

func TestParseDamagedPerfData(t *testing.T) {
	good := perfFile(binary.LittleEndian, map[string]int64{"a": 1}, nil)
	change := func(at int, b ...byte) []byte {
		file := append([]byte{}, good...)
		copy(file[at:], b)
		return file
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "no such file"},
		{[]byte("hello"), "no such file"},
		{change(5, 1), "version 1.0"},
		{change(7, 0), "still writing"},
		{good[:40], "lies outside"},
		{change(28, 9), "lies outside"},
		{change(32, 1), "length 1"},
		{change(32, 0xff, 0xff), "length 65535"},
		{change(36, 0xff), "name or value"},
		{change(48, 0xff), "name or value"},
		{change(48, 31), "cut off"},
	} {
		if _, err := parsePerfData(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want …%s…", err, c.want)
		}
	}
}

// TestHSPerfOfOthers: what somebody sows where a JVM's file is looked for is passed
// over, and the JVM's own is found behind it.
func TestHSPerfOfOthers(t *testing.T) {
	tmp := t.TempDir()
	folder := func(name string, perm os.FileMode) string {
		dir := filepath.Join(tmp, "hsperfdata_"+name)
		if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, perm)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	file := func(dir string, data []byte) string {
		path := filepath.Join(dir, "7")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other := file(folder("other", 0o700), []byte("of another JVM"))
	endless, large, pipe := folder("aa", 0o700), folder("ab", 0o700), folder("ac", 0o700)
	file(large, make([]byte, maxHSPerf+1))
	file(folder("ad", 0o777), []byte("in a folder that all may write to"))
	linked := folder("ae", 0o700)
	mine := file(folder("real", 0o755), []byte("mine"))
	if err := errors.Join(
		os.Rename(other, filepath.Join(tmp, "8")), os.Link(filepath.Join(tmp, "8"), filepath.Join(linked, "7")),
		os.Symlink("/dev/zero", filepath.Join(endless, "7")), unix.Mkfifo(filepath.Join(pipe, "7"), 0o600),
		os.Symlink("hsperfdata_real", filepath.Join(tmp, "hsperfdata_af")),
	); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // the folder of one user, with a file that looks like another's
		theirs := folder("ag", 0o755)
		file(theirs, []byte("theirs"))
		if err := os.Chown(theirs, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	if got := hsperfFile(tmp, "7", os.Geteuid()); string(got) != "mine" {
		t.Errorf("read %.40q, want that of %s", got, mine)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if got := hsperfFile(tmp, "7", os.Geteuid()); got != nil {
		t.Errorf("read %.40q, want nothing", got)
	}
}

func FuzzParsePerfData(f *testing.F) {
	f.Add(perfFile(binary.LittleEndian, map[string]int64{"a": 1}, map[string]string{"b": "c"}))
	f.Fuzz(func(t *testing.T, data []byte) { parsePerfData(data) })
}

func TestSnapshotOfOurselves(t *testing.T) {
	s, err := snapshot(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if !(s.CPUNS > 0 && s.RSSBytes > 0 && s.PeakRSSBytes >= s.RSSBytes && s.MonotonicNS > 0) {
		t.Errorf("%+v", s)
	}
	if !math.IsNaN(s.GCCount) || !math.IsNaN(s.ClassesLoaded) {
		t.Errorf("no JVM, but %+v", s.HSPerf)
	}
	if _, err := snapshot(1 << 30); err == nil {
		t.Error("a snapshot of nothing")
	}
}
