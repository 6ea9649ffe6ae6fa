package main

import (
	"fmt"
	"strings"
	"testing"
)

// The formula names each archive with its own sum, and is not written where one
// is missing.
func TestFormula(t *testing.T) {
	var sums strings.Builder
	for i, name := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"} {
		fmt.Fprintf(&sums, "%064x  offstage_1.2.3_%s.tar.gz\n", i+10, name)
	}
	var out strings.Builder
	if err := write(&out, release{"1.2.3", "https://example.org", "https://example.org/v1.2.3/"}, strings.NewReader(sums.String())); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"} {
		want := fmt.Sprintf("url \"https://example.org/v1.2.3/offstage_1.2.3_%s.tar.gz\"\n      sha256 \"%064x\"", name, i+10)
		if !strings.Contains(out.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, out.String())
		}
	}
	some := strings.Split(sums.String(), "\n")
	err := write(&strings.Builder{}, release{"1.2.3", "https://example.org", "https://example.org"}, strings.NewReader(strings.Join(some[1:], "\n")))
	if err == nil || !strings.Contains(err.Error(), "darwin_arm64") {
		t.Errorf("a missing sum: %v", err)
	}
}
