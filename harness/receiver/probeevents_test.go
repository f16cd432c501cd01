package receiver

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProbeEvents: an execution is counted by its end, and one of a log of locks only if it
// held one; a log that was cut off says so.
func TestProbeEvents(t *testing.T) {
	longs := func(values ...uint64) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		return b
	}
	const enter, exit, thrown, thread = 0, 1 << 60, 2 << 60, 15 << 60
	end := longs(5, 0, 0)
	for name, c := range map[string]struct {
		methods []string
		end     []byte // none: it was cut off
		want    int64
		wrong   string
	}{
		"of methods": {[]string{"void a.B.run()", "void a.B.put()"}, end, 3, ""},
		"of locks":   {[]string{"void a.B.run()", "void a.B.put()\tmethod"}, end, 1, ""},
		"cut off":    {[]string{"void a.B.run()\tblock=7", "void a.B.put()"}, nil, 2, "cut off after 5 events"},
	} {
		log := []byte("moobench-events 1 event=16\n")
		block := func(kind, id uint32, content []byte) {
			for _, v := range []uint32{kind, id, uint32(len(content))} {
				log = binary.LittleEndian.AppendUint32(log, v)
			}
			log = append(log, content...)
		}
		for id, method := range c.methods {
			block(1, uint32(id), []byte(method))
		}
		block(2, 0, []byte("main"))
		block(3, 0, longs(1, thread, 2, enter, 3, enter|1<<32, 3, exit|1<<32, 4, exit, 6, thrown))
		if c.end != nil {
			block(4, 0, c.end)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "events-17.bin"), log, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), "probe-events", dir, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		tally, err := s.Finish(t.Context())
		if tally.Records != c.want || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %+v, %v", name, tally, err)
		}
	}
}
