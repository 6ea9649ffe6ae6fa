package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"offstage/task"
)

// TestPlaces: each row knows where in the file it starts and ends and its line
// there; in plain logs the rows cover the file without a gap.
func TestPlaces(t *testing.T) {
	const log = "one\r\n\x1b[31mtwo\x1b[m\n\nfour \rFOUR\nfive"
	s := New(Options{})
	s.CountFrom(11)
	s.Write([]byte(log), 1000)
	var got []string
	for _, l := range s.Flush() {
		got = append(got, fmt.Sprintf("%d-%d %d %s", l.Offset, l.End, l.Number, l.Text))
	}
	want := []string{"1000-1005 11 one", "1005-1017 12 two", "1017-1018 13 ", "1018-1029 14 FOUR ", "1029-1033 15 five"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestPlacesOfRedraws: a row that first gets text after a redraw starts there,
// so that a reader who jumps to it finds the text.
func TestPlacesOfRedraws(t *testing.T) {
	log := "a\nb\n" + strings.Repeat("\x1b[2A\x1b[Ka!\n\x1b[Kb!\n", 100) + "done\nend\n"
	s := New(Options{})
	s.CountFrom(1)
	s.Write([]byte(log), 0)
	lines := s.Flush()
	if got := texts(lines); !slices.Equal(got, []string{"a!", "b!", "done", "end"}) {
		t.Fatalf("%q", got)
	}
	if at := int64(strings.Index(log, "done")); lines[2].Offset != at || lines[2].Number != 203 || lines[1].End != at {
		t.Errorf("done: %+v; before it %+v", lines[2], lines[1])
	}
	if !lines[0].Redrawn || lines[2].Redrawn {
		t.Error("redrawn rows are not told apart")
	}
}

// TestLiveAndSettled: rows above the window are settled, those in it are live,
// and together they are the log.
func TestLiveAndSettled(t *testing.T) {
	s := New(Options{Height: 4})
	for i := range 10 {
		s.Write(fmt.Appendf(nil, "row %d\n", i), int64(6*i))
	}
	s.Write([]byte("half"), 60)
	settled, live := s.Settled(), s.Live()
	if got := texts(settled); len(got) != 7 || got[6] != "row 6" {
		t.Errorf("settled %q", got)
	}
	if got := texts(live); !slices.Equal(got, []string{"row 7", "row 8", "row 9", "half"}) || !live[3].Live || settled[0].Live {
		t.Errorf("live %q", got)
	}
	if got := texts(append(s.Settled(), s.Live()...)); len(got) != 4 {
		t.Errorf("settled rows came twice: %q", got)
	}
}

// TestSafe: a good place to start later is the start of a line where no redraw
// is under way.
func TestSafe(t *testing.T) {
	cases := []struct {
		in   string
		want bool
	}{
		{"", true},
		{"plain\n", true},
		{"plain\nhalf", false},
		{"\x1b[31mred\n", true},
		{"half\x1b[3", false},
		{"half \xe2\x9c", false},
		{"\x1b]0;title", false},
		{"\x1b[?1049h\n", false},
		{"bar 10%\rbar 20%\rdone\n", true},
		{"a\nb\n\x1b[2A", false},
		{"a\nb\n\x1b[2Ac\nd\n", false},
		{"a\nb\n\x1b[2Ac\nd\n" + strings.Repeat("plain\n", 64), true},
	}
	for _, c := range cases {
		s := New(Options{})
		s.Write([]byte(c.in), 0)
		if s.Safe() != c.want {
			t.Errorf("%q: safe %v", c.in, !c.want)
		}
		if s.Offset() != int64(len(c.in)) {
			t.Errorf("%q: offset %d", c.in, s.Offset())
		}
	}
}

// TestCut: a line is cut at the limit and says how many characters are hidden
// (B8); clusters are not cut in two.
func TestCut(t *testing.T) {
	cases := []struct {
		in   string
		text string
		cut  int
	}{
		{strings.Repeat("x", 10), strings.Repeat("x", 10), 0},
		{strings.Repeat("x", 11), strings.Repeat("x", 10), 1},
		{strings.Repeat("漢", 600), strings.Repeat("漢", 10), 590},
		{strings.Repeat("x", 9) + "e\u0301z", strings.Repeat("x", 9), 3},
		{strings.Repeat("x", 5000), strings.Repeat("x", 10), 4990},
		{strings.Repeat("x", 5000) + "\rAB", "AB" + strings.Repeat("x", 8), 4990},
		{strings.Repeat("x", 5000) + "\r\x1b[Kshort", "short", 0},
	}
	for _, c := range cases {
		for _, width := range []int{0, 7000} {
			l := play(Options{MaxText: 10, Width: width}, []byte(c.in+"\n"))[0]
			if l.Text != c.text || l.Cut != c.cut {
				t.Errorf("%.20q (%d): %q cut %d, want %q cut %d", c.in, len(c.in), l.Text, l.Cut, c.text, c.cut)
			}
		}
	}
}

// TestClusters: emoji and accents take the cells that a terminal gives them, so
// that what is drawn over them meets the right place.
func TestClusters(t *testing.T) {
	cases := []struct{ in, want string }{
		{"👩\u200d👩\u200d👧x\r12", "12x"},
		{"👍🏽x\r12", "12x"},
		{"🇩🇪🇫🇷x\r12", "12🇫🇷x"},
		{"❤\ufe0fx\r12", "12x"},
		{"e\u0301x\r1", "1x"},
		{"e\u0301x\r\x1b[C2", "e\u03012"},
		{"漢x\r1", "1 x"},
		{"漢x\r\x1b[C1", " 1x"},
		{"a\u200db\r1", "1b"},
		{"한국\b\bX", "한X"},
		{"각x\r12", "12x"},
		{"👩\u200dA", "👩⟦ZWJ⟧A"},
	}
	for _, c := range cases {
		for _, width := range []int{0, 80} {
			o := Options{Width: width}
			lines := play(o, []byte(c.in+"\n"))
			if got := lines[0].Text; got != c.want {
				t.Errorf("%+q: got %+q, want %+q", c.in, got, c.want)
			}
			same(t, c.in, lines, playCut(o, []byte(c.in+"\n"), 1))
		}
	}
}

// TestRescue: output after a program that died in the alternate screen is not
// lost; what a living one draws is.
func TestRescue(t *testing.T) {
	var plain strings.Builder
	for i := range 300 {
		fmt.Fprintf(&plain, "line %d ✓\n", i)
	}
	lines := play(Options{}, []byte("before\n\x1b[?1049h\x1b[5;5Hframe\x1b[K"+plain.String()))
	got := texts(lines)
	if len(got) != 302 || got[1] != "⟦full-screen program⟧" || got[301] != "line 299 ✓" || got[2] != "line 0 ✓" {
		t.Errorf("%d rows: %.200q", len(got), got)
	}
	same(t, "cut", lines, playCut(Options{}, []byte("before\n\x1b[?1049h\x1b[5;5Hframe\x1b[K"+plain.String()), 1))
	drawn := strings.Repeat("frame\n\x1b[H", 300)
	if got := texts(play(Options{}, []byte("before\n\x1b[?1049h"+drawn+"\x1b[?1049lafter\n"))); len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// TestMarks: clearing the screen and full-screen programs leave a mark between
// rows, one however often in a row, none where there was nothing to clear.
func TestMarks(t *testing.T) {
	cases := []struct {
		in   string
		want []string
	}{
		{"\x1b[2J\x1b[Ha\n", []string{"a"}},
		{"a\n\x1b[H\x1b[2J\x1b[3J\x1bcb\n", []string{"a", "⟦screen cleared⟧", "b"}},
		{"a\x1b[2Jb\n", []string{"a", "⟦screen cleared⟧", " b"}},
		{"a\n\x1b[1Jb\n", []string{"a", "⟦screen cleared⟧", "b"}},
		{"$ \x1b[?1049hx\x1b[?1049lmore\nb\n", []string{"$ more", "⟦full-screen program⟧", "b"}},
		{"a\n\x1b[?47h1\x1b[?47l\x1b[?1047h2\x1b[?1047lb\n", []string{"a", "⟦full-screen program⟧", "b"}},
		{"a\n\x1b[2J", []string{"a", "⟦screen cleared⟧"}},
	}
	for _, c := range cases {
		lines := play(Options{}, []byte(c.in))
		if got := texts(lines); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		for _, l := range lines {
			if (l.Mark != task.NoMark) != (l.Text == "screen cleared" || l.Text == "full-screen program") {
				t.Errorf("%q: %+v", c.in, l)
			}
		}
	}
}

// TestByteOrderMark: the one that starts a file is no text, any other is shown.
func TestByteOrderMark(t *testing.T) {
	for _, n := range []int{1, 2, 100} {
		got := texts(playCut(Options{}, []byte("\ufeffa\ufeff\n\ufeffb\n"), n))
		if want := []string{"a⟦BOM⟧", "⟦BOM⟧b"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestAmplification: few bytes never become many rows.
func TestAmplification(t *testing.T) {
	for _, seq := range []string{"x\x1b[64By\x1b[2J", "\x1b[64S", "\x1b[64By\x1b[64S\x1b[H", "\x1b[9999b", "\x1b[64;1Hx\x1bc", "\x1b[64L\x1b[64M", "x\v", "x\x1bM"} {
		in := strings.Repeat(seq, 4000)
		n := 0
		for _, l := range play(Options{Height: 64}, []byte(in)) {
			n += 1 + len(l.Text)/farColumn
		}
		if n > 300+len(in) {
			t.Errorf("%q: %d rows of %d bytes", seq, n, len(in))
		}
	}
}
