package redact

import (
	"strings"
	"testing"
)

// TestLive: what is open at the end of a live row is hidden already; what is
// closed, a question and plain words stay.
func TestLive(t *testing.T) {
	const m = Mark
	for _, c := range []struct{ row, want string }{
		{"Using ghp_a", "Using " + m},
		{"Using ghp_", "Using ghp_"},
		{"token=h", "token=" + m},
		{"password: hun", "password: " + m},
		{"Password: ", "Password: "},
		{"API_TOKEN=abc next", "API_TOKEN=" + m + " next"},
		{"API_TOKEN=$TO", "API_TOKEN=$TO"},
		{"https://bob:pa", "https://bob:" + m},
		{"http://localhost:51", "http://localhost:51"},
		{"http://localhost:5173/@vite/client", "http://localhost:5173/@vite/client"},
		{"Authorization: Bearer ab", "Authorization: Bearer " + m},
		{"Bearer 7a", "Bearer " + m},
		{"jwt eyJhb", "jwt " + m},
		{"curl -u bob:h", "curl -u bob:" + m},
		{"password must be at least", "password must be at least"},
		{"compiling 12 of 40 [=====>    ] 30%", "compiling 12 of 40 [=====>    ] 30%"},
		{"token=[redacted]", "token=[redacted]"},
	} {
		if got := Apply(c.row, Live(c.row)); got != c.want {
			t.Errorf("%q: %q, want %q", c.row, got, c.want)
		}
	}
}

// TestLiveCoversLine: a live row hides all that the finished line hides, and no
// prefix of a line shows six characters of its secret (C8).
func TestLiveCoversLine(t *testing.T) {
	for _, c := range samples(t, "kinds.jsonl") {
		if strings.ContainsAny(c.In, "\n\r\b\x1b") || c.In == c.Out || len(c.In) > 400 || c.Kind == "url" {
			continue
		}
		found := New(Options{}).Ranges(c.In)
		for n := 1; n <= len(c.In); n++ {
			got := Apply(c.In[:n], Live(c.In[:n]))
			for _, g := range found {
				if g.Start+8 > n {
					continue
				}
				secret := c.In[g.Start:min(n, g.End)]
				if (strings.Contains(c.Why, "to stdin") || c.Why == "chpasswd") && n < len(c.In) {
					continue // the telling word comes behind the value
				}
				if strings.Contains(got, secret) && strings.Count(c.In, secret) == 1 {
					t.Errorf("%s: %q shows %q", c.ID, got, secret)
				}
			}
		}
	}
}

// TestLiveInKey: the state counts for a live row and is not moved by it.
func TestLiveInKey(t *testing.T) {
	r := New(Options{})
	r.Line("-----BEGIN PRIVATE KEY-----")
	before := r.Save()
	for _, row := range []string{"MII", "MIIEvQIBADANBgkqhkiG9w0BAQ"} {
		if got := Apply(row, r.Live(row)); got != Mark {
			t.Errorf("live row %q in a key: %q", row, got)
		}
	}
	if r.Save() != before {
		t.Error("Live moved the state")
	}
}
