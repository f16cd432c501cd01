// Package jvmfixtures carries the sources of the Java fixtures, so that the
// moobench command can build them wherever it is installed.
package jvmfixtures

import "embed"

// Sources is the whole Maven build, tests and protocol transcripts included:
// the parent's pom.xml at the root, one folder per module. It holds nothing
// that was built.
//
//go:embed pom.xml protocol */pom.xml */src
var Sources embed.FS
