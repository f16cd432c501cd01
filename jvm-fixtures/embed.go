// Package jvmfixtures carries the sources of the Java fixtures, so that the
// moobench command can build them wherever it is installed.
package jvmfixtures

import "embed"

// Sources is the whole Maven build, tests and protocol transcripts included:
// the parent's pom.xml at the root, one folder per module. It holds nothing
// that was built.
//
//go:embed pom.xml protocol
//go:embed kernel/pom.xml kernel/src
//go:embed calls/pom.xml calls/src
//go:embed probes/pom.xml probes/src
//go:embed hotswap/pom.xml hotswap/src
//go:embed swappers/pom.xml swappers/src
//go:embed classes/pom.xml classes/src
//go:embed h2/pom.xml h2/src
//go:embed server/pom.xml server/src
//go:embed freemarker/pom.xml freemarker/src
//go:embed bridge-kieker/pom.xml bridge-kieker/src
//go:embed bridge-opentelemetry/pom.xml bridge-opentelemetry/src
var Sources embed.FS
