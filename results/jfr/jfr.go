// Package jfr counts events in files of JDK Flight Recorder, in version 2 of the format, from JDK 11 on.
//
// A file is a sequence of self-contained chunks: a header, events, and a metadata event that describes the
// types of events. Of events that nobody asked for only the length is read.
package jfr

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Seen is the content of a file, as far as it was asked for.
type Seen struct {
	Events int64
	Bytes  int64 // of these events, without data that they refer to
	// Most is the largest number in the requested field; 0 without one.
	Most int64
	// LostBytes is the number of bytes that the recorder reports as lost for want of memory.
	LostBytes int64
	// EndNS is the end of the last chunk, in ns since 1970; 0 without a chunk.
	EndNS  int64
	Chunks int
	// Shutdown says that the JVM began to shut down during the recording: only then does the recorder close a
	// recording by itself. NotesShutdown says that the recorder has such an event: HotSpot's own has one,
	// profilers that write this format don't.
	Shutdown, NotesShutdown bool
}

const (
	magic       = 0x464c5200 // FLR and a zero byte
	headerBytes = 68
	version     = 2

	metadataType = 0 // type of the metadata event

	lossEvent, lossField = "jdk.DataLoss", "amount"
	shutdownEvent        = "jdk.Shutdown" // enabled by the settings default and profile

	longestText = 64 << 20 // bytes
)

// ErrCut is the error for a file that ends within a chunk, because it was not completely written.
var ErrCut = errors.New("the file is cut off")

// header is the header of a chunk.
type header struct {
	size, metadata      int64 // bytes, and the offset in the chunk
	startNS, durationNS int64 // since 1970
}

// Count reads a file to its end, and counts the events of a type, such as jdk.ExecutionSample. If field is not
// "", it also takes the largest number in that field.
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

// readHeader reads the header of the chunk at an offset of the file; io.EOF at its end.
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
		return h, errors.New("it is not a file of Flight Recorder")
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

// chunk adds the content of a chunk.
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

// input reads the numbers and texts of a chunk. It keeps the first error, and returns zeros after it.
type input struct {
	r    *bufio.Reader
	read int64 // bytes
	err  error
}

// next reads one byte.
func (in *input) next() byte {
	b, err := in.r.ReadByte()
	if err != nil {
		in.fail(err)
		return 0
	}
	in.read++
	return b
}

// number reads a varint: 7 bits a byte, but 8 in the ninth and last byte.
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

// skip skips n bytes; a negative n is an error, because the event ended earlier.
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
