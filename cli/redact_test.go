//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// redactor is the filter as a process, in a home of its own.
func redactor(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, os.Args[0], append([]string{"redact"}, args...)...)
	c.Env, c.Dir = canaryEnv(home, ""), home
	return c
}

// TestRedactBytes: byte for byte but for secrets, whatever the bytes are and
// however they come (spec 5).
func TestRedactBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	binary := make([]byte, 300_000)
	for i := range binary {
		binary[i] = byte(r.Uint32())
	}
	tok := token()
	for name, c := range map[string]struct{ in, want string }{
		"nothing": {}, "one newline": {"\n", "\n"}, "binary": {string(binary), string(binary)}, "NULs": {"a\x00b\x00\n\x00", "a\x00b\x00\n\x00"},
		"CRLF": {"a\r\npassword=Kq8vWz3nXp5t\r\n\r\nb\r\n", "a\r\npassword=[redacted]\r\n\r\nb\r\n"}, "no final newline": {"x\nAPI_TOKEN=Kq8vWz3nXp5t", "x\nAPI_TOKEN=[redacted]"},
		"redraws": {"10%\r" + tok + "\rdone\n", "10%\r[redacted]\rdone\n"}, "colours": {"\x1b[31m" + tok[:9] + "\x1b[1m" + tok[9:] + "\x1b[0m\n", "\x1b[31m[redacted]\x1b[1m\x1b[0m\n"},
		"bad UTF-8": {"\xff\xfe " + tok + " \xc3\n", "\xff\xfe [redacted] \xc3\n"}, "ended CR": {"abc\r", "abc\r"},
		"remembered": {"DB_PASSWORD=Kq8vWz3nXp5t\nuse Kq8vWz3nXp5t now\n", "DB_PASSWORD=[redacted]\nuse [redacted] now\n"},
	} {
		c1 := redactor(t)
		c1.Stdin = strings.NewReader(c.in)
		if got, err := c1.Output(); err != nil || string(got) != c.want {
			t.Errorf("%s, from a pipe: %v, %.200q, want %.200q", name, err, got, c.want)
		}
		if got, err := redactor(t, logFile(t, t.TempDir(), "in.bin", c.in)).Output(); err != nil || string(got) != c.want {
			t.Errorf("%s, from a file: %v, %.200q, want %.200q", name, err, got, c.want)
		}
	}
}

// TestRedactLatency: a whole line leaves at once, a prompt and lines that may be a
// key's after 200 ms without input (spec 5). The gates are wide: machines are busy.
func TestRedactLatency(t *testing.T) {
	c := redactor(t)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("Kq8vWz3nXp5tRm7y", 4)
	for _, step := range []struct {
		in, want string
		least    time.Duration
	}{
		{"first line\n", "first line\n", 0},
		{"second line\nPassword: ", "second line\nPassword: ", 0},
		{"\ntoken=Kq8vWz3nX", "\ntoken=[redacted]", 0},
		{"p5t done\n", " done\n", 0},
		{key + "\n" + key + "\n", "[redacted]\n[redacted]\n", redactQuiet / 2},
	} {
		began := time.Now()
		if _, err := io.WriteString(in, step.in); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(step.want))
		if _, err := io.ReadFull(out, got); err != nil || string(got) != step.want {
			t.Fatalf("%q gave %q (%v), want %q", step.in, got, err, step.want)
		}
		if took := time.Since(began); took > 5*time.Second || took < step.least {
			t.Errorf("%q left after %v", step.in, took)
		}
	}
	_ = in.Close()
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("and then %q, %v", rest, err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// TestRedactHoldsLittle: lines that wait for what follows leave after 400 lines or
// 64 KiB at the latest, also while more comes all the time (spec 5).
func TestRedactHoldsLittle(t *testing.T) {
	line := strings.Repeat("Kq8vWz3nXp5tRm7y", 4) + "\n"
	in, out := io.Pipe()
	var got written
	done := make(chan error, 1)
	go func() { done <- filter(t.Context(), in, &got) }()
	sent := 0
	for range 3000 {
		if _, err := out.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if sent += len(line); sent-got.len() > 64<<10+400*len(line)+96<<10 { // what is held, and what lies in the reader's hands
			t.Fatalf("%d bytes are held", sent-got.len())
		}
	}
	_ = out.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestRedactBadInput: one sentence for what cannot be read, and the exit code of a
// failure (spec 5).
func TestRedactBadInput(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	shut := logFile(t, dir, "shut", "x")
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{fifo: "is no regular file", dir: "is a folder", filepath.Join(dir, "none"): "does not exist", shut: "cannot be read"}
	if os.Getuid() == 0 {
		delete(cases, shut) // nothing is shut to root
	}
	for path, want := range cases {
		c := redactor(t, path)
		var out, words bytes.Buffer
		c.Stdout, c.Stderr = &out, &words
		err := c.Run()
		if c.ProcessState.ExitCode() != ExitFailed || out.Len() > 0 || !strings.Contains(words.String(), want) || strings.Count(words.String(), "\n") != 1 {
			t.Errorf("%s: %v, out %q, said %q", path, err, out.String(), words.String())
		}
	}
}

// TestRedactReaderGone: a reader that has enough ends the filter without a word,
// as it does any other.
func TestRedactReaderGone(t *testing.T) {
	c := redactor(t, logFile(t, t.TempDir(), "big.log", strings.Repeat("some words of a log\n", 200_000)))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var words bytes.Buffer
	c.Stderr = &words
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 20)); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	if err := c.Wait(); err == nil || words.Len() > 0 || c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE {
		t.Errorf("it ended with %v and said %q", err, words.String())
	}
}

// TestRedactMemory: a stream of any length, and a line of any length, in bounded
// memory.
func TestRedactMemory(t *testing.T) {
	const total = 64 << 20
	runtime.GC() // what other tests left is not this one's
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, piece := range map[string]string{"lines": "some words of a log, token=Kq8vWz3nXp5t and more\n", "one line": "some words of a log, token=Kq8vWz3nXp5t and more ", "one secret": "Kq8vWz3nXp5t"} {
		in := &endless{piece: []byte(piece), left: total}
		if name == "one secret" {
			in.head = []byte("token=")
		}
		if err := filter(t.Context(), in, io.Discard); err != nil {
			t.Fatal(err)
		}
		if in.most > before.HeapAlloc+24<<20 {
			t.Errorf("%s: %d MiB of heap", name, in.most>>20)
		}
	}
}

// endless gives a piece again and again, and looks at the heap now and then.
type endless struct {
	head, piece []byte
	left, reads int
	most        uint64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(b, e.head)
	e.head = e.head[n:]
	for n < len(b) && len(e.head) == 0 {
		n += copy(b[n:], e.piece)
	}
	e.left -= n
	if e.reads++; e.reads%400 == 0 {
		runtime.GC() // what other tests left may be as much again in garbage
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.most = max(e.most, m.HeapAlloc)
	}
	return n, nil
}

// written counts what was written, from two goroutines.
type written struct{ n atomic.Int64 }

func (w *written) Write(b []byte) (int, error) {
	w.n.Add(int64(len(b)))
	return len(b), nil
}

func (w *written) len() int { return int(w.n.Load()) }
