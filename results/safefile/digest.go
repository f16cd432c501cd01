package safefile

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// Digest is the SHA-256, in hex, of a file that open opens: Open or OpenOwn.
func Digest(name string, open func(string) (*os.File, error)) (string, error) {
	f, err := open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
