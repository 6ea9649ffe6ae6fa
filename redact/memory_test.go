package redact

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestMemory: a value that a name or a flag told of is hidden again without it,
// in this Redactor and in others of the task, alone, in quotes, coloured, in a
// long line; and nowhere else (D5).
func TestMemory(t *testing.T) {
	const v, short, word = "Vq7rTm2xKp9d", "abc123", "mangoes"
	for _, told := range []string{"DB_PASSWORD=%s", "password: %s", `{"client_secret":"%s"}`, "mytool --password %s --x",
		"curl -u bob:%s https://h.test", "\x1b[1mAPI_TOKEN\x1b[0m=%s"} {
		m := new(Memory)
		New(Options{Memory: m}).Write([]byte(fmt.Sprintf(told, v) + "\n"))
		r := New(Options{Memory: m})
		for _, c := range []struct{ in, want string }{
			{"connecting with " + v + " now", "connecting with " + Mark + " now"},
			{v, Mark}, {`"` + v + `"`, `"` + Mark + `"`}, {"x" + v, "x" + v}, {v + "9", v + "9"},
			{"bob:" + v + "@db", "bob:" + Mark + "@db"},
			{strings.Repeat("lorem ipsum ", 3000) + v, strings.Repeat("lorem ipsum ", 3000) + Mark},
			{"keyboard " + short, "keyboard " + short},
		} {
			if got := r.Line(c.in); got != c.want {
				t.Errorf("told by %q: %.80q gave %.80q", told, c.in, got)
			}
		}
		got := string(r.Write([]byte("a \x1b[31mVq7r\x1b[0mTm2xKp9d b\n")))
		if want := "a \x1b[31m" + Mark + "\x1b[0m b\n"; got != want {
			t.Errorf("coloured: %q, want %q", got, want)
		}
	}
	m := new(Memory)
	r := New(Options{Memory: m})
	for _, v := range []string{short, word, "web-server-1", "release.v2", "Strawberry", "12345678", strings.Repeat("aB3", 100)} {
		r.Line("password=" + v)
		if got := r.Line("see " + v + " there"); got != "see "+v+" there" {
			t.Errorf("%.40q is remembered", v)
		}
	}
	if got := String("password=" + v + "\nsee " + v); !strings.HasSuffix(got, v) {
		t.Errorf("String remembers: %q", got)
	}
	if New(Options{}).Line("see "+v) != "see "+v {
		t.Error("a Redactor without a memory remembers")
	}
}

// TestMemoryBounds: at most 64 values, the longest of two that start alike, no
// race.
func TestMemoryBounds(t *testing.T) {
	m := new(Memory)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			r := New(Options{Memory: m})
			for i := range 100 {
				r.Line(fmt.Sprintf("token=q7Rt%dxK%dp", i, g))
				r.Line("some words of a log")
			}
		})
	}
	all.Wait()
	if n := len(m.now.Load().items); n != maxRemembered {
		t.Errorf("%d values are remembered", n)
	}
	m = new(Memory)
	r := New(Options{Memory: m})
	r.Line("token=q7RtxK9p")
	r.Line("token=q7RtxK9p+q7RtxK9p")
	if got := r.Line("a q7RtxK9p+q7RtxK9p b q7RtxK9p"); got != "a "+Mark+" b "+Mark {
		t.Error(got)
	}
	if before := m.now.Load(); r.Live("token=Zx8cVb7nMq1") != nil && m.now.Load() != before {
		t.Error("a live row is remembered")
	}
}

// TestMemoryCuts: with a memory too, the same comes out however the bytes are cut.
func TestMemoryCuts(t *testing.T) {
	in := "API_TOKEN=Vq7rTm2xKp9d\nfirst Vq7rTm2xKp9d then\r\n  secret: Zx8cVb7nMq1\nVq7rTm2xKp9d/Zx8cVb7nMq1\n"
	want := "API_TOKEN=" + Mark + "\nfirst " + Mark + " then\r\n  secret: " + Mark + "\n" + Mark + "/" + Mark + "\n"
	for n := 1; n <= len(in); n++ {
		r := New(Options{Memory: new(Memory)})
		var b strings.Builder
		for at := 0; at < len(in); at += n {
			b.Write(r.Write([]byte(in[at:min(len(in), at+n)])))
		}
		b.Write(r.Flush())
		if b.String() != want {
			t.Fatalf("in pieces of %d: %q", n, b.String())
		}
	}
}
