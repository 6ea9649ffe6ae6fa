//go:build unix

package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"offstage/task"
	"offstage/ui/uitest"
)

// secretPanic is a panic's text with a secret and a control sequence in it.
func secretPanic() string {
	return strings.ReplaceAll("bad row \x1b]0;x\x07 gh⟂p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n at the end "+strings.Repeat("x", 500), "⟂", "")
}

// wantFault checks the one sentence that is said of a fault.
func wantFault(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s: the program ended without a word", what)
	}
	got := err.Error()
	for _, want := range []string{"a fault in the program (bad row", "[redacted]", "fault_test.go:", "please report it"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %q", what, want, got)
		}
	}
	if strings.Contains(got, "gh"+"p_A1b2") || strings.ContainsAny(got, "\x1b\n\x07") || len(got) > 400 {
		t.Errorf("%s: %q", what, got)
	}
}

// TestFaultText: short, masked, with its place (C9).
func TestFaultText(t *testing.T) {
	err := func() (err error) {
		defer func() { err = Fault(recover()) }()
		panic(secretPanic())
	}()
	wantFault(t, "a panic", err)
}

// panicky is an engine in which opening an output faults.
type panicky struct{ *uitest.Engine }

func (panicky) Open(context.Context, string) (task.Output, error) { panic(secretPanic()) }

// TestFaultEndsInOrder: a fault in a command, and one in Update, give the terminal
// back and are the program's error; nothing of the panic's text is on the screen.
func TestFaultEndsInOrder(t *testing.T) {
	for what, fault := range map[string]func(*terminal){
		"in a command": func(x *terminal) { x.keys("\r") },
		"in Update":    func(x *terminal) { x.send(handMsg{}) }, // a program without a name
	} {
		x := open(t, 100, 30, uitest.Sample(time.Now()), func(o *Options) { o.Engine = panicky{o.Engine.(*uitest.Engine)} })
		x.shows("vitest run")
		fault(x)
		select {
		case err := <-x.done:
			if x.done <- nil; what == "in Update" {
				if err == nil || !strings.Contains(err.Error(), "a fault in the program (runtime error: slice bounds out of range") {
					t.Errorf("%s: %v", what, err)
				}
				break
			}
			wantFault(t, what, err)
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the program goes on", what)
		}
		x.until("the terminal given back", func(string) bool { return !x.inAltScreen() })
		if raw := x.written(); strings.Contains(raw, "gh"+"p_A1b2") || strings.Contains(raw, "Caught panic") {
			t.Errorf("%s: the panic's text reached the terminal", what)
		}
	}
}
