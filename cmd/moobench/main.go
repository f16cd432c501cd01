// Command moobench measures what monitoring costs a JVM application, and reports how sure that is.
package main

import "os"

func main() {
	os.Exit(Main(untilAsked(), os.Args[1:], os.Stdout, os.Stderr))
}
