package importer

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Bound is the size limit of files: the tool can't have written a longer one, and it is not read.
type Bound struct {
	Bytes int64 // 0: unlimited
	Tool  string
	// Foreign says that files of other tools are read because the reader knows them; otherwise they get advice.
	Foreign bool
}

// ReadFiles calls read with the files of the request, one after the other, until ctx is done, and returns the
// mistakes in them as an error. read gets UTF-8 without a byte order mark. Two files with the same content are
// a mistake.
func (r Request) ReadFiles(
	ctx context.Context, most Bound, mistakes *refusal.Mistakes, read func(f File, in io.Reader) error,
) error {
	copies := &Copies{foreign: most.Foreign}
	for _, f := range r.Files {
		one := func(in io.Reader) error { return read(f, in) }
		if err := readFile(ctx, f.Path, most, copies, mistakes, one); err != nil {
			return err
		}
	}
	return mistakes.Err()
}

// Copies finds files with the content of an earlier one. Numbers that are given twice were measured once, and
// would make intervals too narrow.
type Copies struct {
	foreign bool                         // files of other tools are read
	first   map[[sha256.Size]byte]string // names by SHA-256
}

// Read calls read with a text in UTF-8, without a byte order mark. UTF-16, a file of a tool that no format
// reads, and a copy of an earlier file are added to the mistakes.
func (c *Copies) Read(name string, in io.Reader, mistakes *refusal.Mistakes, read func(text io.Reader) error) error {
	sum, isText, before := sha256.New(), false, mistakes.Count
	all := io.TeeReader(in, sum)
	err := readText(name, all, c.foreign, mistakes, func(text *bufio.Reader) error {
		isText = true
		return read(text)
	})
	if err != nil || !isText {
		return err
	}
	if _, err := io.Copy(io.Discard, all); err != nil {
		if mistakes.Count > before { // it is one of the mistakes
			return nil
		}
		return err
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	other, known := c.first[key]
	if known && other == name {
		mistakes.At(name, 0, "it is named twice: what is given twice was measured once; leave one out")
		return nil
	}
	if known {
		mistakes.At(name, 0,
			"it has the content of %s, byte for byte: what is given twice was measured once; leave one out",
			refusal.OneLine(other))
		return nil
	}
	if c.first == nil {
		c.first = map[[sha256.Size]byte]string{}
	}
	c.first[key] = name
	return nil
}

// readFile calls read with a regular file, until ctx is done. A file beyond its bound is not read, but added to
// the mistakes.
func readFile(
	ctx context.Context, path string, most Bound, copies *Copies, mistakes *refusal.Mistakes,
	read func(in io.Reader) error,
) error {
	f, err := safefile.Open(path)
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	in := UntilDone(ctx, f)
	if most.Bytes > 0 {
		if info, err := f.Stat(); err == nil && info.Size() > most.Bytes {
			mistakes.At(path, 0, "it is longer than %d bytes: is this a result file of %s?", most.Bytes, most.Tool)
			return nil
		}
		in = io.LimitReader(in, most.Bytes)
	}
	err = copies.Read(path, in, mistakes, read)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return fmt.Errorf("importing %s: %w", path, err)
	}
	return nil
}

// UntilDone returns a reader that fails once ctx is done.
func UntilDone(ctx context.Context, in io.Reader) io.Reader { return untilDone{ctx, in} }

type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(p)
}

// Limited reads from In until Left bytes were read, and then fails with Full. Several readers may share Left.
type Limited struct {
	In   io.Reader
	Left *int64
	Full error
}

// Read reads at most what is left.
func (l Limited) Read(p []byte) (int, error) {
	if *l.Left <= 0 {
		return 0, l.Full
	}
	n, err := l.In.Read(p[:min(int64(len(p)), *l.Left)])
	*l.Left -= int64(n)
	return n, err
}

// CSV is a file of records with columns separated by Comma.
type CSV struct {
	Name     string // for mistakes
	Comma    rune
	Mistakes *refusal.Mistakes
	// AnyWidth says that records may differ from the first in length. Malformed is called with malformed
	// records; nil: they are mistakes.
	AnyWidth  bool
	Malformed func(line int, why error)
}

// Records returns the records of a file, each with its line number. Records that are malformed, or not as long
// as the first, are added to the mistakes and skipped; a read error is added and stops the reading. A record is
// valid until the next one is read.
func (f CSV) Records(in io.Reader) iter.Seq2[int, []string] {
	return func(yield func(line int, record []string) bool) {
		c := csv.NewReader(in)
		c.Comma, c.FieldsPerRecord, c.ReuseRecord = f.Comma, -1, true
		for line := 0; ; {
			fields, err := c.Read()
			bad, malformed := errors.AsType[*csv.ParseError](err)
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, csv.ErrFieldCount):
				f.Mistakes.At(f.Name, bad.StartLine, "it has %d columns, and the first line %d",
					len(fields), c.FieldsPerRecord)
				continue
			case malformed && f.Malformed != nil:
				f.Malformed(bad.StartLine, bad.Err)
				continue
			case malformed:
				f.Mistakes.At(f.Name, bad.StartLine, "%v", bad.Err)
				continue
			case err != nil:
				f.Mistakes.At(f.Name, line+1, "%v", err)
				return
			}
			if !f.AnyWidth {
				c.FieldsPerRecord = len(fields) // the length of the first well-formed record
			}
			if line, _ = c.FieldPos(0); !yield(line, fields) {
				return
			}
		}
	}
}

// Format is a file format of another tool, with the functions that import it.
type Format struct {
	Name string // for users: jtl
	// About says what is read and how it is imported, in lines of at most 66 letters.
	About string
	// Paths are the names of its files: "*.jtl" is a suffix, which formats may share; anything else is only
	// shown to people.
	Paths []string
	// Named reports whether a path is certainly of this format; nil: never.
	Named func(path string) bool
	// Header recognises the format by a file's first line, if others have the same suffix; nil: it takes the
	// files that no other format recognises.
	Header func(line string) bool
	// Options names the options of a Request that this format has and others may not:
	// variant, by, mode, secrets, whole-labels, window.
	Options []string
	// Import makes a campaign; nil if the files have nothing to make one of. All mistakes in the files are in
	// one *refusal.Mistakes.
	Import func(ctx context.Context, r Request) (*results.Store, error)
	// Nights reads values for a history; nil if the files are no nights. Mistakes are as in Import.
	Nights func(ctx context.Context, r Request) (*Nights, error)
}

// Request describes an import.
type Request struct {
	Dir   string // of the campaign; new or empty
	Files []File

	// The header of the campaign.
	Name     string
	Created  time.Time
	Versions map[string]string

	// Baseline is the variant that the others are compared with; "" leaves the choice
	// to the format.
	Baseline string
	// Progress is called with the number of finished files; may be nil.
	Progress func(done, all int)

	// By is the JMH parameter whose values are the variants, "" for none. Mode is the only JMH mode to import,
	// "" for all.
	By, Mode string
	// Secrets keeps values that look secret, which are otherwise cut.
	Secrets bool
	// WholeLabels keeps the queries, fragments and credentials of labels that are URLs.
	WholeLabels bool
	// Window selects the samples that enter means: "", steady, or half as in MooBench.
	Window results.Window
}

// File is a file or folder, with its given variant or "".
type File struct{ Variant, Path string }
