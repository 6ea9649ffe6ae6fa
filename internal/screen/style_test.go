package screen

import (
	"reflect"
	"testing"

	"offstage/task"
)

// TestStyles: colours and attributes stay, blink and conceal do not (B7).
func TestStyles(t *testing.T) {
	fg := func(c task.Color) task.Style { return task.Style{FG: c} }
	at := func(a task.Attr) task.Style { return task.Style{Attr: a} }
	cases := []struct {
		sgr  string
		want task.Style
	}{
		{"31", fg(task.Indexed(1))},
		{"97", fg(task.Indexed(15))},
		{"44", task.Style{BG: task.Indexed(4)}},
		{"101", task.Style{BG: task.Indexed(9)}},
		{"38;5;208", fg(task.Indexed(208))},
		{"38:5:208", fg(task.Indexed(208))},
		{"38;2;1;2;3", fg(task.RGB(1, 2, 3))},
		{"38:2:1:2:3", fg(task.RGB(1, 2, 3))},
		{"38:2::1:2:3", fg(task.RGB(1, 2, 3))},
		{"38:2::1:2:3:::", fg(task.RGB(1, 2, 3))},
		{"48;2;300;2;3;1", task.Style{BG: task.RGB(255, 2, 3), Attr: task.Bold}},
		{"58:2::9:8:7;4:3", task.Style{UL: task.RGB(9, 8, 7), Attr: task.CurlyUnderline}},
		{"58;5;4;4", task.Style{UL: task.Indexed(4), Attr: task.Underline}},
		{"4:0", task.Style{}},
		{"4:4", at(task.DottedUnderline)},
		{"4:5", at(task.DashedUnderline)},
		{"4;21", at(task.DoubleUnderline)},
		{"1;2;3;7;9", at(task.Bold | task.Dim | task.Italic | task.Inverse | task.Strike)},
		{"1;2;22;3;23;7;27;9;29;4;24", task.Style{}},
		{"5", task.Style{}},
		{"6;8", task.Style{}},
		{"31;39", task.Style{}},
		{"41;49", task.Style{}},
		{"58;5;1;59", task.Style{}},
		{"31;0", task.Style{}},
		{"31;", task.Style{}},
		{"38;5", task.Style{}},
		{"38;2;1;2", task.Style{}},
		{"999;31", fg(task.Indexed(1))},
		{"10;73;31", fg(task.Indexed(1))},
	}
	for _, c := range cases {
		lines := play(Options{}, []byte("a\x1b["+c.sgr+"mbc\x1b[0md\n"))
		var want []task.Span
		if c.want != (task.Style{}) {
			want = []task.Span{{Start: 1, End: 3, Style: c.want}}
		}
		if l := lines[0]; l.Text != "abcd" || !reflect.DeepEqual(l.Spans, want) {
			t.Errorf("%s: %q %+v, want %+v", c.sgr, l.Text, l.Spans, want)
		}
	}
}

// TestStyleIsMinimal: equal neighbours are one span, on the plain path and on
// the path of redrawn rows alike.
func TestStyleIsMinimal(t *testing.T) {
	const in = "\x1b[31mab\x1b[31mcd\x1b[0m \x1b[1m漢é\x1b[m"
	want := []task.Span{
		{Start: 0, End: 4, Style: task.Style{FG: task.Indexed(1)}},
		{Start: 5, End: 10, Style: task.Style{Attr: task.Bold}},
	}
	for _, tail := range []string{"\n", "\r\x1b[31mabcd\n"} {
		l := play(Options{}, []byte(in+tail))[0]
		if l.Text != "abcd 漢é" || !reflect.DeepEqual(l.Spans, want) {
			t.Errorf("%q: %q %+v", tail, l.Text, l.Spans)
		}
	}
}

// TestStyleGoesOn: a style set on one line colours the next, as in a terminal.
func TestStyleGoesOn(t *testing.T) {
	lines := play(Options{}, []byte("\x1b[32mone\ntwo\x1b[m\nthree\n"))
	if len(lines[1].Spans) != 1 || len(lines[2].Spans) != 0 {
		t.Errorf("%+v", lines)
	}
}
