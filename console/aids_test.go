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
