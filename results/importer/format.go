package importer

import (
	"context"
	"time"

	"moobench/results"
)

// Format is a kind of file of another tool, and how a campaign is made of such
// files. Each package below this one that reads files has one.
type Format struct {
	Name string // for users: jtl
	// Paths say what its files are called: "*.jtl" is an ending, which formats may
	// share; anything else is for people only.
	Paths []string
	// Named reports whether a path is of this format whatever others say; nil: none is.
	Named func(path string) bool
	// Header tells the format from others of the same ending by a file's first line;
	// nil: it takes what they leave.
	Header func(line string) bool
	// Options names the options of a Request that this format obeys and others may
	// not know: variant, by, mode, window.
	Options []string
	// Import makes a campaign. What is wrong in the files is in one *Mistakes.
	Import func(ctx context.Context, r Request) (*results.Store, error)
}

// Request is what an import is asked for.
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
	// Progress is told how many of all files are done; nil: nobody is.
	Progress func(done, all int)

	// By is the parameter whose values are the variants, "" none; Mode the only mode
	// that is imported, "" all. Both are JMH's.
	By, Mode string
	// Window names the samples that means are taken over: "" or steady, or half, as
	// MooBench takes them.
	Window results.Window
}

// File is a file or folder, with the variant that was given for it, or "".
type File struct{ Variant, Path string }
