package screen

import (
	"strings"
	"testing"
)

// bench plays blocks of 256 KiB as package output does.
func bench(b *testing.B, o Options, line string) {
	const block = 256 << 10
	log := []byte(strings.Repeat(line, 4*block/len(line)+1))
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		s := New(o)
		for i := 0; i < len(log); i += block {
			s.Write(log[i:min(i+block, len(log))], int64(i))
			s.Settled()
		}
	}
}

const benchPlain = "2024-05-01T12:00:00.123Z INFO  server: GET /api/v1/items/4711 200 12ms bytes=1832\n"

// The budget is 150 MB/s plain and 40 MB/s coloured (design: budgets).
func BenchmarkPlain(b *testing.B) { bench(b, Options{}, benchPlain) }
func BenchmarkPlainCRLF(b *testing.B) {
	bench(b, Options{}, strings.Replace(benchPlain, "\n", "\r\n", 1))
}
func BenchmarkPlain80(b *testing.B) { bench(b, Options{Width: 80}, benchPlain) }
func BenchmarkShort(b *testing.B)   { bench(b, Options{}, "ok\n") }

func BenchmarkColoured(b *testing.B) {
	bench(b, Options{}, "\x1b[2m12:00:00\x1b[0m \x1b[32mINFO\x1b[0m \x1b[1mserver\x1b[22m: \x1b[38;5;244mGET\x1b[39m /api \x1b[32m200\x1b[0m 12ms\n")
}

func BenchmarkUnicode(b *testing.B) {
	bench(b, Options{}, " ✓ src/utils/parse.test.ts › liest die Größe „groß“ — 12 ms ✔ 漢字\n")
}

func BenchmarkProgress(b *testing.B) {
	bench(b, Options{}, "\rDownloading  45% |████████████████              | 45/100 [00:12<00:14,  3.8it/s]")
}

func BenchmarkBlock(b *testing.B) {
	bench(b, Options{}, "\x1b[3A\x1b[2K\x1b[36mfetch\x1b[39m 1/4000\r\n\x1b[2Kunpack 0\r\n\x1b[2K#######\r\n")
}

func BenchmarkEmoji(b *testing.B) {
	bench(b, Options{}, "deploy 👩‍👩‍👧 👍🏽 ❤️ done, e\u0301tude\n")
}
