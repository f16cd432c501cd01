package receiver

import (
	"errors"
	"fmt"
	"io"
	"net"

	"moobench/harness/proc"
)

// kiekerBuffer bounds the bytes of one read. No record or registry entry is longer:
// Kieker's own buffer has 65,535 bytes.
const kiekerBuffer = 256 << 10

// receiveKieker receives what Kieker's SingleSocketTcpWriter sends. Each connection
// has a registry of its own.
func receiveKieker(n *network) Source {
	ids := newBudget(kiekerAtOnce)
	n.start(func(c *conn) {
		defer c.Close()
		err := countKieker(c, ids, func(atNS, records int64) { n.count(c, atNS, records) })
		if err == nil || errors.Is(err, net.ErrClosed) {
			return
		}
		n.fail(fmt.Errorf("kieker connection: %w", err))
		// A writer whose peer hangs up would behave differently, and so would what we
		// measure: discard the rest.
		_, _ = io.Copy(io.Discard, c)
	})
	return n
}

// countKieker counts what one connection brings.
func countKieker(r io.Reader, ids *budget, add func(atNS, records int64)) error {
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
			return readErr // whoever reads a file names it
		case have == len(buf):
			return fmt.Errorf("a registry entry is longer than %d bytes: not what Kieker 2.0.2 sends", len(buf))
		}
	}
}
