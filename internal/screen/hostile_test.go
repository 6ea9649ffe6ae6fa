package screen

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"offstage/task"
)

// TestHostile: what a log may not do to a terminal, after known holes; the text
// around it stays (B7).
func TestHostile(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"title and report, CVE-2003-0063", "a\x1b]0;rm -rf ~\x07b\x1b[21tc\n", []string{"abc"}},
		{"DECRQSS answer, CVE-2008-2383", "a\x1bP$q\nrm -rf ~\n\x1b\\b\n", []string{"a", "rm -rf ~", "b"}},
		{"rxvt ESC G Q, CVE-2021-33477", "a\x1bGQ\nb\n", []string{"aQ", "b"}},
		{"font query, CVE-2022-45063", "a\x1b]50;?\x07b\n", []string{"ab"}},
		{"resize, CVE-2000-0476, CVE-2024-37535", "a\x1b[4;65535;65535tb\x1b[8;99999;99999tc\n", []string{"abc"}},
		{"ReGIS, CVE-2023-40359", "a\x1bP0pR(P[0,0])\x1b\\b\n", []string{"ab"}},
		{"kitty image", "a\x1b_Ga=T,f=100;iVBORw0KGgo=\x1b\\b\n", []string{"ab"}},
		{"answer-back and queries", "a\x05\x1b[c\x1b[>c\x1b[=c\x1b[5n\x1b[6n\x1b[?6nb\x1bP+q544e\x1b\\c\n", []string{"abc"}},
		{"colour query", "a\x1b]11;?\x1b\\b\x1b]4;1;?\x07c\n", []string{"abc"}},
		{"clipboard", "a\x1b]52;c;cm0gLXJmIH4K\x07b\x1b]52;p;?\x1b\\c\n", []string{"abc"}},
		{"link with another target", "\x1b]8;;https://evil.example\x1b\\https://good.example\x1b]8;;\x1b\\\n", []string{"https://good.example"}},
		{"notice", "a\x1b]9;hello\x07\x1b]777;notify;t;b\x07\x1b]1337;File=:AAAA\x07b\n", []string{"ab"}},
		{"modes left on", "a\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?1hb\x1b=\x1b>\n", []string{"ab"}},
		{"alternate screen left on", "a\n\x1b[?1049hhidden", []string{"a", "⟦full-screen program⟧"}},
		{"string in C1 as UTF-8", "a\u009d0;title\u009cb\u009b31mc\u0090q\u009cd\n", []string{"abcd"}},
		{"raw C1 is not an introducer", "a\x9b31mb\x9d0;x\n", []string{"a\ufffd31mb\ufffd0;x"}},
		{"nested strings", "a\x1b]0;x\x1bP1$r\x1b\\b\n", []string{"ab"}},
		{"string ended by CAN", "a\x1b]0;x\x18b\n", []string{"ab"}},
		{"unterminated OSC", "a\x1b]0;x\nb\n", []string{"a", "b"}},
		{"unterminated CSI", "a\x1b[38;5\nb\n", []string{"a", "b"}},
		{"unterminated ESC", "a\x1b\nb\n", []string{"a", "b"}},
		{"unterminated charset", "a\x1b(\nb\n", []string{"a", "b"}},
		{"CSI cut by ESC", "a\x1b[3\x1b[31mb\n", []string{"ab"}},
		{"CSI with other bytes", "a\x1b[31é\n", []string{"aé"}},
		{"many parameters", "a\x1b[" + strings.Repeat("1;", 5000) + "mb\n", nil},
		{"cursor to column 10^9", "a\x1b[1000000000Gb\n", nil},
		{"cursor to row 10^9", "a\n\x1b[1000000000;1Hb\n\x1b[1000000000Bc\n", []string{"a", "b", "c"}},
		{"rows 10^9", "a\x1b[1000000000Lb\x1b[1000000000Mc\x1b[1000000000Sd\x1b[1000000000@e\x1b[1000000000P\x1b[1000000000Xf\n", nil},
		{"tabs 10^9", "a\x1b[1000000000Ib\x1b[1000000000Zc\n", nil},
		{"repeat 10^9", "a\x1b[1000000000b\n", nil},
		{"bidi", "a\u202eb\u202c\u2066c\u2069\u200f\u061c\n", []string{"a⟦RLO⟧b⟦PDF⟧⟦LRI⟧c⟦PDI⟧⟦RLM⟧⟦ALM⟧"}},
		{"invisible", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u2028h\u2029i\n", []string{"a⟦ZWSP⟧b⟦ZWNJ⟧c⟦ZWJ⟧d⟦WJ⟧e⟦BOM⟧f⟦SHY⟧g⟦LSEP⟧h⟦PSEP⟧i"}},
		{"tags", "a\U000e0041\U000e0042b\n", []string{"a⟦TAG A⟧⟦TAG B⟧b"}},
		{"invisible at the start", "\u202ea\n", []string{"⟦RLO⟧a"}},
		{"combining flood, CVE-2021-27135", "a" + strings.Repeat("\u0300", 5000) + "b\n", []string{"a\u0300\u0300\u0300\u0300⟦+4996⟧b"}},
		{"combining mark on nothing", "\u0301a\n", []string{"◌\u0301a"}},
		{"NULs", "a\x00b" + strings.Repeat("\x00", 70000) + "c\n", []string{"ab␀×70000c"}},
		{"conceal", "a\x1b[8mb\x1b[mc\n", []string{"abc"}},
		{"restore without save", "one\ntwo\n\x1b8\x1b[uthree\n", []string{"one", "two", "three"}},
		{"erase history", "one\n\x1b[3Jtwo\x1bc\x1b[3Jthree\n", []string{"one", "two", "⟦screen cleared⟧", "three"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, width := range []int{0, 80} {
				o := Options{Width: width}
				lines := play(o, []byte(c.in))
				sound(t, o, lines)
				same(t, "byte by byte", lines, playCut(o, []byte(c.in), 1))
				if got := texts(lines); c.want != nil && !slices.Equal(got, c.want) {
					t.Errorf("width %d:\ngot  %q\nwant %q", width, got, c.want)
				}
			}
		})
	}
}

// TestBounded: a line of 100 MB, and floods of its kind, take little memory and
// say how much is hidden (B8).
func TestBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("plays 100 MB six times")
	}
	big := func(s string) []byte { return []byte(strings.Repeat(s, 64<<10/len(s))) }
	cases := []struct {
		name  string
		chunk []byte
		rows  int
		cut   int
	}{
		{"one line", big("x"), 1, 100<<20 - 4000},
		{"wide characters", big("漢語"), 1, 0},
		{"combining marks", big("\u0301\u0302"), 1, 0},
		{"string without end", big("\x1b]0;aaaaaaaaaaaaa"), 0, 0},
		{"colours", big("\x1b[38;2;1;2;3mx\x1b[48;5;9my"), 1, 0},
		{"redraws", big("\rab\x1b[500C\u0301z\x1b[9A\x1b[9B"), 10, 0},
	}
	for _, c := range cases {
		s := New(Options{})
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		size := 100 << 20
		if c.name != "one line" {
			size = 8 << 20
		}
		var settled []task.Line
		for n := 0; n < size; n += len(c.chunk) {
			s.Write(c.chunk, int64(n))
			settled = append(settled, s.Settled()...)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > 4<<20 {
			t.Errorf("%s: keeps %d kB", c.name, got>>10)
		}
		lines := append(settled, s.Flush()...)
		sound(t, Options{}, lines)
		if len(lines) != c.rows {
			t.Errorf("%s: %d rows, want %d", c.name, len(lines), c.rows)
		}
		if c.cut > 0 && (lines[0].Cut != c.cut || len(lines[0].Text) != 4000) {
			t.Errorf("%s: cut %d of %d", c.name, lines[0].Cut, len(lines[0].Text))
		}
	}
}
