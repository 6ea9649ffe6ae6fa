package screen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"unicode/utf8"
)

// maker makes logs of what programs write and what nobody should: words, moves,
// edits, colours, control strings, wide and joined characters, halves of all of
// these, and pieces of the recordings.
type maker struct {
	r    *rand.Rand
	caps []*capture
}

func (m *maker) log(n int) []byte {
	var b []byte
	for len(b) < n {
		b = m.piece(b)
	}
	return b[:n]
}

func (m *maker) piece(b []byte) []byte {
	r := m.r
	switch r.IntN(14) {
	case 0, 1, 2:
		for range 1 + r.IntN(20) {
			b = append(b, byte(' '+r.IntN(95)))
		}
	case 3:
		b = append(b, "\n\n\r\n\r\r\b\t"[r.IntN(8)])
	case 4, 5:
		b = fmt.Appendf(b, "\x1b[%d%c", r.IntN(90), "ABCDEFGHJKLMPSTX@`abdefhlmrsu"[r.IntN(29)])
	case 6:
		b = fmt.Appendf(b, "\x1b[%d;%d%c", r.IntN(30), r.IntN(90), "Hfmr"[r.IntN(4)])
	case 7:
		b = fmt.Appendf(b, "\x1b[%d;%d;%dm", 30+r.IntN(20), r.IntN(10), r.IntN(110))
	case 8:
		b = append(b, []string{"\x1b]0;t\x07", "\x1b]9;4;1;50\x07", "\x1b]8;;u\x1b\\", "\x1bPq\x1b\\", "\x1b_x", "\x1b7", "\x1b8", "\x1bM", "\x1bD", "\x1b(0", "\x1b(B",
			"\x1b[?7l", "\x1b[?7h", "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J", "\x1bc", "\x0e", "\x0f", "\x1b[4h", "\x1b[4l"}[r.IntN(21)]...)
	case 9:
		b = append(b, []string{"漢字", "é", "e\u0301", "👩‍👩‍👧", "🇩🇪", "❤️", "\u200b", "\u202e", "\ufeff", "한국", "\u0085", "\u009b31m", "→", "█▉"}[r.IntN(14)]...)
	case 10:
		for range 1 + r.IntN(4) {
			b = append(b, byte(r.IntN(256)))
		}
	case 11:
		b = utf8.AppendRune(b, rune(r.IntN(0x3000)))
	case 12:
		c := m.caps[r.IntN(len(m.caps))].log
		at := r.IntN(len(c))
		b = append(b, c[at:min(at+r.IntN(200), len(c))]...)
	default:
		const other = "ghp_ABABABABABABABABABABABABABABABABABAB"
		b = append(b, other[:r.IntN(len(other)+1)]...)
	}
	return b
}

// TestLong feeds each property of the fuzzers with made logs: 200 kB each, or as
// many bytes as OFFSTAGE_FUZZ_BYTES says (C8, B5).
func TestLong(t *testing.T) {
	total := int64(200_000)
	if n, err := strconv.ParseInt(os.Getenv("OFFSTAGE_FUZZ_BYTES"), 10, 64); err == nil {
		total = n
	}
	caps := captures(t)
	for i, c := range []struct {
		name string
		run  func(t testing.TB, m *maker) int
	}{
		{"any cutting gives the same rows", func(t testing.TB, m *maker) int {
			log := m.log(1 + m.r.IntN(3000))
			cutAnyhow(t, log, uint8(m.r.IntN(8)), uint16(m.r.IntN(3000)))
			return len(log)
		}},
		{"a saved state goes on", func(t testing.TB, m *maker) int {
			log := m.log(1 + m.r.IntN(3000))
			restored(t, log, uint8(m.r.IntN(8)), uint16(m.r.IntN(3000)))
			return len(log)
		}},
		{"what was shown whole stays hidden", func(t testing.TB, m *maker) int {
			before, after := m.log(m.r.IntN(400)), m.log(m.r.IntN(400))
			masked(t, before, after, uint8(m.r.IntN(8)))
			return len(before) + len(after)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &maker{r: rand.New(rand.NewPCG(uint64(total), uint64(i))), caps: caps}
			fed := int64(0)
			for fed < total {
				fed += int64(c.run(t, m))
			}
			t.Logf("%d bytes without a violation", fed)
		})
	}
}

// TestLongMemory: one screen is fed all of it, whatever it is, and stays small.
func TestLongMemory(t *testing.T) {
	total := 4_000_000
	if n, err := strconv.Atoi(os.Getenv("OFFSTAGE_FUZZ_BYTES")); err == nil {
		total = n
	}
	const most = 64 << 20
	m := &maker{r: rand.New(rand.NewPCG(1, 2)), caps: captures(t)}
	s := New(Options{Mask: hideTokens})
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for at := 0; at < total; {
		b := m.log(64 << 10)
		s.Write(b, int64(at))
		_ = s.Settled()
		at += len(b)
		if at>>20 != (at-len(b))>>20 {
			runtime.GC()
			if runtime.ReadMemStats(&now); now.HeapAlloc > before.HeapAlloc+most {
				t.Fatalf("%d MB of memory after %d MB", now.HeapAlloc>>20, at>>20)
			}
		}
	}
	t.Logf("%d bytes, %d MB of memory in the end", total, now.HeapAlloc>>20)
}
