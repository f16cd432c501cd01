package jvm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"moobench/harness/proc"
	"moobench/results/safefile"
)

// HSPerf holds counters from HotSpot's hsperfdata file, which is read without the JVM's help. They run from the
// start of the JVM. All are NaN if there is no such file (-XX:-UsePerfData, another JVM, or a JVM that has ended);
// single ones are NaN if the JDK lacks them. No JDK counts redefined classes there.
type HSPerf struct {
	GCCount, GCNS float64 // pauses, of all collectors
	JITNS         float64 // sum over the compiler threads
	SafepointNS   float64 // in safepoints
	// ClassesLoaded includes classes from the shared archive, unlike the JVM's own counter of loaded classes.
	ClassesLoaded float64
}

// maxHSPerf bounds the size of such a file in bytes: it is 32 KiB unless the JVM is told otherwise.
const maxHSPerf = 1 << 20

// readHSPerf reads the counters of a JVM. The file is named after the JVM's pid in its own PID namespace and is in
// /tmp of its own mount namespace, regardless of TMPDIR.
func readHSPerf(pid int) HSPerf {
	ids, uid := namespacePIDs(pid), proc.User(pid)
	if len(ids) == 0 || uid < 0 {
		return hsperfOf(nil)
	}
	tmps := []string{fmt.Sprintf("/proc/%d/root/tmp", pid), "/tmp"}
	if theirs, err := os.Stat(tmps[0]); err == nil {
		if ours, err := os.Stat(tmps[1]); err == nil && os.SameFile(theirs, ours) {
			tmps = tmps[1:]
		}
	}
	for _, tmp := range tmps {
		if data := hsperfFile(tmp, ids[len(ids)-1], uid); data != nil {
			counters, _ := parsePerfData(data) // nil while the JVM is still creating the file
			return hsperfOf(counters)
		}
	}
	return hsperfOf(nil)
}

// hsperfFile reads the file of a JVM below a folder; nil: none. Everybody may write there, so only a file made by
// the JVM's own user, in a folder of that user, is trusted: any other is a leftover or a trap.
func hsperfFile(tmp, id string, uid int) []byte {
	paths, _ := filepath.Glob(filepath.Join(tmp, "hsperfdata_*", id)) // the pattern is well-formed
	for _, path := range paths {
		if data, err := safefile.ReadOf(uid, path, maxHSPerf); err == nil {
			return data
		}
	}
	return nil
}

func hsperfOf(counters map[string]int64) HSPerf {
	// sum adds the counters with this prefix and suffix; NaN if no counter matches.
	sum := func(prefix, suffix string) float64 {
		total, found := 0.0, false
		for name, n := range counters {
			if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
				total, found = total+float64(n), true
			}
		}
		if !found {
			return math.NaN()
		}
		return total
	}
	get := func(name string) float64 { return sum(name, name) }
	ns := 1e9 / get("sun.os.hrt.frequency") // per tick of the JVM's clock
	return HSPerf{
		GCCount:       sum("sun.gc.collector.", ".invocations"),
		GCNS:          sum("sun.gc.collector.", ".time") * ns,
		JITNS:         get("java.ci.totalTime") * ns,
		SafepointNS:   get("sun.rt.safepointTime") * ns,
		ClassesLoaded: get("java.cls.loadedClasses") + get("java.cls.sharedLoadedClasses"),
	}
}

// The binary format, version 2, from the JDK's perfMemory.hpp: a prologue of 32
// bytes, then entries of a 20-byte header, a name and a value each.
const (
	perfMagic    = 0xcafec0c0 // always big endian
	perfPrologue = 32
	perfHeader   = 20
)

// parsePerfData reads the counters of an hsperfdata file, version 2 (JDK 8 and later).
func parsePerfData(data []byte) (map[string]int64, error) {
	switch {
	case len(data) < perfPrologue || binary.BigEndian.Uint32(data) != perfMagic:
		return nil, errors.New("parsing hsperfdata: it is no such file")
	case data[5] != 2:
		return nil, fmt.Errorf("parsing hsperfdata: version %d.%d is not known", data[5], data[6])
	case data[7] == 0:
		return nil, errors.New("parsing hsperfdata: the JVM is still writing its beginning")
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[4] == 1 {
		order = binary.LittleEndian
	}
	offset, n := uint64(order.Uint32(data[24:])), order.Uint32(data[28:])
	counters := map[string]int64{}
	for range n {
		if offset+perfHeader > uint64(len(data)) {
			return nil, fmt.Errorf("parsing hsperfdata: entry at byte %d lies outside", offset)
		}
		entry := data[offset:]
		length := uint64(order.Uint32(entry))
		if length < perfHeader || length > uint64(len(entry)) {
			return nil, fmt.Errorf("parsing hsperfdata: entry at byte %d has the length %d", offset, length)
		}
		nameAt, count, dataAt := order.Uint32(entry[4:]), order.Uint32(entry[8:]), order.Uint32(entry[16:])
		if uint64(nameAt) >= length || uint64(dataAt) > length {
			return nil, fmt.Errorf("parsing hsperfdata: entry at byte %d: its name or value lies outside", offset)
		}
		if entry[12] == 'J' && count == 0 { // all others are strings
			name, _, _ := strings.Cut(string(entry[nameAt:length]), "\x00")
			if length < uint64(dataAt)+8 {
				return nil, fmt.Errorf("parsing hsperfdata: entry at byte %d: value of %s is cut off", offset, name)
			}
			counters[name] = int64(order.Uint64(entry[dataAt:]))
		}
		offset += length
	}
	return counters, nil
}
