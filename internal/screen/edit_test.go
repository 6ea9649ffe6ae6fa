package screen

import (
	"slices"
	"strings"
	"testing"
)

// TestEdits: the sequences that change what stands on the rows (B5).
func TestEdits(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"ICH", "abc\r\x1b[2@X", []string{"X abc"}},
		{"ICH on a wide character", "漢b\r\x1b[C\x1b[@X", []string{" X b"}},
		{"DCH", "abcdef\r\x1b[C\x1b[2PX", []string{"aXef"}},
		{"DCH beyond the end", "abc\r\x1b[9P", nil},
		{"ECH", "abcdef\r\x1b[C\x1b[2X", []string{"a  def"}},
		{"insert mode", "abc\r\x1b[4hXY\x1b[4lZ", []string{"XYZbc"}},
		{"IL", "a\nb\nc\x1b[A\x1b[LX", []string{"a", "X", "b", "c"}},
		{"IL at the bottom", "a\nb\nc\nd\x1b[9LX", []string{"a", "b", "c", "X"}},
		{"DL", "a\nb\nc\nde\x1b[2A\x1b[2MX", []string{"a", "Xe"}},
		{"DL of all below", "a\nb\nc\x1b[A\x1b[9MX", []string{"a", "X"}},
		{"RI at the top", "a\nb\x1b[A\r\x1bMX\n", []string{"X", "a", "b"}},
		{"SU", "a\nb\nc\x1b[2Sd", []string{"a", "b", "c", "", " d"}},
		{"ED 0", "a\nbc\nd\x1b[A\x1b[JX", []string{"a", "bX"}},
		{"EL 1", "abc\x1b[2D\x1b[1KX", []string{" Xc"}},
		{"EL 2", "abc\x1b[2Kd", []string{"   d"}},
		{"region scrolls", "\x1b[2;3r\x1b[1;1Hhead\n1\n2\n3\n4", []string{"head", "3", "4"}},
		{"region at the top keeps history", "\x1b[1;2r1\n2\n3\n4\x1b[4;1Hbar", []string{"1", "2", "3", "4", "", "bar"}},
		{"region RI", "\x1b[2;3r\x1b[1;1Ha\nb\nc\x1b[2;1H\x1bMX", []string{"a", "X", "b"}},
		{"region DL and IL", "a\nb\nc\nd\x1b[2;3r\x1b[2;1H\x1b[M\x1b[2;1H\x1b[LX", []string{"a", "X", "c", "d"}},
		{"margins undone", "\x1b[2;3r\x1b[ra\nb\nc\nd\ne", []string{"a", "b", "c", "d", "e"}},
		{"bad margins", "a\n\x1b[3;2rb", []string{"a", "b"}},
		{"repeat a wide character", "漢\x1b[2b", []string{"漢漢漢"}},
		{"overwrite in a plain row", "\x1b[31mabc\x1b[m\x1b[2DX", []string{"aXc"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Width: 20, Height: 4}
			lines := play(o, []byte(c.in))
			sound(t, o, lines)
			if got := trimmed(texts(lines)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			same(t, "byte by byte", lines, playCut(o, []byte(c.in), 1))
		})
	}
}

// trimmed leaves out blanks at row ends and blank rows at the end.
func trimmed(rows []string) []string {
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil
	}
	return rows
}
