package console

import (
	"strings"
	"testing"
)

// B13: what is saved is the selection, else what passes the filter, else all, to
// a name that the person can change.
func TestSaving(t *testing.T) {
	f := testRun()
	m := open(t, Options{}, 80, 24, shellTask(), f)
	press(t, m, "ctrl+s")
	if v := plain(m); !strings.Contains(v, "save to vitest-run.log▏   all lines  plain  tab colours") {
		t.Errorf("the prompt:\n%s", v)
	}
	press(t, m, "backspace", "2", "tab")
	if a, _ := m.Key("enter"); a != (Save{Path: "vitest-run.lo2", ANSI: true}) {
		t.Errorf("all lines: %#v", a)
	}
	f.do(t, m, "&", "F", "A", "I", "L", "enter", "ctrl+s")
	if v := plain(m); !strings.Contains(v, "only &FAIL") {
		t.Errorf("filtered:\n%s", v)
	}
	if a, _ := m.Key("enter"); a.(Save).Filter == nil || a.(Save).Filter.Query.Text != "FAIL" {
		t.Errorf("filtered: %#v", a)
	}
	f.do(t, m, "esc", "G", "v", "k", "k", "ctrl+s")
	a, _ := m.Key("enter")
	if s := a.(Save); !s.Selection || s.Rows != 3 || s.Redacted != 1 || !strings.Contains(s.Text, "[redacted]") || m.sel.on {
		t.Errorf("a selection: %#v", a)
	}
	press(t, m, "ctrl+s", "ctrl+u")
	if a, _ := m.Key("enter"); a != (Toast{"Nothing was saved: it has no name"}) {
		t.Errorf("no name: %#v", a)
	}
	press(t, m, "ctrl+s")
	if a, _ := m.Key("esc"); a != nil || m.find.typing {
		t.Errorf("esc: %#v", a)
	}
}

func TestSaveNames(t *testing.T) {
	for title, want := range map[string]string{"pnpm vitest run": "pnpm-vitest-run.log", "../../etc/passwd": "etc-passwd.log", "日本語": "output.log", "big.log": "big.log", "a  b/": "a-b.log"} {
		if got := saveName(title); got != want {
			t.Errorf("%q gives %q, want %q", title, got, want)
		}
	}
	for k, want := range map[string]Action{"O": OpenPager{}, "ctrl+e": OpenCopy{}} {
		m := open(t, Options{}, 80, 24, shellTask(), testRun())
		if a, _ := m.Key(k); a != want {
			t.Errorf("%s: %#v", k, a)
		}
		m = open(t, Options{}, 80, 24, shellTask(), &fakeLog{})
		if a, _ := m.Key(k); a != (Toast{"There is no output to open yet"}) {
			t.Errorf("%s without output: %#v", k, a)
		}
	}
}
