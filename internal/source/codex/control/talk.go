package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"offstage/internal/proc"
)

// Patience is how long one question, and the greeting, may take.
const Patience = 2 * time.Second

// The methods that are ever called. A talk refuses every other word.
const (
	greet     = "initialize"
	greeted   = "initialized"
	loaded    = "thread/loaded/list"
	terminals = "thread/backgroundTerminals/list"
	terminate = "thread/backgroundTerminals/terminate"
	subscribe = "thread/resume" // only of a thread that is loaded: it adds a listener
)

var methods = map[string]bool{greet: true, greeted: true, loaded: true, terminals: true, terminate: true, subscribe: true}

// talk is one connection. It is used by one goroutine.
type talk struct {
	conn *net.UnixConn
	frames
	next int
	// heard is given the notifications that come while an answer is waited for.
	heard func(message)
	// unbind lets go of the context that would close the connection.
	unbind func() bool
}

// message is what comes: an answer, news, or a question that is not answered.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Refusal        `json:"error"`
}

// news says that it is told to all who listen, and asks for nothing.
func (m message) news() bool { return m.Method != "" && len(m.ID) == 0 }

// Refusal is the daemon's no to a question.
type Refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (r *Refusal) Error() string { return fmt.Sprintf("it refused (%d)", r.Code) }

// open connects to the daemon at path and greets it; the end of ctx ends the talk.
// ErrNone where nobody listens.
func open(ctx context.Context, path string) (*talk, error) {
	d := net.Dialer{Timeout: Patience}
	c, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		return nil, fmt.Errorf("connect to the control socket: %w", err)
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		_ = c.Close()
		return nil, fmt.Errorf("%w: it is no unix socket", ErrUnsafe)
	}
	t := &talk{conn: conn, heard: func(message) {}}
	t.unbind = context.AfterFunc(ctx, func() { _ = conn.Close() })
	if err := t.begin(ctx); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *talk) close() {
	t.unbind()
	_ = t.conn.Close()
}

// version is what the daemon is told of us, and writes into its own logs.
const version = "1"

// begin checks who is there, upgrades the connection and says hello.
func (t *talk) begin(ctx context.Context) error {
	own, err := proc.OwnPeer(t.conn)
	if err != nil {
		return err
	}
	if !own {
		return fmt.Errorf("%w: another user's program answers", ErrUnsafe)
	}
	if err := t.within(ctx, "greet", t.upgrade); err != nil {
		return err
	}
	hello := map[string]any{
		"clientInfo":   map[string]string{"name": "offstage", "title": "Offstage", "version": version},
		"capabilities": map[string]bool{"experimentalApi": true},
	}
	if err := t.ask(ctx, greet, hello, nil); err != nil {
		return err
	}
	return t.within(ctx, "greet", func() error { return t.send(greeted, struct{}{}, 0) })
}

// within runs a part of the talk, no longer than Patience: then the connection is
// closed under it.
func (t *talk) within(ctx context.Context, what string, part func() error) error {
	limit, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	defer context.AfterFunc(limit, func() {
		if errors.Is(limit.Err(), context.DeadlineExceeded) {
			_ = t.conn.Close()
		}
	})()
	return explain(limit, what, part())
}

// send writes one message; id 0 is a notification.
func (t *talk) send(method string, params any, id int) error {
	if !methods[method] {
		return fmt.Errorf("the word %s is not said to Codex", method)
	}
	out := map[string]any{"method": method, "params": params}
	if id > 0 {
		out["id"] = id
	}
	b, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("write a message: %w", err)
	}
	return t.write(opText, b)
}

// ask calls a method and waits for its answer, no longer than Patience. News that
// come before it go to heard; questions of the daemon are left unanswered.
func (t *talk) ask(ctx context.Context, method string, params, into any) error {
	return t.within(ctx, "ask "+method, func() error {
		t.next++
		if err := t.send(method, params, t.next); err != nil {
			return err
		}
		answer, err := t.answer(strconv.Itoa(t.next))
		switch {
		case err != nil:
			return err
		case answer.Error != nil:
			return answer.Error
		case into != nil && json.Unmarshal(answer.Result, into) != nil:
			return errFrame
		}
		return nil
	})
}

// answer is the one to the question with an id.
func (t *talk) answer(id string) (message, error) {
	for {
		m, err := t.message()
		switch {
		case err != nil:
			return m, err
		case m.Method == "" && string(m.ID) == id:
			return m, nil
		case m.news():
			t.heard(m)
		}
	}
}

// message is the next message.
func (t *talk) message() (message, error) {
	b, err := t.text()
	if err != nil {
		return message{}, err
	}
	var m message
	if json.Unmarshal(b, &m) != nil {
		return message{}, errFrame
	}
	return m, nil
}

// errSilent: no answer came in time.
var errSilent = errors.New("it gives no answer")

// explain says what went wrong: a connection that we closed ourselves did not
// answer in time.
func explain(ctx context.Context, what string, err error) error {
	var no *Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &no):
		return fmt.Errorf("%s: %w", what, err)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", what, errSilent)
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", what, ctx.Err())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNRESET):
		return fmt.Errorf("%s: it ended the talk in the middle", what)
	}
	return fmt.Errorf("%s: %w", what, err)
}
