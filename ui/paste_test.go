package ui

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"
)

// bursts are reads, each after a time.
type bursts struct {
	now   time.Time
	after []time.Duration
	data  []string
}

func (b *bursts) Read(p []byte) (int, error) {
	if len(b.data) == 0 {
		return 0, io.EOF
	}
	b.now = b.now.Add(b.after[0])
	n := copy(p, b.data[0])
	b.after, b.data = b.after[1:], b.data[1:]
	return n, nil
}

func readGuarded(t *testing.T, b *bursts) string {
	t.Helper()
	got, err := io.ReadAll(&pasteGuard{from: b, now: func() time.Time { return b.now }})
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// TestBrokenPaste: a paste whose end is lost never holds the keys (B16), and one
// that is only slow stays one.
func TestBrokenPaste(t *testing.T) {
	const s = time.Second
	for name, c := range map[string]struct {
		after []time.Duration
		data  []string
		want  string
	}{
		"a whole paste":             {[]time.Duration{0, 0}, []string{pasteBegin + "xy" + pasteEnd, "q"}, pasteBegin + "xy" + pasteEnd + "q"},
		"a key after a silence":     {[]time.Duration{0, s}, []string{pasteBegin + "xy", "q"}, pasteBegin + "xy" + pasteEnd + "q"},
		"an arrow after a silence":  {[]time.Duration{0, s}, []string{pasteBegin + "xy", "\x1b[A"}, pasteBegin + "xy" + pasteEnd + "\x1b[A"},
		"escape after a silence":    {[]time.Duration{0, s}, []string{pasteBegin, "\x1b"}, pasteBegin + pasteEnd + "\x1b"},
		"^C at once":                {[]time.Duration{0, 0}, []string{pasteBegin + "xy", "\x03"}, pasteBegin + "xy" + pasteEnd + "\x03"},
		"typed on without a pause":  {[]time.Duration{0, s / 2}, []string{pasteBegin + "xy", "q"}, pasteBegin + "xyq"},
		"the rest comes late":       {[]time.Duration{0, 3 * s}, []string{pasteBegin + "rm -rf ", "the rest of it" + pasteEnd}, pasteBegin + "rm -rf the rest of it" + pasteEnd},
		"the end comes late":        {[]time.Duration{0, 3 * s}, []string{pasteBegin + "xy", pasteEnd}, pasteBegin + "xy" + pasteEnd},
		"the end comes in two":      {[]time.Duration{0, 3 * s, 0}, []string{pasteBegin + "xy", pasteEnd[:3], pasteEnd[3:]}, pasteBegin + "xy" + pasteEnd},
		"the begin comes in two":    {[]time.Duration{0, 0, s}, []string{pasteBegin[:2], pasteBegin[2:] + "xy", "q"}, pasteBegin + "xy" + pasteEnd + "q"},
		"keys without any paste":    {[]time.Duration{0, s, s}, []string{"j", "\x1b[B", "q"}, "j\x1b[Bq"},
		"two escapes before a mark": {[]time.Duration{0, s}, []string{"\x1b" + pasteBegin + "x", "q"}, "\x1b" + pasteBegin + "x" + pasteEnd + "q"},
	} {
		if got := readGuarded(t, &bursts{after: c.after, data: c.data}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPasteBound: what is behind a megabyte is dropped, the end of the paste and
// the keys behind it are not.
func TestPasteBound(t *testing.T) {
	text := pasteBegin + strings.Repeat("x", 3*longestPaste) + pasteEnd + "q"
	got, err := io.ReadAll(&pasteGuard{from: strings.NewReader(text), now: time.Now})
	if want := pasteBegin + strings.Repeat("x", longestPaste) + pasteEnd + "q"; err != nil || string(got) != want {
		t.Errorf("%d bytes that end in %q: %v", len(got), got[max(len(got)-12, 0):], err)
	}
}

// TestPasteGuardIsFaithful: without a silence not a byte is changed, however the
// input is cut, and an error comes after all that came before it.
func TestPasteGuardIsFaithful(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"x", "日", "\x1b", "\x1b[", "2", pasteBegin, pasteEnd, "\x1b[A", "\x1b[20", "~"})).Draw(t, "parts")
		text := strings.Join(parts, "")
		from := []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))}
		for _, r := range from {
			at := time.Unix(0, 0)
			got, err := io.ReadAll(iotest.HalfReader(&pasteGuard{from: r, now: func() time.Time { return at }}))
			if err != nil || string(got) != text {
				t.Fatalf("%q, %v, want %q", got, err, text)
			}
		}
	})
	g := &pasteGuard{from: io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(io.ErrUnexpectedEOF)), now: time.Now}
	if got, err := io.ReadAll(g); string(got) != "ab" || err != io.ErrUnexpectedEOF || !slices.Equal(got, []byte("ab")) {
		t.Errorf("%q, %v", got, err)
	}
}
