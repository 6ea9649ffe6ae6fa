package redact

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// cleanLog is build output with many telling words in names of files and tests,
// and no secret: the common case must cost next to nothing.
func cleanLog() []byte {
	lines := []string{
		"2026-11-30T10:00:01Z INFO  compiling src/auth/token.ts (312 modules) in 48 ms",
		"[10:00:01] Finished 'build:assets' after 1.21 s",
		"✓ src/components/KeyboardShortcuts.test.tsx (12 tests) 40ms",
		"GET /api/v1/users?page=2&sort=name 200 12.3 ms - 4821",
		"node_modules/@babel/helper-validator-identifier/lib/keyword.js  1.2 kB │ gzip: 0.5 kB",
		"webpack 5.91.0 compiled successfully in 8123 ms, 2 assets, 14 chunks",
		"ok  	example.test/acme/internal/secretary	0.021s	coverage: 71.2% of statements",
		"   Compiling serde_json v1.0.117, regex-automata v0.4.6, hyper-util v0.1.5",
		"npm http fetch GET 200 https://registry.example.test/js-tokens/-/js-tokens-9.0.1.tgz 45ms",
		"  at processTicksAndRejections (node:internal/process/task_queues:95:5)",
		"layer 69c3130cc54e: Pull complete, 12.1MB/48.9MB, 3 of 14 done",
		"warning: field `author` is never read in struct `Passenger`",
	}
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		b.WriteString(lines[i%len(lines)])
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// denseLog has a secret in every line.
func denseLog() []byte {
	rnd := rand.New(rand.NewSource(5))
	h := &shapes[0]
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "2026-11-30T10:00:01Z INFO login user=bob password=mango%d ip=10.0.0.9 took=12ms\n", i)
		case 1:
			fmt.Fprintf(&b, "remote: Invalid token %s, please authenticate again or ask an owner\n", h.make(rnd))
		case 2:
			fmt.Fprintf(&b, "connecting to postgres://app:pw%d@db.internal:5432/app_dev?sslmode=disable\n", i)
		case 3:
			fmt.Fprintf(&b, "> Authorization: Bearer VZwxVp15cL7ORQKpzlLEOR0xLWOwTr5vIQ32%d\n", i)
		}
	}
	return []byte(b.String())
}

func stream1(b *testing.B, in []byte) {
	r := New(Options{})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for at := 0; at < len(in); at += 32 << 10 {
			r.Write(in[at:min(len(in), at+32<<10)])
		}
		r.Flush()
	}
}

func byLines(b *testing.B, in []byte) {
	lines := strings.Split(string(in), "\n")
	r := New(Options{})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			r.Line(l)
		}
	}
}

func mixedLog() []byte {
	clean, dense := strings.SplitAfter(string(cleanLog()), "\n"), strings.SplitAfter(string(denseLog()), "\n")
	for i := 0; i < len(clean); i += 200 {
		clean[i] = dense[i%len(dense)]
	}
	return []byte(strings.Join(clean, ""))
}

func BenchmarkCleanFilter(b *testing.B) { stream1(b, cleanLog()) }
func BenchmarkCleanLine(b *testing.B)   { byLines(b, cleanLog()) }
func BenchmarkMixed(b *testing.B)       { stream1(b, mixedLog()) }
func BenchmarkDenseFilter(b *testing.B) { stream1(b, denseLog()) }
func BenchmarkDenseLine(b *testing.B)   { byLines(b, denseLog()) }

func BenchmarkColoured(b *testing.B) {
	in := strings.ReplaceAll(string(cleanLog()), " in ", " \x1b[32min\x1b[0m ")
	stream1(b, []byte(in))
}

// worst are inputs made to cost: words that start something and never end it.
var worst = map[string]string{
	"keys":      "key",
	"names":     "api_key_",
	"passwords": "password ",
	"signs":     "token: ",
	"addresses": "a://",
	"userinfo":  "a://b:c",
	"quotes":    `"token":"`,
	"slashes":   `\\\"key`,
	"refs":      "key=${",
	"braces":    "token={{",
	"dashes":    "-",
	"begin":     "-----BEGIN ",
	"jwt":       "eyJ",
	"jwts":      "eyJ.",
	"tags":      "<password",
	"curl":      "curl -u ",
	"login":     "docker login ",
	"logins":    "docker login x | ",
	"tools":     "curl x | ",
	"cookies":   "Cookie: a=b; ",
	"headers":   "Authorization: ",
	"prefixes":  "ghp_",
	"sk":        "sk-",
	"azure":     "+ASt",
	"mailchimp": "a-us1",
	"pairs":     `name: token, `,
	"percent":   "%3A%2F%2F",
	"escapes":   "\x1b[1mkey\x1b[0m",
	"backspace": "k\b",
	"osc":       "\x1b]8;;",
	"echo":      "echo x | password-stdin ",
	"colons":    "1234567890:AA",
	"secrets":   "token=abc1 ",
	// Those that were slow once: a word, a reference, a path, a redraw that was read
	// again for each name in it.
	"ssl":          "ssl",
	"lftp":         "lftp",
	"pass":         "pass",
	"htpasswd":     "htpasswd -bc .htpasswd bob ",
	"vault":        "DB_PASSWORD=op://vault/db/pas",
	"environ":      "use -SECRET_KEY = os.environ['S",
	"paths":        "/token:",
	"references":   "token:$",
	"redraws":      "s\r",
	"statements":   "H PASSWORD 'Whge",
	"bearers":      "Authorization: Bearer <token><",
	"placeholders": "GITtoken: xxxxxxxxHUB_TOKEN: ***token://pwd",
	"help":         "  --api-key API_KEY  ",
	"pipes":        "printf x | chpasswd ",
	"types":        "password: string; ",
	"fields":       "{\"name\":\"token\",",
	"plans":        "password = \"a\" -> ",
	"begins":       "---- BEGIN ",
}

func BenchmarkWorst(b *testing.B) {
	for name, piece := range worst {
		b.Run(name+"/line", func(b *testing.B) { stream1(b, repeated(piece, 0)) })
		b.Run(name+"/lines", func(b *testing.B) { stream1(b, repeated(piece, 100)) })
	}
}

// repeated gives a megabyte of piece: in lines of about width bytes, or in one.
func repeated(piece string, width int) []byte {
	if width == 0 {
		return []byte(strings.Repeat(piece, (1<<20)/len(piece)))
	}
	return []byte(strings.Repeat(strings.Repeat(piece, width/len(piece)+1)+"\n", (1<<20)/width))
}

// TestCleanAllocates: a clean line costs no allocation.
func TestCleanAllocates(t *testing.T) {
	r := New(Options{})
	lines := strings.Split(string(cleanLog()[:4096]), "\n")
	if n := testing.AllocsPerRun(20, func() {
		for _, l := range lines {
			r.Line(l)
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d clean lines", n, len(lines))
	}
	for _, l := range lines {
		if got := r.Line(l); got != l {
			t.Errorf("clean line changed: %q", got)
		}
	}
}
