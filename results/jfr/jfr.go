// Package jfr reads files of JDK Flight Recorder, as far as it takes to count events: those of
// JDK 11 and later, of version 2.
//
// Such a file is a sequence of chunks, each of which is complete in itself: a header, events, and
// an event of metadata that says of what types they are. Only what is asked for is looked at
// more closely than its length.
package jfr

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Seen is what a file holds of the events that were asked for.
type Seen struct {
	Events int64
	Bytes  int64 // of these events, without what they refer to
	// Most is the largest number in the field that was asked for; 0 without.
	Most int64
	// LostBytes are those of which the file says that the recorder lost them, for want of memory
	// to put events into.
	LostBytes int64
	// EndNS is when the last chunk ended, in ns since 1970; 0 without a chunk.
	EndNS  int64
	Chunks int
	// Shutdown says that the JVM began to end while it was recorded: only then does the recorder
	// close a recording by itself. NotesShutdown says that the recorder knows such an event, as
	// HotSpot's own does; profilers that write this format don't.
	Shutdown, NotesShutdown bool
}

const (
	magic       = 0x464c5200 // FLR, and a zero
	headerBytes = 68
	version     = 2

	metadataType = 0 // of the event that describes the others

	lossEvent, lossField = "jdk.DataLoss", "amount"
	shutdownEvent        = "jdk.Shutdown" // enabled by the settings default and profile

	longestText = 64 << 20 // bytes
)

// ErrCut is a file that ends within a chunk: it was not written to its end.
var ErrCut = errors.New("the file is cut off")

// header is what a chunk begins with.
type header struct {
	size, metadata      int64 // bytes, and the place in the chunk
	startNS, durationNS int64 // since 1970
}

// Count reads a file to its end, and counts the events of a type, such as jdk.ExecutionSample. Of
// a field that is not "", the largest number is taken too.
func Count(r io.ReadSeeker, event, field string) (s Seen, err error) {
	for at := int64(0); ; s.Chunks++ {
		h, err := readHeader(r, at)
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return s, fmt.Errorf("chunk %d: %w", s.Chunks+1, err)
		}
		if err := s.chunk(r, at, h, event, field); err != nil {
			return s, fmt.Errorf("chunk %d: %w", s.Chunks+1, err)
		}
		s.EndNS = h.startNS + h.durationNS
		at += h.size
	}
}

// readHeader reads the header of the chunk that begins at a place of the file; io.EOF is the end
// of the file.
func readHeader(r io.ReadSeeker, at int64) (h header, err error) {
	if _, err := r.Seek(at, io.SeekStart); err != nil {
		return h, err
	}
	raw := make([]byte, headerBytes)
	if _, err := io.ReadFull(r, raw); errors.Is(err, io.ErrUnexpectedEOF) {
		return h, fmt.Errorf("%w: it ends in a header", ErrCut)
	} else if err != nil {
		return h, err
	}
	number := func(i int) int64 { return int64(binary.BigEndian.Uint64(raw[8+8*i:])) }
	h = header{size: number(0), metadata: number(2), startNS: number(3), durationNS: number(4)}
	switch major := binary.BigEndian.Uint16(raw[4:]); {
	case binary.BigEndian.Uint32(raw) != magic:
		return h, errors.New("it is no file of Flight Recorder")
	case major != version:
		return h, fmt.Errorf("it is of version %d, and only version %d is known", major, version)
	case h.size < headerBytes || h.metadata < headerBytes || h.metadata >= h.size:
		return h, fmt.Errorf("%w: its last chunk was not finished", ErrCut)
	}
	end, err := r.Seek(0, io.SeekEnd)
	if err == nil && at+h.size > end {
		err = fmt.Errorf("%w: %d bytes of a chunk of %d are there", ErrCut, end-at, h.size)
	}
	return h, err
}

// chunk adds what a chunk holds.
func (s *Seen) chunk(r io.ReadSeeker, at int64, h header, event, field string) error {
	if _, err := r.Seek(at+h.metadata, io.SeekStart); err != nil {
		return err
	}
	types, err := readTypes(&input{r: bufio.NewReader(io.LimitReader(r, h.size-h.metadata))})
	if err != nil {
		return fmt.Errorf("reading its metadata: %w", err)
	}
	wanted, lost, shutdown := types.named(event), types.named(lossEvent), types.named(shutdownEvent)
	s.NotesShutdown = s.NotesShutdown || shutdown != 0
	if _, err := r.Seek(at+headerBytes, io.SeekStart); err != nil {
		return err
	}
	in := &input{r: bufio.NewReaderSize(io.LimitReader(r, h.size-headerBytes), 1<<20)}
	for left := h.size - headerBytes; left > 0; {
		begin := in.read
		size, kind := in.number(), in.number()
		end := begin + size
		if in.err == nil && (end < in.read || size > left) {
			return fmt.Errorf("an event of %d bytes, where %d are left", size, left)
		}
		left -= size
		if wanted != 0 && kind == wanted && in.err == nil {
			s.Events++
			s.Bytes += size
			if field != "" {
				s.Most = max(s.Most, types.number(in, wanted, field))
			}
		}
		if lost != 0 && kind == lost {
			s.LostBytes += types.number(in, lost, lossField)
		}
		s.Shutdown = s.Shutdown || shutdown != 0 && kind == shutdown
		if in.skip(end - in.read); in.err != nil {
			return fmt.Errorf("reading its events: %w", in.err)
		}
	}
	return nil
}

// input reads the numbers and texts of a chunk. It keeps the first error, and then returns zeros.
type input struct {
	r    *bufio.Reader
	read int64 // bytes
	err  error
}

// next is one byte.
func (in *input) next() byte {
	b, err := in.r.ReadByte()
	if err != nil {
		in.fail(err)
		return 0
	}
	in.read++
	return b
}

// number reads a number of 7 bits a byte, the last of at most 9 of 8.
func (in *input) number() (n int64) {
	for i := 0; in.err == nil; i++ {
		b := in.next()
		if i == 8 {
			return n | int64(b)<<(7*i)
		}
		n |= int64(b&0x7f) << (7 * i)
		if b < 0x80 {
			break
		}
	}
	return n
}

func (in *input) fail(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if in.err == nil {
		in.err = err
	}
}

// skip leaves out so many bytes; fewer than none are those of an event that ended before.
func (in *input) skip(n int64) {
	if n < 0 {
		in.fail(errMetadata)
	}
	for n > 0 && in.err == nil {
		done, err := in.r.Discard(int(min(n, math.MaxInt32)))
		n -= int64(done)
		in.read += int64(done)
		if err != nil {
			in.fail(err)
		}
	}
}
