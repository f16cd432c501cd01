// Package jvmfixtures carries the sources of the Java fixtures, so that the
// moobench command can build them wherever it is installed.
package jvmfixtures

import "embed"

// Sources is the whole Maven build, including tests and protocol transcripts: the parent's pom.xml at the root,
// one folder per module. It has no build output.
//
//go:embed pom.xml protocol */pom.xml */src
var Sources embed.FS
