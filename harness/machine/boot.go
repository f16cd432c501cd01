package machine

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// BootID is the kernel's random name of this boot, or the time of the boot
// where it has none. "" means that nothing tells boots apart.
func BootID(root fs.FS) string {
	if id := line(root, "proc/sys/kernel/random/boot_id"); id != "" {
		return id
	}
	for l := range strings.Lines(text(root, "proc/stat")) {
		if seconds, ok := strings.CutPrefix(l, "btime "); ok {
			return strings.TrimSpace(seconds)
		}
	}
	return ""
}

// Sitting names one run of moobench on one boot: what stays the same within a
// block.
func Sitting() string {
	boot := BootID(Root())
	return fmt.Sprintf("%s-%s-%d", boot[:min(8, len(boot))], time.Now().UTC().Format("20060102T150405Z"), os.Getpid())
}

// FreeBytes is how much moobench may still write to the disk of dir.
func FreeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("asking for the free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}
