package console

import (
	"strings"
	"testing"
	"time"

	"offstage/task"
)

// timedLog is a log whose rows came half a minute apart.
func timedLog(n int) *fakeLog {
	f := &fakeLog{}
	for i := range n {
		f.add(task.Line{Text: "row", At: at(time.Duration(i) * 30 * time.Second), Number: int64(i + 1)})
	}
	return f
}

// B14: the time column is the clock, the time since the start, or off; without
// times, and in a narrow console, it says why not.
func TestTimeColumn(t *testing.T) {
	tk := shellTask()
	tk.Started = at(0)
	m := open(t, Options{Zone: time.UTC}, 80, 24, tk, timedLog(5))
	want := []string{"", at(30*time.Second).UTC().Format("15:04:05") + " ", "+30s ", ""}
	for i, w := range want {
		if i > 0 {
			press(t, m, "t")
		}
		row := strings.Split(plain(m), "\n")[m.bodyY()+1]
		if got := strings.Contains(row, w) && strings.HasPrefix(row, "  row") == (w == ""); !got {
			t.Errorf("press %d: %q, want %q", i, row, w)
		}
	}
	m.SetSize(50, 24)
	if a, _ := m.Key("t"); a != (Toast{"The time column needs 60 columns"}) {
		t.Errorf("narrow: %#v", a)
	}
	f := &fakeLog{}
	f.text("row")
	if a, _ := open(t, Options{}, 80, 24, tk, f).Key("t"); a != (Toast{"No times are known for this output"}) {
		t.Errorf("without times: %#v", a)
	}
}

// Issue "≈ 12.3 M lines, 41 %": until all lines are counted the footer says about
// how many there are and how far the count is.
func TestAboutHowManyLines(t *testing.T) {
	for want, f := range map[string]task.Facts{
		"≈ 12.3 M lines, 41 %": {Lines: 5_043_000, Counted: 0.41},
		"≈ 342 k lines, 3 %":   {Lines: 10_250, Counted: 0.03},
		"≈ 1,204 lines, 50 %":  {Lines: 602, Counted: 0.5},
		"≈ 2.5 G lines, 99 %":  {Lines: 2_475_000_000, Counted: 0.99},
		"1,204 lines":          {Lines: 1204, LinesKnown: true},
		"1 line":               {Lines: 1, LinesKnown: true},
	} {
		m := New(Options{})
		m.facts = f
		if got := m.lineCount(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// O6: someone else's large output is warned of while it grows, and not a week on.
func TestLargeOutputIsWarnedOf(t *testing.T) {
	tk := shellTask()
	tk.Output.Bytes, tk.Output.LastWrite = 3e9, testNow
	f := &fakeLog{}
	f.text("row")
	m := open(t, Options{}, 80, 24, tk, f)
	if v := plain(m); !strings.Contains(v, "output takes 3.0 GB") || strings.Contains(v, "freeze") {
		t.Errorf("view:\n%s", v)
	}
	m.SetTask(tk, testNow.Add(time.Hour), task.QuietAfter)
	if v := plain(m); strings.Contains(v, "output takes") {
		t.Errorf("an hour later:\n%s", v)
	}
}

// S3: an answer to a question for a password is not shown, unless it is asked for;
// when the task ends under the hands nothing is sent.
func TestSecretAnswer(t *testing.T) {
	tk := shellTask()
	tk.Can.Answer, tk.Waiting, tk.WaitingLine = true, "waiting for input", "[sudo] password for ada:"
	f := &fakeLog{}
	f.text("row")
	m := open(t, Options{}, 80, 24, tk, f)
	press(t, m, "a", "h", "u", "n", "t", "2")
	if v := plain(m); strings.Contains(v, "hunt2") || !strings.Contains(v, "•••••") {
		t.Errorf("view:\n%s", v)
	}
	press(t, m, "tab")
	if v := plain(m); !strings.Contains(v, "hunt2") {
		t.Errorf("shown on demand:\n%s", v)
	}
	if a, _ := m.Key("enter"); a != (Answer{"hunt2"}) || m.find.text != "" {
		t.Errorf("%#v, kept %q", a, m.find.text)
	}
	press(t, m, "a", "x")
	tk.Status, tk.Can.Answer = task.Succeeded, false
	m.SetTask(tk, testNow, task.QuietAfter)
	if m.find.typing || m.find.text != "" || !strings.Contains(plain(m), "Not sent: it has ended") {
		t.Errorf("after the end:\n%s", plain(m))
	}
}

// B14: a plain log has no times of its own: those of arrival are shown for what
// came while the console was open, with a mark for a silence in it.
func TestArrivalTimes(t *testing.T) {
	tk := shellTask()
	tk.Started = at(0)
	f := &fakeLog{}
	grow := func(m *Model, after time.Duration, text string) {
		f.text(text)
		f.facts.LastWrite = at(after)
		if m != nil {
			m.SetTask(tk, at(after), task.QuietAfter)
			f.settle(t, m)
		}
	}
	grow(nil, 0, "long before")
	grow(nil, 10*time.Second, "the last before")
	m := open(t, Options{Zone: time.UTC}, 80, 24, tk, f)
	m.SetTask(tk, at(20*time.Second), task.QuietAfter)
	grow(m, 30*time.Second, "first")
	grow(m, 30*time.Second+300*time.Millisecond, "second")
	grow(m, 5*time.Minute, "third")
	press(t, m, "t", "t")
	want := []string{"           long before", "    +10s   the last before", "    +30s   first", "    +30s   second", "           ┄┄ 4 min of silence ┄┄", "  +5m00s   third"}
	rows := strings.Split(plain(m), "\n")[m.bodyY():]
	for i, w := range want {
		if got := strings.TrimRight(rows[i], " "); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(w), " ") {
			t.Errorf("row %d: %q, want %q", i, got, w)
		}
	}
	f.lines, f.facts.Size, f.facts.Gen = nil, 0, 1
	grow(m, 6*time.Minute, "anew")
	if n := len(m.came.list); n != 1 || !strings.Contains(plain(m), "+6m00s") {
		t.Errorf("after a restart of the file, %d arrivals:\n%s", n, plain(m))
	}
}

// What is kept of arrivals is bounded, and the newest stay.
func TestArrivalsAreBounded(t *testing.T) {
	var a arrivals
	for i := range 20_000 {
		a.note(task.Facts{Size: int64(i + 1), LastWrite: at(time.Duration(i) * 2 * time.Second)}, at(time.Hour*24))
	}
	if len(a.list) > mostArrivals || !a.of(19_999).Equal(at(19_999*2*time.Second)) || !a.of(3).IsZero() {
		t.Errorf("%d kept, the last at %v", len(a.list), a.of(19_999))
	}
}
