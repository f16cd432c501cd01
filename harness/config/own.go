package config

import (
	"regexp"
	"time"
)

// Command is the section [command]: a program of the user's own that runs to its
// end.
type Command struct {
	Program
	Exit   int            // the exit status that counts as success
	Output *regexp.Regexp // what its standard output must match; nil: anything
}

// Server is the section [server]: a server of the user's own.
type Server struct {
	Program
	Ready    string        // URL that answers with 2xx once it is up; may hold {port}
	Within   time.Duration // in which it must be up
	Requests []Request     // at least one
}

// Program is how a program of the user's own is started. Run and Env may hold
// {java} (the JDK's java), {agent} (the variant's JVM arguments; as an argument
// of its own it becomes as many), {dir} (the invocation's folder) and {port} (a
// free port of 127.0.0.1). Where nothing holds {agent}, the JVM is told by
// JAVA_TOOL_OPTIONS.
type Program struct {
	Run []string // the program and its arguments
	Dir string   // its working directory, relative to the file's folder; "" is that folder
	Env []string // NAME=value, sorted; added to the few variables that any subject has
	// Artifacts are tables maven and sha256 by name, as BurntSushi/toml decodes
	// them: jars that are fetched as those of frameworks are. Run and Env may hold
	// {jar.name}.
	Artifacts map[string]any
}

// Request is one [[server.request]], drawn at random by its weight.
type Request struct {
	Name    string // unique; "GET /path" unless it is said
	Method  string
	URL     string   // may hold {port}
	Headers []string // "Name: value"
	Body    string
	Weight  int // at least 1

	// What a right answer is.
	Status  int            // 200 unless it is said
	Expect  *string        // the whole body; nil: not compared
	Pattern *regexp.Regexp // what the body must match; nil: anything
}
