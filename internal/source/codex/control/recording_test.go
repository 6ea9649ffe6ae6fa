package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"offstage/internal/source/codex/control/controltest"
)

// replay answers each call as the recording did: the same word about the same
// thread gets what it got there, and the news that followed it.
func replay(t *testing.T, file string) func(*controltest.Client) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type recorded struct {
		call    controltest.Call
		answers []string
	}
	var talk []recorded
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var l struct {
			D string          `json:"d"`
			M json.RawMessage `json:"m"`
		}
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		switch l.D {
		case "out":
			var c controltest.Call
			if err := json.Unmarshal(l.M, &c); err != nil {
				t.Fatal(err)
			}
			talk = append(talk, recorded{call: c})
		case "in":
			last := &talk[len(talk)-1]
			last.answers = append(last.answers, string(l.M))
		}
	}
	return func(c *controltest.Client) {
		for {
			call, ok := c.Read()
			if !ok {
				return
			}
			for _, r := range talk {
				if r.call.Method == call.Method && r.call.Params.Thread == call.Params.Thread {
					for _, a := range r.answers {
						c.Send(strings.Replace(a, `"id":`+string(r.call.ID), `"id":`+string(call.ID), 1))
					}
					break
				}
			}
		}
	}
}

const (
	recordedThread = "01a22e1e-de84-7761-9889-3cc483490e2a"
	recordedItem   = "call_60632a47fc929674f50c"
)

// TestRecordedTalk: the list and the live output of the real daemon, as recorded
// (issue 9.1).
func TestRecordedTalk(t *testing.T) {
	home := t.TempDir()
	controltest.Start(t, home, replay(t, "testdata/server-running.jsonl"))
	d := Daemon{Home: home}
	got, err := d.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := Terminal{Thread: recordedThread, Item: recordedItem, Process: "49013", Command: "node server.js", Cwd: "/srv/app"}
	if len(got.Terminals) != 1 || got.Terminals[0] != want || !got.Threads[recordedThread] || len(got.Threads) != 2 {
		t.Errorf("%+v", got)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	w := &words{want: "update 8", found: cancel}
	if err := d.Listen(ctx, recordedThread, recordedItem, w); err == nil {
		t.Error("the command has not ended and nothing is wrong")
	}
	if text := w.String(); !strings.HasPrefix(text, "[hmr] update 5 /src/main.ts\n") || strings.Count(text, "\n") != 4 {
		t.Errorf("heard %q", text)
	}
}

// words keeps what is written and says when a word came.
type words struct {
	bytes.Buffer
	want  string
	found func()
}

func (w *words) Write(b []byte) (int, error) {
	n, err := w.Buffer.Write(b)
	if strings.Contains(w.String(), w.want) {
		w.found()
	}
	return n, err
}
