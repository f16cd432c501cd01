package receiver

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProbeEvents: an execution is counted by its end; a log that was cut off says so.
func TestProbeEvents(t *testing.T) {
	log := []byte("moobench-events 1 event=16\n")
	block := func(kind, id uint32, content ...byte) {
		for _, v := range []uint32{kind, id, uint32(len(content))} {
			log = binary.LittleEndian.AppendUint32(log, v)
		}
		log = append(log, content...)
	}
	longs := func(values ...uint64) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	}
	block(1, 0, []byte("void a.B.run()")...)
	block(2, 0, []byte("main")...)
	block(3, 0, longs(1, 15<<60, 2, 0, 3, 1<<60, 4, 0, 5, 2<<60, 6, 0)...)
	whole := len(log)
	block(4, 0, longs(5, 0, 0)...)
	for _, c := range []struct {
		bytes int
		wrong string
	}{{len(log), ""}, {whole, "cut off after 5 events"}} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "events-17.bin"), log[:c.bytes], 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), "probe-events", dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		tally, err := s.Finish(t.Context())
		if tally.Records != 2 || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%d bytes: %+v, %v", c.bytes, tally, err)
		}
	}
}
