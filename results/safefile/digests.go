package safefile

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"
)

// Digests remembers the digests of files, so that each file is read once as long as it does not change. The
// zero value is ready to use, also concurrently.
type Digests struct {
	mu    sync.Mutex
	known map[string]digested // by path
}

// digested is the digest of a file, with its state at that time.
type digested struct {
	seen look
	sum  string
}

// look is the state of a file, which changes with it: nobody can set its ctime back.
type look struct {
	device, inode uint64
	size          int64
	changed       syscall.Timespec
}

// tick is longer than the granularity of file system clocks: a file that was changed more recently may change
// again without a new ctime.
const tick = 50 * time.Millisecond

// Digest is the function Digest, but reads the file only if it changed since it was last read. The file is
// opened in any case, because its owner may have changed.
func (d *Digests) Digest(
	ctx context.Context, name string, most int64, open func(string) (*os.File, error),
) (string, error) {
	f, err := open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	s := system(info)
	seen := look{s.Dev, s.Ino, s.Size, s.Ctim} // before it is read, so that changes meanwhile are noticed next time
	d.mu.Lock()
	was, known := d.known[name]
	d.mu.Unlock()
	if known && was.seen == seen {
		return was.sum, nil
	}
	now := time.Now()
	sum, err := digest(ctx, f, name, most)
	if err != nil || now.Sub(time.Unix(s.Ctim.Unix())) < tick {
		return sum, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil {
		d.known = map[string]digested{}
	}
	d.known[name] = digested{seen, sum}
	return sum, nil
}
