package control

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/codex/control/controltest"
)

const (
	thread = "01a22e1e-0000-7761-9889-3cc483490e2a"
	item   = "call_dev"
)

func begin(t *testing.T) (*controltest.World, *controltest.Server, Daemon) {
	t.Helper()
	home := t.TempDir()
	w := &controltest.World{}
	w.Run(thread, item, "7", "npm run dev", "/srv/app")
	w.Run(thread, "call_other", "8", "make", "/srv/app")
	return w, controltest.Start(t, home, w.Talk), Daemon{Home: home}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// TestWords: a list, a listening and an end say only the words that change nothing
// but the end that was asked for; no turn, no approval (issue 9.1).
func TestWords(t *testing.T) {
	w, s, d := begin(t)
	if _, err := d.List(context.Background()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- d.Listen(context.Background(), thread, item, &out) }()
	eventually(t, "somebody listens", func() bool { return w.Listeners() == 1 })
	w.Say(thread, "call_other", "not this\n")
	w.Say(thread, item, "ready on 5173\n")
	if err := d.End(context.Background(), thread, item); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("listening ended with %v", err)
	}
	if out.String() != "ready on 5173\n" {
		t.Errorf("heard %q", out.String())
	}
	eventually(t, "no connection is left", func() bool { return s.Open() == 0 })
	allowed := []string{"initialize", "initialized", "thread/loaded/list", "thread/backgroundTerminals/list", "thread/backgroundTerminals/terminate", "thread/resume"}
	for _, m := range s.Asked() {
		if !slices.Contains(allowed, m) {
			t.Errorf("it said %q", m)
		}
	}
	if !slices.Contains(s.Asked(), "thread/backgroundTerminals/terminate") {
		t.Error("it ended nothing")
	}
}

// TestOtherWords: any other word is refused before it is sent.
func TestOtherWords(t *testing.T) {
	for _, m := range []string{"turn/start", "turn/interrupt", "item/commandExecution/requestApproval", "thread/start", "config/value/write", ""} {
		var sent bytes.Buffer
		k := &talk{frames: frames{w: &sent}}
		if err := k.send(m, struct{}{}, 1); err == nil || sent.Len() > 0 {
			t.Errorf("%q was said", m)
		}
	}
}

// TestQuestions: what the daemon asks a listener, such as an approval, gets no
// answer, and is no end of the talk.
func TestQuestions(t *testing.T) {
	home := t.TempDir()
	s := controltest.Start(t, home, func(c *controltest.Client) {
		w := &controltest.World{}
		w.Run(thread, item, "7", "x", "/")
		go func() {
			for range 50 {
				c.Send(`{"id":"q-1","method":"item/commandExecution/requestApproval","params":{"threadId":"` + thread + `","itemId":"` + item + `"}}`)
				c.Send(`{"id":1,"method":"item/fileChange/requestApproval","params":{}}`)
			}
		}()
		w.Talk(c)
	})
	got, err := (Daemon{Home: home}).List(context.Background())
	if err != nil || len(got.Terminals) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, m := range s.Asked() {
		if m == "" {
			t.Error("a question was answered")
		}
	}
}

// TestNotLoaded: a thread that the daemon does not have is never resumed: that
// would load it.
func TestNotLoaded(t *testing.T) {
	_, s, d := begin(t)
	if err := d.Listen(context.Background(), "another", item, &bytes.Buffer{}); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	if err := d.Listen(context.Background(), thread, "call_gone", &bytes.Buffer{}); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	if err := d.End(context.Background(), thread, "call_gone"); !errors.Is(err, ErrGone) {
		t.Errorf("%v", err)
	}
	if slices.Contains(s.Asked(), "thread/resume") {
		t.Error("it was resumed")
	}
}

// TestStillThere: an end that the daemon says and does not do is an error.
func TestStillThere(t *testing.T) {
	home := t.TempDir()
	controltest.Start(t, home, greeting(func(c *controltest.Client, call controltest.Call) {
		if call.Method == terminate {
			c.Answer(call, `{"terminated":true}`)
			return
		}
		c.Answer(call, `{"data":[{"itemId":"`+item+`","processId":"7"}]}`)
	}))
	if err := (Daemon{Home: home}).End(context.Background(), thread, item); err == nil || !strings.Contains(err.Error(), "still lists it") {
		t.Errorf("%v", err)
	}
}

// TestBreaksOff: a daemon that is killed while somebody listens is an error, and
// the end of the context ends a listening at once.
func TestBreaksOff(t *testing.T) {
	w, s, d := begin(t)
	done := make(chan error, 1)
	go func() { done <- d.Listen(context.Background(), thread, item, &bytes.Buffer{}) }()
	eventually(t, "somebody listens", func() bool { return w.Listeners() == 1 })
	s.Hang()
	if err := <-done; err == nil {
		t.Error("it ended without a word")
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- d.Listen(ctx, thread, item, &bytes.Buffer{}) }()
	eventually(t, "somebody listens", func() bool { return w.Listeners() == 1 })
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it listens on")
	}
	eventually(t, "no connection is left", func() bool { return s.Open() == 0 })
}

// TestPieces: a message may come in pieces, with pings between.
func TestPieces(t *testing.T) {
	home := t.TempDir()
	controltest.Start(t, home, greeting(func(c *controltest.Client, call controltest.Call) {
		b := []byte(`{"id":` + string(call.ID) + `,"result":{"data":[]}}`)
		_, _ = c.Write(controltest.Frame(0x01, b[:5], 5))
		_, _ = c.Write(controltest.Frame(0x89, []byte("hi"), 2))
		_, _ = c.Write(controltest.Frame(0x00, nil, 0))
		_, _ = c.Write(controltest.Frame(0x80, b[5:], uint64(len(b)-5)))
	}))
	if _, err := (Daemon{Home: home}).List(context.Background()); err != nil {
		t.Error(err)
	}
}
