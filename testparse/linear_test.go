package testparse

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Time is linear in the length of a log, whatever it holds. Gates are ratios: four
// times the rows may take nine times the time (4 when linear, 16 when quadratic),
// as the machine may be busy. Below the floor nothing quadratic of these sizes can
// hide, and what is measured is mostly the cache.
const (
	linearGate  = 9
	linearFloor = 150 * time.Millisecond
)

// ratio measures f(n) against f(4n), the best of as many tries as it takes.
func ratio(t *testing.T, n int, f func(n int)) {
	t.Helper()
	small, large := time.Duration(1<<62), time.Duration(1<<62)
	for range 20 { // a busy machine gets more chances
		for _, m := range []struct {
			n    int
			best *time.Duration
		}{{n, &small}, {4 * n, &large}} {
			start := time.Now()
			f(m.n)
			*m.best = min(*m.best, time.Since(start))
		}
		if large < max(linearGate*small, linearFloor) {
			return
		}
	}
	t.Errorf("%d take %v, %d take %v: not linear", n, small, 4*n, large)
}

// hostileRows are rows of one form, over and over; %d is the number of the row. A test
// may print any of them as often as it likes.
var hostileRows = []struct{ runner, header, rows string }{
	{"vitest", " RUN  v3.2.7 /srv/app\n", " FAIL  src/a.test.ts > suite > name %d\n"},
	{"vitest", " RUN  v3.2.7 /srv/app\n", " FAIL  src/a.test.ts > suite > name\n"},
	{"vitest", " RUN  v3.2.7 /srv/app\n", " ❯ src/a%d.test.ts (3 tests | 2 failed) 5ms\n   × one %[1]d 5ms\n     → no\n   × two 5ms\n"},
	{"vitest", "", " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n   Start at  10:00:00\n"},
	{"vitest", "", " RUN  v3.2.7 /srv/app%d\n"},
	{"jest", "FAIL src/a.test.js\n", "  ● Suite › name %d\n"},
	{"jest", "FAIL src/a.test.js\n", "FAIL src/a.test.js\n    ✕ name %d (2 ms)\n  ● Suite › name %[1]d\n      at x (a.js:1:1)\n"},
	{"jest", "", "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\nSnapshots:   0 total\nTime:        1.2 s\n"},
	{"playwright", "Running 9 tests using 2 workers\n", "  ✘  1 a.spec.ts:1:1 › name %d (1ms)\n  ✓  2 a.spec.ts:1:1 › name %[1]d (retry #1) (1ms)\n"},
	{"playwright", "Running 9 tests using 2 workers\n", "  1) a.spec.ts:1:1 › name %d ───\n        at a.spec.ts:1:1\n"},
	{"playwright", "Running 9 tests using 2 workers\n", "  1 failed\n    a.spec.ts:1:1 › name %d ───\n  2 flaky\n    a.spec.ts:1:1 › name %[1]d ───\n"},
	{"pytest", pytestHeader, "t.py::test_%d FAILED [ 1%%]\n"},
	{"pytest", pytestHeader + "t.py::test_x FAILED [ 1%%]\n=================================== FAILURES ===================================\n", "____ test_%d ____\n"},
	{"pytest", pytestHeader, "========================= 1 failed, %d passed in 0.21s =========================\n"},
	{"pytest", pytestHeader, "=========================== short test summary info ============================\nFAILED t.py::test_%d - no\n"},
	{"node:test", "", "▶ suite %d\n  ✖ name %[1]d (1.5ms)\n✖ suite %[1]d (2.5ms)\n"},
	{"node:test", "▶ suite\n", "  ▶ deep\n✖ name %d (1.5ms)\n"},
	{"node:test", "✖ a (1.5ms)\n✖ b (1.5ms)\nℹ tests 2\nℹ pass 0\nℹ fail 2\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 5.5\n", "✖ name %d (1.5ms)\n    at x\n  }\n"},
	{"tap", "TAP version 13\n", "not ok %d - name\n  ---\n  ...\n"},
	{"tap", "TAP version 13\n", "    not ok 1 - name %d\n    1..1\n"},
	{"go", "", "=== RUN   Test%d\n    a_test.go:1: no\n--- FAIL: Test%[1]d (0.00s)\n"},
	{"go", "", "--- FAIL: Test%d (0.00s)\nFAIL\nFAIL\tpkg\t0.1s\n"},
	{"go", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n", "=== RUN   Test%d\n"},
	{"go", "", "=== FAIL: api Test%d (0.00s)\n"},
	{"go", `{"Action":"start","Package":"p"}` + "\n", `{"Action":"fail","Package":"p%d","Test":"TestA"}` + "\n"},
	{"cargo", "running 9 tests\n", "test a::b%d ... FAILED\n---- a::b%[1]d stdout ----\n"},
	{"cargo", "", "running 1 test\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.%ds\n"},
	{"nextest", "    Starting 45 tests across 3 binaries\n", "        FAIL [   0.005s] crate tests::n%d\n──── STDERR:             crate tests::n%[1]d\n"},
	{"mocha", "    ✔ a\n    ✔ b\n", "    %d) name\n"},
	{"mocha", "    ✔ a\n    ✔ b\n    1) c\n    ✔ d\n  3 passing (5ms)\n  9 failing\n", "  %d) name\n      at x\n"},
	{"mocha", "", "    ✔ a %d\n    ✔ b\n    ✔ c\n  3 passing (5ms)\n"},
	{"rspec", "Failures:\n", "  %d) name\n"},
	{"rspec", "", "Finished in 1 second (files took 1 second to load)\n%d examples, 1 failure\n"},
	{"minitest", "Run options: --seed 1\n\n# Running:\n", "  %d) Failure:\nA#b [x.rb:1]:\n"},
	{"phpunit", "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\nThere were 2 failures:\n", "%d) A::b\n"},
	{"unittest", strings.Repeat("=", 70) + "\n", "test_a%d (t.A.test_a%[1]d) ... FAIL\n"},
	{"exunit", "Running ExUnit with seed: 0\n", "  %d) test name (Mod)\n     stacktrace:\n"},
	{"surefire", "[INFO]  T E S T S\n", "[ERROR] com.acme.A.b%d -- Time elapsed: 0.1 s <<< FAILURE!\n"},
	{"gradle", "", "com.acme.A > b%d FAILED\n"},
	{"dotnet", "Starting test execution, please wait...\n", "  Failed A.B.c%d [5 ms]\n"},
	{"bun", "bun test v1.4.5 (a7733435c)\n", "(fail) a > b%d [1ms]\n"},
	{"deno", "running 5 tests from ./a_test.ts\n", "name %d ... FAILED (5ms)\n"},
	{"ava", "  ✔ a › b\n  ✔ a › c\n", "  ✘ [fail]: a › b%d\n"},
	{"prove", "", "#   Failed test 'a%d'\n"},
	{"ctest", "", "1/44 Test  #1: unit_%d ....***Failed    0.03 sec\n"},
	{"turbo", "", "web%d:test: cache miss, executing 0123\nweb%[1]d:test:  RUN  v3.2.7 /srv/app\n"},
	{"npm", "", "> web%d@1.0.0 test\n"},
	{"fences", "", "```\n"},
}

const pytestHeader = "============================= test session starts ==============================\ncollected 9 items\n"

// hostileLog is header and n times rows.
func hostileLog(header, rows string, n int) []byte {
	var b bytes.Buffer
	b.WriteString(strings.ReplaceAll(header, "%%", "%"))
	for i := range n {
		if strings.Contains(rows, "%") {
			fmt.Fprintf(&b, rows, i+1)
		} else {
			b.WriteString(rows)
		}
	}
	return b.Bytes()
}

// TestLinearRows: a million summary rows, FAIL rows, headers cost a million times one.
func TestLinearRows(t *testing.T) {
	for _, h := range hostileRows {
		t.Run(h.runner, func(t *testing.T) {
			const n = 2500
			log := hostileLog(h.header, h.rows, 4*n)
			if h.runner != "npm" && h.runner != "fences" && len(scan(log).Runs()) == 0 && !slices.Contains([]string{"rspec", "mocha", "prove"}, h.runner) {
				t.Fatalf("no run: the rows do not reach the runner:\n%.300s", log)
			}
			ratio(t, n, func(n int) {
				s := New(Options{})
				feedLines(hostileLog(h.header, h.rows, n), s.Feed)
			})
		})
	}
}

// TestLinearRecordings: the rows of real runs over and over, numbers apart.
func TestLinearRecordings(t *testing.T) {
	numbers := regexp.MustCompile(`[0-9]+`)
	seen := map[string]bool{}
	for _, r := range recordings(t) {
		if !r.truth.Chip || seen[r.truth.Runner] {
			continue
		}
		seen[r.truth.Runner] = true
		t.Run(r.name, func(t *testing.T) {
			var rows [][]byte
			feedLines(r.log, func(raw []byte, _ int64) {
				if Wanted(raw) && len(rows) < 500 {
					rows = append(rows, raw)
				}
			})
			for i := range rows {
				if i%3 == 0 {
					rows[i] = numbers.ReplaceAll(rows[i], []byte("7"))
				}
			}
			ratio(t, 12_000, func(n int) {
				s := New(Options{})
				for i := range n {
					s.Feed(rows[(i*7)%len(rows)], int64(i+1))
				}
			})
		})
	}
}

// TestLongLine: one line of any length costs its length: plain, coloured, full of
// cursor moves, or made of one of the marks that runners look for.
func TestLongLine(t *testing.T) {
	for _, part := range []string{
		"x", "\x1b[31mx\x1b[0m", "\x1b[1A\x1b[2K ✓ a.test.ts (1 test) 1ms", "x\ry", "\x1b", "\x1b]0;", " › ", "(", ")", "((1 test", " (1 test",
		"::", ": ", "$ ", "[", "] ", " ... ", "--- ", "=", "_", ".", "F", "1", "1 failed, ", "1 failed | ", "⎯", "× ", " # ", " - ", "\t", "a > ", "é", "\xff", " ", "\r", "\n",
		" [ 10%]", "FAIL ", "Tests: 1 failed, ", "test a ... ", "web:test: ", "> a@1 ",
	} {
		for _, lead := range []string{"", " FAIL  src/a.test.ts > ", "Tests: ", "not ok 1 - ", "✖ "} {
			log := []byte(lead + strings.Repeat(part, (1<<20)/len(part)))
			t.Run(fmt.Sprintf("%q", lead+part), func(t *testing.T) {
				ratio(t, len(log)/4, func(n int) {
					s := New(Options{})
					s.Line(" RUN  v3.2.7 /srv/app", 1)
					s.Line(string(Strip(nil, log[:n])), 2)
					s.Feed(log[:n], 3)
					_ = Wanted(log[:n])
				})
			})
		}
	}
}

// TestHugeLine: 50 MB without a line's end are read in bounded memory.
func TestHugeLine(t *testing.T) {
	in := &endless{part: []byte("Tests: 1 failed, \x1b[31m2 passed (3) › × "), left: 50 << 20}
	if runs, _, ok, err := Parse(in, Options{}); ok || err != nil {
		t.Errorf("a line of 50 MB is %+v, error %v", runs, err)
	}
	n := testing.AllocsPerRun(3, func() {
		in := &endless{part: []byte("Tests: 1 failed, "), left: 2 << 20}
		_, _, _, _ = Parse(in, Options{})
	})
	if n > 2000 {
		t.Errorf("%v allocations", n)
	}
}

// endless reads one part over and over.
type endless struct {
	part []byte
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.part)
	e.left -= n
	return n, nil
}
