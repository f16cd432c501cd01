package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	passwd "os/user"
	"path/filepath"
	"strconv"

	"moobench/refusal"
)

// Home returns the user's home: $HOME or, where that is not set, as in a service, the home in the system's user
// database.
func Home() (string, error) {
	home := os.Getenv("HOME")
	if home == "" {
		u, err := passwd.LookupId(strconv.Itoa(os.Geteuid()))
		if err != nil {
			return "", fmt.Errorf("HOME is not set, and the system knows no home: %w", err)
		}
		home = u.HomeDir
	}
	if !filepath.IsAbs(home) {
		return "", fmt.Errorf("the home %q is not an absolute path", home)
	}
	return home, nil
}

// CacheFolder returns the folder for files that moobench can make again: moobench in $XDG_CACHE_HOME, or in
// .cache of Home. It need not exist yet. It is an error if both are missing: in a world-writable folder, others
// would decide what we run.
func CacheFolder() (dir string, err error) {
	if dir = os.Getenv("XDG_CACHE_HOME"); dir == "" {
		dir, err = Home()
		dir = filepath.Join(dir, ".cache")
	} else if !filepath.IsAbs(dir) {
		err = fmt.Errorf("XDG_CACHE_HOME %q is not an absolute path", dir)
	}
	if err != nil {
		return "", cacheError(err)
	}
	return filepath.Join(dir, "moobench"), nil
}

// StateFolder returns the folder for files that moobench can't make again, and that are worth
// keeping: moobench in $XDG_STATE_HOME, or in .local/state of Home. It need not exist yet.
func StateFolder() (dir string, err error) {
	if dir = os.Getenv("XDG_STATE_HOME"); dir == "" {
		dir, err = Home()
		dir = filepath.Join(dir, ".local", "state")
	} else if !filepath.IsAbs(dir) {
		err = fmt.Errorf("XDG_STATE_HOME %q is not an absolute path", dir)
	}
	if err != nil {
		return "", refusal.New(fmt.Errorf("looking for the user's state: %w", err),
			"set HOME or XDG_STATE_HOME to a folder of this user's that nobody else can change")
	}
	return filepath.Join(dir, "moobench"), nil
}

// MakeCache is MakeFolder for a folder of the cache, with a hint in its error.
func MakeCache(name string) error { return cacheError(MakeFolder(name)) }

// CheckCache is CheckFolder for a folder of the cache, which need not exist yet, with a
// hint in its error.
func CheckCache(name string) error {
	err := CheckFolder(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return cacheError(err)
}

func cacheError(err error) error {
	if err == nil {
		return nil
	}
	return refusal.New(fmt.Errorf("looking for the cache: %w", err),
		"set HOME or XDG_CACHE_HOME to a folder of this user's that nobody else can change")
}
