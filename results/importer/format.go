package importer

import (
	"context"
	"time"

	"moobench/results"
)

// Format is a file format of another tool, and how a campaign is made of such files.
type Format struct {
	Name string // for users: jtl
	// About is what it reads and what becomes of it, in lines of at most 66 letters.
	About string
	// Paths are the names of its files: "*.jtl" is an ending, which formats may share;
	// anything else is for people only.
	Paths []string
	// Named reports whether a path is certainly of this format; nil: never.
	Named func(path string) bool
	// Header tells the format from others with the same ending by a file's first line;
	// nil: it takes the files that the others don't.
	Header func(line string) bool
	// Options names the options of a Request that this format has and others may not:
	// variant, by, mode, window.
	Options []string
	// Import makes a campaign. All mistakes in the files are in one *refusal.Mistakes.
	Import func(ctx context.Context, r Request) (*results.Store, error)
}

// Request is an order for an import.
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

	// By is the JMH parameter whose values are the variants, "" for none; Mode is the only
	// JMH mode that is imported, "" for all.
	By, Mode string
	// Window selects the samples that means are taken over: "" or steady, or half, as in
	// MooBench.
	Window results.Window
}

// File is a file or folder, with its given variant or "".
type File struct{ Variant, Path string }
