package redact

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strings"
	"testing"
)

// TestRelease: a prompt leaves at once, what may be part of a secret is masked,
// and the stream goes on behind it without a leak or a second Mark.
func TestRelease(t *testing.T) {
	const m = Mark
	for _, c := range []struct{ name, first, now, then, end string }{
		{"prompt", "Password: ", "Password: ", "\nok\n", "\nok\n"},
		{"progress", "50%", "50%", "\r60%\n", "\r60%\n"},
		{"redraw", "50%\r", "50%\r", "60%\n", "60%\n"},
		{"half a token", "using ghp_abc", "using " + m, "DEF1234567890123456789012345678901234 ok\n", " ok\n"},
		{"half a value", "token=ab", "token=" + m, "cdef\n", "\n"},
		{"name, then value", "API_TO", "API_TO", "KEN=hunter2\n", "KEN=" + m + "\n"},
		{"sign, then value", "password: ", "password: ", "hunter2 x\n", m + " x\n"},
		{"half a key", body64 + "\n" + body64 + "\n", m + "\n" + m + "\n", "-----END PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n"},
		{"no secret after all", "password: must", "password: " + m, " be long\n", " be long\n"},
	} {
		r := New(Options{})
		got := string(r.Write([]byte(c.first))) + string(r.Release())
		if got != c.now {
			t.Errorf("%s: released %q, want %q", c.name, got, c.now)
		}
		if n := r.Pending(); n != 0 {
			t.Errorf("%s: %d bytes are still held", c.name, n)
		}
		if got := string(r.Write([]byte(c.then))) + string(r.Flush()); got != c.end {
			t.Errorf("%s: then %q, want %q", c.name, got, c.end)
		}
	}
}

var body64 = strings.Repeat("aB3/", 16)

// TestLeavesAtOnce: a complete line is not held, and says so; lines that look
// like a key's are, within bounds.
func TestLeavesAtOnce(t *testing.T) {
	r := New(Options{})
	if got := string(r.Write([]byte("one\ntwo"))); got != "one\n" || r.Pending() != 3 {
		t.Fatalf("%q left, %d held", got, r.Pending())
	}
	if got := string(r.Write([]byte("\n"))); got != "two\n" || r.Pending() != 0 {
		t.Fatalf("%q left, %d held", got, r.Pending())
	}
	for range 3 * maxHeld {
		r.Write([]byte(body64 + "\n"))
		if r.Pending() > window || len(r.stream.ends) > maxHeld {
			t.Fatalf("%d bytes, %d lines held", r.Pending(), len(r.stream.ends))
		}
	}
}

// TestLongLines: a line of any length passes in bounded memory, nothing of a
// secret in it is left, and nothing else is changed (T11).
func TestLongLines(t *testing.T) {
	rnd := rand.New(rand.NewSource(6))
	tok := shapes[0].make(rnd)
	filler := strings.Repeat("lorem ipsum dolor ", 1<<16/18)
	glued := strings.Repeat("abcdefghij/", 1<<16/11)
	huge := strings.Repeat("Zx9Kq2", 40000)
	for _, c := range []struct{ name, in, want string }{
		{"secrets between blanks", filler + tok + " " + filler + "password=" + tok + " " + filler, filler + Mark + " " + filler + "password=" + Mark + " " + filler},
		{"no blank", glued + "," + tok + "," + glued, glued + "," + Mark + "," + glued},
		{"a value of 240,000", "token=" + huge + " end " + filler, "token=" + Mark + " end " + filler},
		{"a quoted value of 240,000", `{"token":"` + huge + `","n":1} ` + filler, `{"token":"` + Mark + `","n":1} ` + filler},
		{"clean", filler + filler + filler, filler + filler + filler},
	} {
		for _, n := range []int{997, 32 << 10, 1 << 20} {
			r := New(Options{})
			var b bytes.Buffer
			for in := []byte(c.in + "\nnext\n"); len(in) > 0; in = in[min(n, len(in)):] {
				b.Write(r.Write(in[:min(n, len(in))]))
				if r.Pending() > window || cap(r.stream.buf) > 4*window {
					t.Fatalf("%s: %d bytes held in %d", c.name, r.Pending(), cap(r.stream.buf))
				}
			}
			b.Write(r.Flush())
			if got := b.String(); got != c.want+"\nnext\n" {
				t.Errorf("%s in pieces of %d: %d bytes, want %d, token left: %v", c.name, n, len(got), len(c.want)+6, strings.Contains(got, tok))
			}
		}
	}
}

// TestLongLineCuts: a secret stands at every place round the edge of a window.
func TestLongLineCuts(t *testing.T) {
	tok := shapes[0].make(rand.New(rand.NewSource(7)))
	for at := window - 2*margin - 80; at < window+80; at += 13 {
		for _, c := range []string{" ghp %s x", " password=%s x", " https://bob:%s@h.test x", `,"token":"%s",`} {
			in := strings.Repeat("y ", at/2) + strings.ReplaceAll(c, "%s", tok) + strings.Repeat(" z", 9000)
			if got := filter(in, 8192); leaks(tok, got) || strings.Count(got, Mark) != 1 {
				t.Fatalf("%q at %d: %d marks", c, at, strings.Count(got, Mark))
			}
		}
	}
}

// TestState: it is small, survives JSON, and a page that opens inside a key is
// right with it (C8, T6).
func TestState(t *testing.T) {
	text := "kind: Secret\n-----BEGIN RSA PRIVATE KEY-----\n" + body64 + "\n" + body64 + "\naB3=\n-----END RSA PRIVATE KEY-----\n" +
		"- name: DB_PASSWORD\n  value: swordfish\npassword: |\n  one two\n  three\nuser: bob\n[client]\npassword = swordfish\nend"
	lines := strings.Split(text, "\n")
	whole := strings.Split(byLine(text), "\n")
	if strings.Contains(strings.Join(whole, "\n"), "swordfish") {
		t.Fatalf("%q", whole)
	}
	for cut := range lines {
		r := New(Options{})
		for _, l := range lines[:cut] {
			r.Line(l)
		}
		raw, err := json.Marshal(r.Save())
		if err != nil || len(raw) > 200 {
			t.Fatalf("state %s, %v", raw, err)
		}
		var st State
		if err := json.Unmarshal(raw, &st); err != nil {
			t.Fatal(err)
		}
		p := New(Options{})
		p.Restore(st)
		for i, l := range lines[cut:] {
			if got := p.Line(l); got != whole[cut+i] {
				t.Errorf("opened at line %d, line %d: %q, want %q", cut, cut+i, got, whole[cut+i])
			}
		}
	}
}

// TestPageInKey: a text that opens inside a key, line by line, without a state.
func TestPageInKey(t *testing.T) {
	text := body64 + "\n" + body64 + "\n-----END PRIVATE KEY-----\nok"
	if got, want := byLine(text), Mark+"\n"+Mark+"\n-----END PRIVATE KEY-----\nok"; got != want {
		t.Errorf("%q", got)
	}
}

// TestPatterns: the user's own prefixes.
func TestPatterns(t *testing.T) {
	r := New(Options{Patterns: []Pattern{{Prefix: "acme_", Min: 8}, {}}})
	if got, want := r.Line("x acme_12345678, acme_1 acme_abcdefghij"), "x "+Mark+", acme_1 "+Mark; got != want {
		t.Errorf("%q", got)
	}
}

// TestSharedCleanLine: a clean line comes back as the very same string.
func TestSharedCleanLine(t *testing.T) {
	in := strings.Repeat("all is well ", 3)
	r := New(Options{})
	if n := testing.AllocsPerRun(10, func() { _ = r.Line(in) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if r.Ranges(in) != nil {
		t.Error("ranges of a clean line are not nil")
	}
}

// TestReleaseAnywhere: the stream pauses at every place of every case; no six
// characters of a secret are left, but for its first sixteen: a pause may come
// before what tells of it (a prefix, a dot, the @ of an address). Not asked: a
// secret whose telling word comes behind it, a key that a pause cuts in its very
// first line.
func TestReleaseAnywhere(t *testing.T) {
	for _, file := range files() {
		for _, c := range samples(t, file) {
			if c.In == c.Out || len(c.In) > 900 || c.Kind == "tail" || strings.Contains(c.Why, "to stdin") || c.Why == "chpasswd" {
				continue
			}
			parts := strings.Split(c.Out, Mark)
			for at := 1; at < len(c.In); at++ {
				r := New(Options{})
				var b strings.Builder
				b.Write(r.Write([]byte(c.In[:at])))
				b.Write(r.Release())
				b.Write(r.Write([]byte(c.In[at:])))
				b.Write(r.Flush())
				got := b.String()
				if s := leftOf(c.In, parts, got); s != "" && !strings.Contains(c.Out, s) {
					t.Errorf("%s %s paused at %d leaves %q: %.300q", c.ID, c.Kind, at, s, got)
					break
				}
			}
		}
	}
}

// leftOf gives six characters of a secret of in that stand in got; parts are
// what is round the secrets.
func leftOf(in string, parts []string, got string) string {
	pos := len(parts[0])
	for _, p := range parts[1:] {
		k := strings.Index(in[pos:], p)
		if k < 0 {
			return ""
		}
		if p == "" {
			k = len(in) - pos
		}
		secret := in[pos : pos+k]
		for i := 16; i+6 <= len(secret); i++ {
			if strings.Contains(got, secret[i:i+6]) {
				return secret[i : i+6]
			}
		}
		pos += k + len(p)
	}
	return ""
}

// TestKeyLinesAreHeld: a line of a key waits for END even where it looks like
// the start of something else.
func TestKeyLinesAreHeld(t *testing.T) {
	for _, odd := range []string{"MTA", "+ASt", "eyJ", "key", "AKIA"} {
		line := "aB3/" + odd + body64[:60-len(odd)]
		in := line + "\n" + line + "\n-----END PRIVATE KEY-----\n"
		if got, want := filter(in, 7), Mark+"\n"+Mark+"\n-----END PRIVATE KEY-----\n"; got != want {
			t.Errorf("%s: %q", odd, got)
		}
	}
}
