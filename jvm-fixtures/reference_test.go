package jvmfixtures_test

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	jvmfixtures "moobench/jvm-fixtures"
)

// referenceCode is the SHA-256 of the code of each version of the reference, without its
// comments, blanks and the version itself. Add a line for a new version; never change one.
var referenceCode = map[string]string{"1": "19897be54d84485949db19757d940e22a061d13a380298cd5c477b1fcab8c68b"}

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	version  = regexp.MustCompile(`static final int VERSION = (\d+);`)
)

// Costs are told at a time of the reference: another code under the same version would tell
// them at another speed, and nobody would see it.
func TestReferenceVersion(t *testing.T) {
	text, err := jvmfixtures.Sources.ReadFile("kernel/src/main/java/moobench/kernel/Reference.java")
	if err != nil {
		t.Fatal(err)
	}
	found := version.FindSubmatch(text)
	if found == nil || string(found[1]) != jvmfixtures.ReferenceVersion {
		t.Fatalf("Reference.java has version %s, and Go %s", found, jvmfixtures.ReferenceVersion)
	}
	code := version.ReplaceAllString(comments.ReplaceAllString(string(text), ""), "")
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(code), " ")))
	if got := hex.EncodeToString(sum[:]); got != referenceCode[jvmfixtures.ReferenceVersion] {
		t.Errorf("the code of the reference is %s, and that of version %s was %s: a changed reference has another version",
			got, jvmfixtures.ReferenceVersion, referenceCode[jvmfixtures.ReferenceVersion])
	}
}
