package testparse

// How rows begin and end that matter to a runner: the tables of the prefilter.

// leads are the beginnings after the indent, by first byte.
var leads = index(
	"PASS", "PHPUnit ", "Passed", "Pending:",
	"FAIL", "Failed", "Failures:", "Files=", "Finished in ", "Finished `test", "FLAKY",
	"RUN  v", "RERUN  ", "Running ", "Ran ", "Run options: ", "Result: ",
	"DEV  v", "DONE ", "Determining test suites",
	"Test", "TAP version 1", "There w", "Total Test time", "TIMEOUT", "Time: ", "T E S T S",
	"Snapshots", "Start", "Summary", "SKIP", "Skipped ", "Scope: ", "SIG",
	"Errors ", "ERROR", "Excluding tags: [", "OK", "Jest: ", "BUILD ", "VSTest version ", "LEAK",
	"console.", "collected ", "collecting ", "cache miss", "cache hit", "cache bypass",
	"running ", "test ", "type: 'suite'", "ok ", "not ok ", "No test files found", "bun test v", "panic: ", "at ",
	"(pass)", "(fail)", "(skip)", "(todo)",
	"[gw", "[INFO] Tests run:", "[WARNING] Tests run:", "[ERROR] Tests run:", "[INFO]  T E S T S",
	"--- ", "---- ", "- ", "-----", "==", "= ", "__", "::error ", "::group::", `{"Time":`, `{"Action":`, "?   \t", "```",
	"WARNINGS!", "\t(less ", "# Subtest", "# tests ", "# pass ", "# fail ", "# suites ", "# cancelled ", "# skipped ", "# todo ",
	"# duration_ms ", "#   ", "# Running:",
	"×", "﹣", "»",
)

// pairs are the first two bytes of leads, as a set of bits.
var pairs = func() (t [256][4]uint64) {
	for c, words := range leads {
		for _, w := range words {
			t[c][w[1]>>6] |= 1 << (w[1] & 63)
		}
	}
	return t
}()

// signs are the runes of three bytes, all from U+2000 to U+2FFF, that begin rows.
var signs = func() (t [0x1000]bool) {
	for _, r := range "✓✔✗✘✖✕●↓○✎▶ℹ❯⚠□√⎯─•→↩∅☢" {
		t[r&0xfff] = true
	}
	return t
}()

// counts are the words that may follow a number at the start of a row.
var counts = index(
	"failed", "passed", "passing", "pass", "pending", "skip", "flaky", "fail", "did not run", "interrupted",
	"error", "todo", "example", "run", "test", "doctest", "propert", "deselected", "xfail", "xpass", "warning",
	"rerun", "subtest", "uncaught", "unhandled", "known",
)

// tails are the ends of rows that begin with a name, by last byte.
var tails = func() (t [256][]string) {
	for _, s := range []string{
		"PASSED", "FAILED", "SKIPPED", "ERROR", "RERUN", "XFAIL", "XPASS", "SUBPASS", "SUBFAIL", "FAIL",
		"<<< FAILURE!", "<<< ERROR!", ".. ok", ".. ignored", ".. expected failure", ".. unexpected success",
		"──",
	} {
		t[s[len(s)-1]] = append(t[s[len(s)-1]], s)
	}
	return t
}()

// lasts are the last bytes of the rows that ends looks at.
var lasts = func() (t [256]bool) {
	for c, words := range tails {
		t[c] = len(words) > 0
	}
	for _, c := range []byte(pytestSigns + "])'\":0123456789") {
		t[c] = true
	}
	return t
}()

func index(words ...string) (t [256][]string) {
	for _, w := range words {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}
