package importer

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"moobench/results/safefile"
)

// Bound is how long a file may be. One that is longer is not read: it can't be
// what the tool writes.
type Bound struct {
	Bytes int64 // 0 is any number
	Tool  string
}

// ReadFile has a regular file read until ctx is done: it may be long, and an import
// ends when it is asked to. Nothing is read of a file beyond its bound, which is
// added to the mistakes.
func ReadFile(ctx context.Context, path string, most Bound, mistakes *Mistakes, read func(in io.Reader) error) error {
	f, err := safefile.Open(path)
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("importing: %w", err)
	}
	in := UntilDone(ctx, f)
	if most.Bytes > 0 {
		if info.Size() > most.Bytes {
			mistakes.Add(path, 0, "it is longer than %d bytes: is this a result file of %s?", most.Bytes, most.Tool)
			return nil
		}
		in = io.LimitReader(in, most.Bytes)
	}
	err = read(in)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("importing %s: %w", path, err)
	}
	return nil
}

// UntilDone reads from another reader until ctx is done.
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

// CSV is a file of records, whose columns Comma separates.
type CSV struct {
	Name  string // for mistakes
	Comma rune
	// Most bounds a record; a quote that is never closed makes longer ones.
	Most     Bound
	Mistakes *Mistakes
}

// Each hands out the records, each with the number of its line, until take returns
// false. A record that is no CSV is added to the mistakes, and passed over; so is an
// error after which nothing can be read. Records may differ in length, and are valid
// until take returns. Each reports whether it came to the end of the file.
func (f CSV) Each(in io.Reader, take func(line int, record []string) bool) (ended bool) {
	record := &recordReader{in: in, most: f.Most, left: f.Most.Bytes}
	c := csv.NewReader(record)
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = f.Comma, -1, true
	for line := 0; ; {
		fields, err := c.Read()
		record.left = f.Most.Bytes
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return true
		case errors.As(err, &bad):
			f.Mistakes.Add(f.Name, bad.StartLine, "%v", bad.Err)
			continue
		case err != nil:
			f.Mistakes.Add(f.Name, line+1, "%v", err)
			return false
		}
		if line, _ = c.FieldPos(0); !take(line, fields) {
			return false
		}
	}
}

// recordReader refuses a record that is too long.
type recordReader struct {
	in   io.Reader
	most Bound
	left int64
}

func (r *recordReader) Read(p []byte) (int, error) {
	if r.most.Bytes == 0 {
		return r.in.Read(p)
	}
	if r.left <= 0 {
		return 0, fmt.Errorf("a line, or what stands between two quotes, is longer than %d bytes: is this a %s, and is a quote closed?", r.most.Bytes, r.most.Tool)
	}
	n, err := r.in.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}
