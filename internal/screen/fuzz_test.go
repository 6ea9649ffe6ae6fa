package screen

import (
	"strings"
	"testing"

	"offstage/task"
)

var fuzzSeeds = []string{
	"plain\nlines\n", "a\rb\bc\td\x1b[K\n", "\x1b[31mred\x1b[0m\x1b[2A\x1b[J", "漢字\b\b  \r下", "e\u0301\u0302\x1b[5G\u200dx",
	"\x1b[?1049hx\x1b[?1049ly", "\x1b]0;t\x07\x1bPq\nx\x1b\\", "\u009b31m\u0085\x9b", "\x1b[2;5r\x1b[5;1Ha\nb\nc\x1b[r\x1bM\x1bD",
	"👩‍👩‍👧 👍🏽 🇩🇪🇫🇷 ❤️ x", "\x1b[4habc\rX\x1b[4l\x1b[3b\x1b7\x1b8\x1b[s\x1b[u", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00a",
	"\x1b[5L\x1b[2M\x1b[3P\x1b[2@\x1b[4X\x1b[S\x1b[1J\x1b[H\x1b[J", "\x1b(0lqk\x1b(B\x0e\x0f", "\x1b[?7l" + strings.Repeat("w", 200) + "\x1b[?7h",
	"tok ghp_abcdefghijklmnopqrstuvwxyz\rxx\x1b[20Gyy\n",
}

// fuzzOptions are the ways in which the fuzzers play a log.
func fuzzOptions(kind uint8) Options {
	o := Options{MaxText: 50}
	if kind&1 != 0 {
		o.Width = 10
	}
	if kind&2 != 0 {
		o.Height = 4
	}
	if kind&4 != 0 {
		o.Mask = hideTokens
	}
	return o
}

// FuzzCut: any cutting of the bytes gives the same rows, and every row is sound.
func FuzzCut(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint8(i), uint16(1+i))
	}
	f.Fuzz(func(t *testing.T, log []byte, kind uint8, at uint16) { cutAnyhow(t, log, kind, at) })
}

func cutAnyhow(t testing.TB, log []byte, kind uint8, at uint16) {
	o := fuzzOptions(kind)
	whole := play(o, log)
	sound(t, o, whole)
	same(t, "byte by byte", whole, playCut(o, log, 1))
	s := New(o)
	cut := min(int(at), len(log))
	s.Write(log[:cut], 0)
	lines := s.Settled()
	live := s.Live()
	sound(t, o, append(append([]task.Line(nil), lines...), live...))
	s.Write(log[cut:], int64(cut))
	same(t, "cut once", whole, append(lines, s.Flush()...))
}

// FuzzRestore: a saved state goes on as if nothing had happened, and saving and
// restoring change nothing in the screen that was saved.
func FuzzRestore(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), uint8(i), uint16(i))
	}
	f.Fuzz(func(t *testing.T, log []byte, kind uint8, at uint16) { restored(t, log, kind, at) })
}

func restored(t testing.TB, log []byte, kind uint8, at uint16) {
	o := fuzzOptions(kind)
	cut := min(int(at), len(log))
	s := New(o)
	s.Write(log[:cut], 0)
	head := s.Settled()
	st := s.Save()
	s.Write(log[cut:], int64(cut))
	rest := s.Flush()
	other := New(o)
	other.Write([]byte("something else\x1b[31m\n"), 0)
	for range 2 {
		other.Restore(st)
		other.Write(log[cut:], int64(cut))
		same(t, "restored", rest, other.Flush())
	}
	same(t, "whole", play(o, log), append(head, rest...))
}

// FuzzMask: no part of a token that was printed whole survives what comes after
// it, whatever was there before (C8).
func FuzzMask(f *testing.F) {
	for i, s := range fuzzSeeds {
		f.Add([]byte(s), []byte(fuzzSeeds[(i+3)%len(fuzzSeeds)]), uint8(i))
	}
	f.Fuzz(func(t *testing.T, before, after []byte, kind uint8) { masked(t, before, after, kind) })
}

func masked(t testing.TB, before, after []byte, kind uint8) {
	o := fuzzOptions(kind | 4)
	s := New(o)
	s.Write(before, 0)
	if s.state != ground || s.npart > 0 || s.mode.insert || s.mode.nowrap || s.mode.alt || s.graphics[s.shift] {
		return
	}
	s.Write([]byte(fakeToken), int64(len(before)))
	if !shownAndHidden(o, before) {
		return
	}
	s.Write(after, int64(len(before)+len(fakeToken)))
	for _, l := range s.Flush() {
		if left := openToken.ReplaceAllString(tokenForm.ReplaceAllString(l.Text, ""), ""); leaks(left) {
			t.Fatalf("leaks: %q\nbefore %q\nafter %q", l.Text, before, after)
		}
	}
}

// shownAndHidden says that the token, written after before, stands on a row of
// which the mask hides all of it: not where it grew together with what stood there.
func shownAndHidden(o Options, before []byte) bool {
	o.Mask = nil
	raw := New(o)
	raw.Write(before, 0)
	raw.Write([]byte(fakeToken), int64(len(before)))
	for _, l := range raw.Live() {
		at := strings.Index(l.Text, fakeToken)
		for _, h := range hideTokens(l.Text) {
			if at >= 0 && h[0] <= at && h[1] >= at+len(fakeToken) {
				return true
			}
		}
	}
	return false
}
