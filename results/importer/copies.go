package importer

import (
	"crypto/sha256"
	"io"
	"os"

	"moobench/refusal"
	"moobench/results/safefile"
)

// copied returns the files that have the same content as one before them, as mistakes: what was
// measured once would count twice, and every interval come out too narrow. What can't be read is
// for the reader to say, and folders are for their format to check.
func copied(files []File) error {
	bySize := map[int64][]File{}
	for _, f := range files {
		if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			bySize[info.Size()] = append(bySize[info.Size()], f)
		}
	}
	first, mistakes := map[[sha256.Size]byte]string{}, &refusal.Mistakes{}
	for _, f := range files {
		info, err := os.Stat(f.Path)
		if err != nil || len(bySize[info.Size()]) < 2 {
			continue
		}
		sum, err := contentOf(f.Path)
		if err != nil {
			continue
		}
		switch before, seen := first[sum]; {
		case !seen:
			first[sum] = f.Path
		case before == f.Path:
			mistakes.At(f.Path, 0, "it is named twice: a file is no other run than itself; leave one of them out")
		default:
			mistakes.At(f.Path, 0, "it has the same content as %s (SHA-256 %x…): a copy is no other run; leave one of them out", before, sum[:4])
		}
	}
	return mistakes.Err()
}

// contentOf is the SHA-256 of a regular file.
func contentOf(path string) (sum [sha256.Size]byte, err error) {
	f, err := safefile.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}
