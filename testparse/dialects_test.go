package testparse

import (
	"strconv"
	"strings"
	"testing"
)

// TestDialects are forms that the recordings lack (F4), from the sources of the
// runners; want is "runner passed failed skipped todo flaky", with "…" behind it
// while it is not settled; "" is no run.
func TestDialects(t *testing.T) {
	for _, c := range []struct{ name, command, log, want, first string }{
		{name: "nextest", log: `    Finished ` + "`test`" + ` profile [unoptimized + debuginfo] target(s) in 0.01s
────────────
 Nextest run ID 5e8a with nextest profile: default
    Starting 4 tests across 2 binaries (1 test skipped)
        PASS [   0.005s] shop cart::adds
        PASS [   0.005s] (2/4) shop cart::sums
        FAIL [   0.012s] (3/4) shop cart::discount
──── STDERR:             shop cart::discount
thread 'cart::discount' panicked at src/lib.rs:9:5
   TRY 2 PASS [   0.010s] (4/4) shop net::retries
────────────
     Summary [   0.031s] 4 tests run: 3 passed (1 flaky), 1 failed, 1 skipped
        FAIL [   0.012s] (3/4) shop cart::discount
error: test run failed
`, want: "nextest 2 1 1 0 1", first: "shop cart::discount"},
		{name: "deno", log: `Check file:///srv/app/a_test.ts
running 4 tests from ./a_test.ts
adds ... ok (5ms)
sums ... ok (1ms)
discount ... FAILED (3ms)
later ... ignored (0ms)

 ERRORS

discount => ./a_test.ts:9:6

FAILED | 2 passed | 1 failed | 1 ignored (22ms)
`, want: "deno 2 1 1 0 0", first: "discount"},
		{name: "dotnet", log: `  Determining projects to restore...
Test run for /srv/app/bin/Debug/net8.0/App.Tests.dll (.NETCoreApp,Version=v8.0)
Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
  Failed App.Tests.CartTests.Discount [5 ms]
  Error Message:
   Assert.Equal() Failure

Failed!  - Failed:     1, Passed:    10, Skipped:     1, Total:    12, Duration: 12 ms - App.Tests.dll (net8.0)
`, want: "dotnet 10 1 1 0 0", first: "App.Tests.CartTests.Discount"},
		{name: "dotnet, two assemblies", log: `Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 2 ms - A.dll (net8.0)
Passed!  - Failed:     0, Passed:     4, Skipped:     1, Total:     5, Duration: 2 ms - B.dll (net8.0)
`, want: "dotnet 7 0 1 0 0"},
		{name: "surefire 3, two modules", log: `[INFO]  T E S T S
[INFO] Running com.acme.CartTest
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in com.acme.CartTest
[ERROR] com.acme.CartTest.discount -- Time elapsed: 0.001 s <<< FAILURE!
[INFO] Results:
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0
[INFO]  T E S T S
[INFO] Running com.acme.PriceTest
[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s -- in com.acme.PriceTest
[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1
`, want: "surefire 6 1 1 0 0", first: "com.acme.CartTest.discount"},
		{name: "mocha of old", log: `

  Cart
    ✓ starts empty
    ✓ adds an item (45ms)
    1) discount
    - later

  2 passing (61ms)
  1 pending
  1 failing

  1) Cart
       discount:
     AssertionError: 91
`, want: "mocha 2 1 1 0 0", first: "discount"},
		{name: "go test of one package", log: "--- FAIL: TestX (0.00s)\n    x_test.go:5: no\nFAIL\nexit status 1\nFAIL\texample.com/x\t0.002s\n", want: "go 0 1 0 0 0", first: "TestX"},
		{name: "go test that hangs", log: "panic: test timed out after 1s\nrunning tests:\n\tTestX (1s)\n\ngoroutine 5 [running]:\nFAIL\texample.com/x\t1.002s\nFAIL\n", want: "go 0 0 0 0 0"},
		{name: "rspec with a load error", log: `
An error occurred while loading ./spec/b_spec.rb.

Finished in 0.00004 seconds (files took 0.1 seconds to load)
0 examples, 0 failures, 1 error occurred outside of examples
`, want: "rspec 0 0 0 0 0"},
		{name: "phpunit 11", log: `PHPUnit 11.2.0 by Sebastian Bergmann and contributors.

Runtime:       PHP 8.3.0

..F                                                                 3 / 3 (100%)

Time: 00:00.012, Memory: 8.00 MB

There was 1 failure:

1) CartTest::testDiscount
Failed asserting that 91 is identical to 90.

FAILURES!
Tests: 3, Assertions: 3, Failures: 1.
`, want: "phpunit 2 1 0 0 0", first: "CartTest::testDiscount"},
		{name: "pytest by tail", command: "pytest -q | tail -1", log: "==================== 1 failed, 11 passed, 3 rerun in 0.02s =====================\n", want: "pytest 11 1 0 0 0"},
		{name: "the same without a word of the command", log: "==================== 1 failed, 11 passed, 3 rerun in 0.02s =====================\n"},
		{name: "jest by grep", command: "npx jest 2>&1 | grep -E 'Tests|Suites'", log: "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 9 passed, 10 total\n", want: "jest 9 1 0 0 0"},
		{name: "the same, printed by somebody", log: "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 9 passed, 10 total\n"},
		{name: "vitest by grep", command: "pnpm test | grep Test", log: " Test Files  1 passed (1)\n      Tests  4 passed (4)\n", want: "vitest 4 0 0 0 0"},
		{name: "vitest without tests", log: " RUN  v3.2.7 /srv/app\n\n ❯ src/a.test.ts (0 test)\n\n⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  src/a.test.ts [ src/a.test.ts ]\nError: x\n\n Test Files  1 failed (1)\n      Tests  no tests\n   Start at  20:15:47\n   Duration  1.46s\n", want: "vitest 0 0 0 0 0", first: "src/a.test.ts [ src/a.test.ts ]"},
		{name: "TAP 14 with subtests", log: "TAP version 14\n# Subtest: a\n    ok 1 - x # time=1ms\n    not ok 2 - y # time=1ms\n    1..2\nnot ok 1 - a # time=5ms\nok 2 - b # time=1ms\n1..2\n", want: "tap 2 1 0 0 0", first: "y"},
		{name: "eslint", log: "\n/srv/app/a.js\n  1:1  error  'x' is not defined\n\n✖ 12 problems (12 errors, 0 warnings)\n"},
		{name: "webpack and vite", log: "✓ 214 modules transformed.\n✓ built in 1.25s\n✔ Container db Started (12ms)\n✔ Network up (3ms)\n"},
		{name: "a list of things done", log: "  - [x] 12 passed\n  ✓ linted\n  ✓ typed\n  ✔ built\n  ✔ shipped\n"},
		{name: "pytest that only collects", log: "============================= test session starts ==============================\nplatform linux -- Python 3.11.2, pytest-7.2.1\ncollected 2 items\n\n<Module tests/test_a.py>\n  <Function test_x>\n\n========================== 2 tests collected in 0.01s ==========================\n"},
		{name: "vitest without files", log: " RUN  v3.2.7 /srv/app\n\nNo test files found, exiting with code 1\n\nfilter: nothing\n", want: "vitest 0 0 0 0 0"},
		{name: "a numbered list", log: "You may:\n    1) copy it\n    2) change it\n    3) pass it on\n    4) sell it\n"},
		{name: "under way", log: " RUN  v3.2.7 /srv/app\n\n ✓ src/a.test.ts (19 tests | 1 skipped) 5ms\n", want: "vitest 18 0 1 0 0…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs, total, ok, err := Parse(strings.NewReader(c.log), Options{Command: c.command})
			if err != nil {
				t.Fatal(err)
			}
			if got := oneLine(runs, total, ok); got != c.want {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			if c.first != "" && (runs[0].First == nil || runs[0].First.Name != c.first) {
				t.Errorf("first failure %+v, want %q", runs[0].First, c.first)
			}
		})
	}
}

func oneLine(runs []Run, t Totals, ok bool) string {
	if !ok {
		return ""
	}
	out := runs[0].Runner
	for _, n := range []int{t.Passed, t.Failed, t.Skipped, t.Todo, t.Flaky} {
		out += " " + strconv.Itoa(n)
	}
	if !t.Settled {
		out += "…"
	}
	return out
}

// TestRed: a run with no failed test can be bad all the same (F1).
func TestRed(t *testing.T) {
	for _, log := range []string{
		"panic: test timed out after 1s\nFAIL\texample.com/x\t1.002s\nFAIL\n",
		"Finished in 0.00004 seconds (files took 0.1 seconds to load)\n0 examples, 0 failures, 1 error occurred outside of examples\n",
		" RUN  v3.2.7 /srv/app\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n     Errors  1 error\n   Start at  20:15:47\n",
		" RUN  v3.2.7 /srv/app\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Start at  20:15:47\n   Duration  1s\nERROR: Coverage for lines (50%) does not meet global threshold (80%)\n",
		"Running 2 tests using 1 worker\n  ✓  1 a.spec.ts:1:1 › x (1ms)\n\n  2 passed (1.0s)\n  1 error was not a part of any test, see above for details\n",
	} {
		_, total, ok, err := Parse(strings.NewReader(log), Options{})
		if err != nil || !ok || !total.Red || total.Failed != 0 {
			t.Errorf("%q: %+v, run %v, error %v", log, total, ok, err)
		}
	}
}

// TestPassedUnknown: a reporter that hides passing tests until its summary says so (F1).
func TestPassedUnknown(t *testing.T) {
	s := New(Options{})
	for i, row := range []string{" RUN  v4.1.12 /srv/app", "", " ❯ src/a.test.ts (15 tests | 1 failed) 5ms", "     × breaks 4ms"} {
		s.Line(row, int64(i+1))
	}
	if total, _ := s.Total(); !total.PassedUnknown || total.Failed != 1 || total.Settled {
		t.Errorf("before the summary: %+v", total)
	}
	for i, row := range []string{" Test Files  1 failed | 3 passed (4)", "      Tests  1 failed | 64 passed (65)", "   Start at  20:15:25"} {
		s.Line(row, int64(i+10))
	}
	if total, _ := s.Total(); total.PassedUnknown || total.Passed != 64 || !total.Settled {
		t.Errorf("after it: %+v", total)
	}
}

// TestRerun: a rerun replaces its predecessor once it shows a result; other
// packages add up (F3).
func TestRerun(t *testing.T) {
	s := New(Options{})
	n := int64(0)
	feed := func(rows ...string) Totals {
		for _, r := range rows {
			n++
			s.Line(r, n)
		}
		total, _ := s.Total()
		return total
	}
	summary := func(tests string) []string {
		return []string{" Test Files  1 passed (1)", "      Tests  " + tests, "   Start at  20:15:25"}
	}
	feed(" DEV  v3.2.7 /srv/app")
	if got := feed(summary("1 failed | 9 passed (10)")...); got.Failed != 1 || !got.Settled {
		t.Errorf("first run: %+v", got)
	}
	if got := feed(" RERUN  src/a.test.ts x1"); got.Failed != 1 || got.Settled {
		t.Errorf("as the rerun begins: %+v", got)
	}
	if got := feed(summary("10 passed (10)")...); got.Failed != 0 || got.Passed != 10 || !got.Settled || len(s.Runs()) != 1 {
		t.Errorf("after the rerun: %+v", got)
	}
	feed("> other@1.0.0 test /srv/other", "> vitest run", " RUN  v3.2.7 /srv/other")
	if got := feed(summary("5 passed (5)")...); got.Passed != 15 || len(s.Runs()) != 2 {
		t.Errorf("with another package: %+v", got)
	}
}

func TestStrip(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n":                              "plain",
		"\x1b[31m2 failed\x1b[0m\r\n":          "2 failed",
		"10%\r20%\r30%\r\n":                    "30%",
		"10%\r\x1b[32m20%\x1b[0m":              "20%",
		"a\r\r\n":                              "a",
		"Time: 1 s\x1b[1A\x1b[K next":          "Time: 1 s\n next",
		"\x1b[2K\x1b[1A\x1b[2K\x1b[G ✓ x":      "\n ✓ x",
		"\x1b]8;;http://a\x07link\x1b]8;;\x07": "link",
		"\x1b]0;title\x1b\\rest":               "rest",
		"\x1bc\x1b[3J RERUN  x":                "\n RERUN  x",
		"cut \x1b[3":                           "cut ",
		"\x1b":                                 "",
		"":                                     "",
	} {
		if got := string(Strip(nil, []byte(in))); got != want {
			t.Errorf("Strip(%q) = %q, want %q", in, got, want)
		}
	}
	if got := string(Strip([]byte("kept\n"), []byte("a\rb"))); got != "kept\nb" {
		t.Errorf("Strip appends %q", got)
	}
}

func TestJudge(t *testing.T) {
	for command, want := range map[string]evidence{
		"":                                  {},
		"cat docs/testing.md":               {quotes: true},
		"cd app && git log -p | head -50":   {quotes: true},
		"sudo /usr/bin/less x":              {quotes: true},
		"FOO=1 grep -rn passed . | wc -l":   {quotes: true},
		"tail -f build/test.log":            {},
		"tail -n 50 -F x.log | grep passed": {cuts: true},
		"npx vitest run":                    {},
		"cat a | npx jest":                  {},
		"npm test 2>&1 | tail -40":          {cuts: true},
		"git diff; npm test":                {},
		"echo start && pytest":              {},
		"cd /srv":                           {},
	} {
		want.text = command
		if got := judge(command); got != want {
			t.Errorf("judge(%q) = %+v, want %+v", command, got, want)
		}
	}
}
