package safefile

import (
	"context"
	"os"
	"sync"
	"syscall"
	"time"
)

// Digests remembers what files hold, so that each is read once as long as nothing about it changes. The zero value
// knows nothing yet; several goroutines may ask at a time.
type Digests struct {
	mu    sync.Mutex
	known map[string]digested // by path
}

// digested is what a file held when it was seen last.
type digested struct {
	seen look
	sum  string
}

// look is all that changes when a file does: nobody can set the time of its last change back.
type look struct {
	device, inode uint64
	size          int64
	changed       syscall.Timespec
}

// tick is longer than the clock of file systems takes from one time to the next: what was changed so short a time
// ago may change again without another time.
const tick = 50 * time.Millisecond

// Digest is Digest of a file, which is read unless it is as it was when it was read before. It is opened in any
// case: whom it belongs to may change.
func (d *Digests) Digest(ctx context.Context, name string, most int64, open func(string) (*os.File, error)) (string, error) {
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
	seen := look{s.Dev, s.Ino, s.Size, s.Ctim} // before it is read: what changes meanwhile is read again
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
