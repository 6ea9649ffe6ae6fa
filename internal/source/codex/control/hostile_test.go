package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/codex/control/controltest"
)

// greeting answers the first words, then does something else.
func greeting(then func(c *controltest.Client, call controltest.Call)) func(*controltest.Client) {
	return func(c *controltest.Client) {
		for {
			call, ok := c.Read()
			switch {
			case !ok:
				return
			case call.Method == greet:
				c.Answer(call, `{}`)
			case call.Method != greeted:
				then(c, call)
			}
		}
	}
}

// first takes the client's first words, so that the answer is read.
func first(c *controltest.Client) { _, _ = c.Conn.Read(make([]byte, 4096)) }

// TestHostileTalks: whatever the other end does costs one sentence, no more time
// than Patience, and no memory (issue 9).
func TestHostileTalks(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	cases := map[string]struct {
		talk func(c *controltest.Client)
		raw  bool
		want string
	}{
		"says nothing":    {raw: true, talk: func(c *controltest.Client) { _, _ = c.Read() }, want: "no answer"},
		"no web socket":   {raw: true, talk: func(c *controltest.Client) { first(c); _, _ = c.Write([]byte("SSH-2.0-OpenSSH\r\n\r\n")) }, want: "does not speak"},
		"a page":          {raw: true, talk: func(c *controltest.Client) { first(c); _, _ = c.Write([]byte("HTTP/1.1 200 OK\r\n\r\nhello")) }, want: "does not speak"},
		"an endless head": {raw: true, talk: func(c *controltest.Client) { first(c); _, _ = c.Write([]byte("HTTP/1.1 101 " + long)) }, want: "does not speak"},
		"silent later":    {talk: greeting(func(*controltest.Client, controltest.Call) {}), want: "no answer"},
		"closes in the middle": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write(controltest.Frame(0x81, []byte(`{"id":2,"res`), 400))
			_ = c.Close()
		}), want: "ended the talk"},
		"a close frame": {talk: greeting(func(c *controltest.Client, _ controltest.Call) { _, _ = c.Write([]byte{0x88, 0}) }), want: "ended the talk"},
		"garbage":       {talk: greeting(func(c *controltest.Client, _ controltest.Call) { c.Send("\x00\xff{{{") }), want: "no message"},
		"a list":        {talk: greeting(func(c *controltest.Client, _ controltest.Call) { c.Send(`[1,2,3]`) }), want: "no message"},
		"another shape": {talk: greeting(func(c *controltest.Client, call controltest.Call) { c.Answer(call, `{"data":{"a":1}}`) }), want: "no message"},
		"a masked frame": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write([]byte{0x81, 0x82, 1, 2, 3, 4, 5, 6})
		}), want: "no message"},
		"a compressed frame": {talk: greeting(func(c *controltest.Client, _ controltest.Call) { _, _ = c.Write([]byte{0xc1, 2, '{', '}'}) }), want: "no message"},
		"a long ping": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write(controltest.Frame(0x89, bytes.Repeat([]byte{'p'}, 200), 200))
		}), want: "no message"},
		"100 MB in one frame": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write(controltest.Frame(0x81, []byte(long), 100<<20))
		}), want: "more than 64 MB"},
		"an endless message": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write(controltest.Frame(0x01, []byte(long), 1<<20))
			for {
				if _, err := c.Write(controltest.Frame(0x00, []byte(long), 1<<20)); err != nil {
					return
				}
			}
		}), want: "more than 64 MB"},
		"a size of 2⁶³": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			_, _ = c.Write(controltest.Frame(0x81, nil, 1<<63))
		}), want: "more than 64 MB"},
		"news without end": {talk: greeting(func(c *controltest.Client, _ controltest.Call) {
			for {
				if _, err := c.Write(controltest.Frame(0x81, []byte(`{"method":"x"}`), 14)); err != nil {
					return
				}
			}
		}), want: "no answer"},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			start := controltest.Start
			if x.raw {
				start = controltest.StartRaw
			}
			start(t, home, x.talk)
			began := time.Now()
			_, err := Daemon{Home: home}.List(context.Background())
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v, want a word of %q", err, x.want)
			}
			if took := time.Since(began); took > 5*Patience {
				t.Errorf("it took %s", took)
			}
			if err != nil && (len(err.Error()) > 200 || strings.ContainsAny(err.Error(), "\x00\x1b\n")) {
				t.Errorf("the sentence quotes what was sent: %q", err)
			}
		})
	}
}

// TestMemory: a message that is too long is passed over without being kept.
func TestMemory(t *testing.T) {
	home := t.TempDir()
	part := bytes.Repeat([]byte{'x'}, 1<<20)
	controltest.Start(t, home, greeting(func(c *controltest.Client, call controltest.Call) {
		_, _ = c.Write(controltest.Frame(0x81, nil, 60<<20))
		for range 60 {
			_, _ = c.Write(part)
		}
		c.Answer(call, `{"data":[]}`)
	}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := (Daemon{Home: home}).List(context.Background()); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 8 {
		t.Errorf("%d MB were taken for a message that was passed over", got)
	}
}

// TestPlaces: what may lie in the place of the socket, and is not used.
func TestPlaces(t *testing.T) {
	private := func(t *testing.T, mode os.FileMode) string {
		t.Helper()
		dir, err := os.MkdirTemp("", "cx")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		l, err := net.Listen("unix", filepath.Join(dir, "s"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, "s")
	}
	cases := map[string]struct {
		target func(t *testing.T) string
		want   error
	}{
		"nothing": {func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }, ErrNone},
		"a file": {func(t *testing.T) string {
			p := filepath.Join(t.TempDir(), "f")
			_ = os.WriteFile(p, nil, 0o600)
			return p
		}, ErrUnsafe},
		"a folder": {func(t *testing.T) string { return t.TempDir() }, ErrUnsafe},
		"a link to a link": {func(t *testing.T) string {
			p := filepath.Join(t.TempDir(), "l")
			_ = os.Symlink(private(t, 0o700), p)
			return p
		}, ErrUnsafe},
		"a folder for all":   {func(t *testing.T) string { return private(t, 0o777) }, ErrUnsafe},
		"a folder for some":  {func(t *testing.T) string { return private(t, 0o750) }, ErrUnsafe},
		"a private folder":   {func(t *testing.T) string { return private(t, 0o700) }, nil},
		"a link into itself": {func(*testing.T) string { return "app-server-control.sock" }, ErrUnsafe},
	}
	for name, x := range cases {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			link := filepath.Join(home, filepath.FromSlash(Name))
			_ = os.MkdirAll(filepath.Dir(link), 0o700)
			if err := os.Symlink(x.target(t), link); err != nil {
				t.Fatal(err)
			}
			if _, err := Find(home); !errors.Is(err, x.want) {
				t.Errorf("%v, want %v", err, x.want)
			}
		})
	}
	if _, err := (Daemon{Home: t.TempDir()}).List(context.Background()); !errors.Is(err, ErrNone) {
		t.Errorf("without any folder: %v", err)
	}
}

// TestDeadSocket: the socket of a daemon that was killed is no trouble.
func TestDeadSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "cx")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	home := t.TempDir()
	link := filepath.Join(home, filepath.FromSlash(Name))
	_ = os.MkdirAll(filepath.Dir(link), 0o700)
	if err := os.Symlink(filepath.Join(dir, "s"), link); err != nil {
		t.Fatal(err)
	}
	if _, err := (Daemon{Home: home}).List(context.Background()); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
}

// TestManyTerminals: a daemon that lists without end is read up to a bound.
func TestManyTerminals(t *testing.T) {
	home := t.TempDir()
	n := 0
	controltest.Start(t, home, greeting(func(c *controltest.Client, call controltest.Call) {
		if call.Method == loaded {
			c.Answer(call, `{"data":["a"],"nextCursor":"more"}`)
			return
		}
		var list []string
		for range 500 {
			n++
			list = append(list, fmt.Sprintf(`{"itemId":"call_%d","processId":"%d","command":"x"}`, n, n))
		}
		c.Answer(call, `{"data":[`+strings.Join(list, ",")+`],"nextCursor":"more"}`)
	}))
	got, err := (Daemon{Home: home}).List(context.Background())
	if err != nil || len(got.Terminals) > 2*maxTerminals {
		t.Errorf("%d terminals, %v", len(got.Terminals), err)
	}
}
