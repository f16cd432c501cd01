// Command moobench tells what monitoring costs a JVM application, and how sure
// that is.
package main

import "os"

func main() {
	os.Exit(Main(untilAsked(), os.Args[1:], os.Stdout, os.Stderr))
}
