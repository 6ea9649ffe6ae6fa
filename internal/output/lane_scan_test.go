package output

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestAddressAt: it finds what bytes.Index finds, wherever it stands.
func TestAddressAt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 200_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = "::///a0\x3b\x39\xba\xaf"[r.IntN(11)]
		}
		want := bytes.Index(b, []byte("://"))
		if got := addressAt(b); got != want {
			t.Fatalf("%q: %d, want %d", b, got, want)
		}
		if want >= 0 {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("%d found", found)
	}
}
