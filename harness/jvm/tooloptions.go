package jvm

import "strings"

// ToolOptionsName is the environment variable in which a JVM looks for arguments
// that nobody gave it; all JVMs that are started with it do.
const ToolOptionsName = "JAVA_TOOL_OPTIONS"

// ToolOptions is the value of JAVA_TOOL_OPTIONS that stands for JVM arguments. A
// JVM parts it at white space that is not between quotes of either kind, takes
// the quotes away, and knows no other escape.
func ToolOptions(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = a
		if a == "" || strings.ContainsAny(a, " \t\n\v\f\r'\"") {
			quoted[i] = `"` + strings.ReplaceAll(a, `"`, `"'"'"`) + `"`
		}
	}
	return strings.Join(quoted, " ")
}
