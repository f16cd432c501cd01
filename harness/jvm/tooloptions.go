package jvm

import "strings"

// ToolOptionsName is the environment variable in which every JVM that is started with it
// looks for further arguments.
const ToolOptionsName = "JAVA_TOOL_OPTIONS"

// ToolOptions is the value of JAVA_TOOL_OPTIONS for these JVM arguments. A JVM splits it
// at white space that is not between quotes of either kind, removes the quotes, and knows
// no other escape.
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
