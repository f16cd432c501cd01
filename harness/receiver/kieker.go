package receiver

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"moobench/harness/proc"
)

// Kieker's binary form, big endian. A record consists of the id of its class name (int32), the logging timestamp
// (int64) and its values, with ids for strings; the class determines its size. A registry entry, on the wire only,
// consists of -1, the id, the length of the string in UTF-16 units, and the string in UTF-8.
const (
	kiekerRegistry = -1
	kiekerHeader   = 4 + 8
	kiekerIDs      = 1 << 20 // more than any program has signatures
	// kiekerAhead is the maximum distance of an id ahead of the number of ids: Kieker counts ids up, and threads
	// that register at the same time may swap places.
	kiekerAhead = 256
	// kiekerNames bounds the total size in bytes of the names kept for errors; each costs kiekerName in addition
	// to its text.
	kiekerNames = 64 << 10
	kiekerName  = 64
	// kiekerNamed marks registered strings that are not a class of known size.
	kiekerNamed = 1
	// kiekerAtOnce bounds the ids of all connections of a receiver together.
	kiekerAtOnce = 4 * kiekerIDs

	kiekerMetadata = "kieker.common.record.misc.KiekerMetadataRecord"
)

// kiekerClasses maps the size of a record's values in bytes to classes of Kieker 2.0.2 that its probes and
// samplers write and whose size is fixed. Names are relative to kieker.common.record; those in flow may also be in
// flow.trace.
var kiekerClasses = map[int]string{
	8: "misc.TimestampRecord",
	16: `controlflow.BranchingRecord misc.OperationCallEvent misc.HostApplicationMetaData
		session.SessionStartEvent session.SessionEndEvent`,
	20: "flow.concurrency.SplitEvent",
	24: `jvm.UptimeRecord system.ResourceUtilizationRecord flow.BeforeSentRemoteEvent
		flow.concurrency.monitor.MonitorEntryEvent flow.concurrency.monitor.MonitorExitEvent
		flow.concurrency.monitor.MonitorNotifyEvent flow.concurrency.monitor.MonitorNotifyAllEvent
		flow.concurrency.monitor.MonitorRequestEvent flow.concurrency.monitor.MonitorWaitEvent`,
	28: `jvm.CompilationRecord database.DatabaseFailedEvent
		flow.thread.BeforeThreadBasedEvent flow.thread.AfterThreadBasedEvent
		flow.ConstructionEvent flow.concurrency.JoinEvent
		flow.operation.BeforeOperationEvent flow.operation.AfterOperationEvent
		flow.operation.constructor.BeforeConstructorEvent flow.operation.constructor.AfterConstructorEvent`,
	32: `database.BeforeDatabaseEvent database.AfterDatabaseEvent
		flow.thread.AfterFailedThreadBasedEvent flow.BeforeReceivedRemoteEvent
		flow.operation.AfterOperationFailedEvent flow.operation.constructor.AfterConstructorFailedEvent
		flow.operation.object.BeforeOperationObjectEvent flow.operation.object.AfterOperationObjectEvent
		flow.operation.constructor.object.BeforeConstructorObjectEvent
		flow.operation.constructor.object.AfterConstructorObjectEvent`,
	36: `jvm.ClassLoadingRecord jvm.GCRecord system.LoadAverageRecord
		flow.TraceMetadata flow.operation.CallOperationEvent flow.operation.constructor.CallConstructorEvent
		flow.operation.object.AfterOperationFailedObjectEvent flow.operation.object.BeforeOperationObjectInterfaceEvent
		flow.operation.constructor.object.AfterConstructorFailedObjectEvent
		flow.operation.constructor.object.BeforeConstructorObjectInterfaceEvent`,
	37: "misc.KiekerMetadataRecord",
	40: "flow.ApplicationTraceMetadata",
	44: `controlflow.OperationExecutionRecord
		flow.operation.object.CallOperationObjectEvent flow.operation.constructor.object.CallConstructorObjectEvent`,
	48: "jvm.ThreadsStatusRecord",
	60: "system.MemSwapUsageRecord", 64: "system.DiskUsageRecord", 72: "system.CPUUtilizationRecord",
	84:  "jvm.MemoryRecord",
	128: "system.NetworkUtilizationRecord",
}

// kiekerSizes returns the inverse of kiekerClasses.
var kiekerSizes = sync.OnceValue(func() map[string]int {
	sizes := map[string]int{}
	for size, classes := range kiekerClasses {
		for _, class := range strings.Fields(classes) {
			sizes[class] = size
		}
	}
	return sizes
})

// kiekerSize returns the size of a record's values in bytes, or 0 for an unknown class.
func kiekerSize(class string) int {
	name, ok := strings.CutPrefix(class, "kieker.common.record.")
	if !ok {
		return 0
	}
	if event, ok := strings.CutPrefix(name, "flow.trace."); ok {
		name = "flow." + event
	}
	return kiekerSizes()[name]
}

// errKiekerPart means that the input ends in the middle of a record or registry entry.
var errKiekerPart = errors.New("the stream ends in the middle of a record")

// kiekerDecoder counts the records of one connection or folder, except Kieker's own metadata, which no call
// causes.
type kiekerDecoder struct {
	inBand bool             // registry entries are mixed with the records
	sizes  []uint8          // by id: bytes of header and values, kiekerNamed, or 0 if not registered
	known  int              // number of registered ids
	ids    *atomic.Int64    // size of the ids' tables of all connections together
	meta   int32            // id of the metadata record, -1 before it is known
	names  map[int32]string // the first of the other strings, truncated, for errors
	left   int              // bytes available for further names
}

func newKiekerDecoder(inBand bool, ids *atomic.Int64) *kiekerDecoder {
	return &kiekerDecoder{inBand: inBand, ids: ids, meta: -1, names: map[int32]string{}, left: kiekerNames}
}

// close releases the decoder's share of ids.
func (d *kiekerDecoder) close() {
	d.ids.Add(-int64(len(d.sizes)))
	d.sizes = nil
}

// register records the string of an id.
func (d *kiekerDecoder) register(id int32, value string) error {
	if id < 0 || id >= kiekerIDs {
		return fmt.Errorf("kieker registry entry with id %d (want 0 to %d): this is not what Kieker 2.0.2 sends",
			id, kiekerIDs-1)
	}
	if int(id) > d.known+kiekerAhead {
		return fmt.Errorf("kieker registry entry with id %d after %d entries: "+
			"this is not what Kieker 2.0.2 sends, which counts them up", id, d.known)
	}
	if missing := int(id) + 1 - len(d.sizes); missing > 0 {
		if d.ids.Add(int64(missing)) > kiekerAtOnce {
			d.ids.Add(-int64(missing))
			return fmt.Errorf("kieker registry entry with id %d: all connections together have more than %d, "+
				"which is more than any program has", id, kiekerAtOnce)
		}
		d.sizes = append(d.sizes, make([]uint8, missing)...)
	}
	if d.sizes[id] == 0 {
		d.known++
	}
	d.sizes[id] = kiekerNamed
	if size := kiekerSize(value); size > 0 {
		d.sizes[id] = uint8(kiekerHeader + size)
	} else if _, again := d.names[id]; !again {
		// Keep the string for errors while there is room.
		cut := value[:min(len(value), 100)]
		if cost := len(cut) + kiekerName; cost <= d.left {
			d.left -= cost
			d.names[id] = strings.Clone(cut)
		}
	}
	if value == kiekerMetadata {
		d.meta = id
	}
	return nil
}

// decode counts the complete records at the beginning of b, and returns the number of bytes consumed, including
// registry entries. The rest of b continues in bytes yet to come.
func (d *kiekerDecoder) decode(b []byte) (used int, records int64, err error) {
	for len(b)-used >= 4 {
		id := int32(binary.BigEndian.Uint32(b[used:]))
		if uint32(id) >= uint32(len(d.sizes)) || d.sizes[id] < kiekerHeader {
			if id != kiekerRegistry || !d.inBand {
				return used, records, d.unknown(id)
			}
			n, err := d.entry(b[used:])
			if n == 0 || err != nil {
				return used, records, err
			}
			used += n
			continue
		}
		size := int(d.sizes[id])
		if len(b)-used < size {
			break
		}
		used += size
		if id != d.meta {
			records++
		}
	}
	return used, records, nil
}

// entry reads one registry entry and returns its length in bytes, or 0 if it is incomplete.
func (d *kiekerDecoder) entry(b []byte) (int, error) {
	const head = 12
	if len(b) < head {
		return 0, nil
	}
	id, units := int32(binary.BigEndian.Uint32(b[4:])), int32(binary.BigEndian.Uint32(b[8:]))
	if units < 0 {
		return 0, fmt.Errorf("kieker registry entry %d with a length of %d: this is not what Kieker 2.0.2 sends",
			id, units)
	}
	if int(units) > len(b)-head { // a unit takes at least one byte
		return 0, nil
	}
	n := head
	for units > 0 {
		if !utf8.FullRune(b[n:]) {
			return 0, nil
		}
		r, size := utf8.DecodeRune(b[n:])
		if r == utf8.RuneError && size == 1 {
			return 0, fmt.Errorf("kieker registry entry %d: its string is not UTF-8", id)
		}
		n += size
		units -= int32(utf16.RuneLen(r))
	}
	return n, d.register(id, string(b[head:n]))
}

// registered reports whether an id is registered.
func (d *kiekerDecoder) registered(id int32) bool {
	return uint32(id) < uint32(len(d.sizes)) && d.sizes[id] != 0
}

func (d *kiekerDecoder) unknown(id int32) error {
	if name, ok := d.names[id]; ok {
		return fmt.Errorf("kieker record of the class %q (id %d), whose size is not known: "+
			"not a record that the probes of Kieker 2.0.2 write", name, id)
	}
	if d.registered(id) {
		return fmt.Errorf("kieker record of a class (id %d) whose size is not known: "+
			"not a record that the probes of Kieker 2.0.2 write", id)
	}
	return fmt.Errorf("kieker record whose class has the id %d, which was not registered before: "+
		"not the binary form of Kieker 2.0.2", id)
}

// missing describes the incomplete record or registry entry at the end of the input.
func (d *kiekerDecoder) missing(rest []byte) error {
	if len(rest) < 4 {
		return fmt.Errorf("%w: %d of the 4 bytes of its class id are there", errKiekerPart, len(rest))
	}
	id := int32(binary.BigEndian.Uint32(rest))
	if id == kiekerRegistry {
		return fmt.Errorf("%w: a registry entry lacks its end, %d bytes of it are there", errKiekerPart, len(rest))
	}
	size := int(d.sizes[id]) // decode stopped here for lack of bytes, so the id is known
	return fmt.Errorf("%w: %d of the %d bytes of a record with class id %d are missing",
		errKiekerPart, size-len(rest), size, id)
}

// kiekerBuffer bounds the bytes of one read. No record or registry entry is longer: Kieker's own buffer has 65,535
// bytes.
const kiekerBuffer = 256 << 10

// receiveKieker receives the records of Kieker's SingleSocketTcpWriter. Each connection has its own registry.
func receiveKieker(n *network, _ Told) Source {
	ids := new(atomic.Int64)
	n.start(func(c *conn) {
		defer c.Close()
		err := countKieker(c, ids, func(atNS, records int64) { n.count(c, atNS, records) })
		if err == nil || errors.Is(err, net.ErrClosed) {
			return
		}
		n.fail(fmt.Errorf("kieker connection: %w", err))
		// If we hung up, the writer would behave differently, and so would the measured program: discard the rest.
		_, _ = io.Copy(io.Discard, c)
	})
	return n
}

// countKieker counts the records of one connection.
func countKieker(r io.Reader, ids *atomic.Int64, add func(atNS, records int64)) error {
	d := newKiekerDecoder(true, ids)
	defer d.close()
	return d.read(r, add)
}

// read reads r to its end and reports the records of each read.
func (d *kiekerDecoder) read(r io.Reader, add func(atNS, records int64)) error {
	buf := make([]byte, kiekerBuffer)
	have := 0
	for {
		n, readErr := r.Read(buf[have:])
		atNS := proc.MonotonicNS()
		have += n
		used, records, err := d.decode(buf[:have])
		add(atNS, records)
		if err != nil {
			return err
		}
		have = copy(buf, buf[used:have])
		switch {
		case errors.Is(readErr, io.EOF) && have > 0:
			return d.missing(buf[:have])
		case errors.Is(readErr, io.EOF):
			return nil
		case readErr != nil && d.inBand:
			return fmt.Errorf("read: %w", readErr)
		case readErr != nil:
			return readErr // the file's reader adds its name
		case have == len(buf):
			return fmt.Errorf("a registry entry is longer than %d bytes: not what Kieker 2.0.2 sends", len(buf))
		}
	}
}
