package jvm

import "strings"

// ToolOptionsName is the environment variable from which every JVM reads further arguments.
const ToolOptionsName = "JAVA_TOOL_OPTIONS"

// ToolOptions formats JVM arguments as a value of JAVA_TOOL_OPTIONS. A JVM splits it at white space outside single
// or double quotes, removes the quotes, and knows no other escape.
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
