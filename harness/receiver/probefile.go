package receiver

import (
	"errors"
	"fmt"
	"io"
)

// The probe writes this header and then records of one size, so the file's size gives their number.
const (
	probeFile   = "probe.bin"
	probeHeader = "moobench-records 1 size=32\n"
	probeRecord = 32 // bytes
)

// openProbeFile counts the records written by moobench's own probe.
func openProbeFile(dir string) Source {
	count := countEach("count the probe's records", countProbe)
	return &written{dir: dir, patterns: []string{probeFile}, header: int64(len(probeHeader)), count: count}
}

func countProbe(r io.ReadSeeker) (int64, error) {
	head := make([]byte, len(probeHeader))
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	if string(head[:n]) != probeHeader {
		return 0, fmt.Errorf("it begins with %q, want %q", head[:n], probeHeader)
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	size := end - int64(len(probeHeader))
	if rest := size % probeRecord; rest != 0 {
		return size / probeRecord, fmt.Errorf("it ends in the middle of a record: %d of its %d bytes are missing",
			probeRecord-rest, probeRecord)
	}
	return size / probeRecord, nil
}
