//go:build unix

package runner

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/taskdir"
	"offstage/task"
)

// Bounds of the control socket.
const (
	maxCallers  = 16
	maxAsk      = 64 << 10
	askPatience = 2 * time.Second
	// maxText is how much can be answered at once: a terminal in line mode takes
	// 4,095 bytes a line.
	maxText = 4000
)

// request is one caller's question and the ways back: back has room for the last
// word always, steps loses what is not heard in time.
type request struct {
	ask
	back, steps chan reply
	// sent is closed when the last word was written, or nobody wants it.
	sent chan struct{}
}

// last answers for good.
func (s *supervisor) last(r request, a reply) {
	a.Version, a.Done = wireVersion, true
	r.back <- a
	s.answered = r.sent
}

// flush lets the last answer of all get out before we end.
func (s *supervisor) flush() {
	if s.answered == nil {
		return
	}
	select {
	case <-s.answered:
	case <-time.After(askPatience):
	}
}

// listenFor opens the control socket.
func (s *supervisor) listenFor() error {
	path, err := taskdir.ControlPath(s.dir, os.Getenv("XDG_RUNTIME_DIR"), os.TempDir())
	if err != nil {
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		if fsys.NoSpace(err) {
			return stateError(string(s.dir), err)
		}
		return fmt.Errorf("listen on %s: %w", path, err)
	}
	_ = os.Chmod(path, 0o600) // the folder keeps others out
	s.listener = l
	go s.accept()
	return nil
}

// accept serves a bounded number of callers at once, until the socket closes.
func (s *supervisor) accept() {
	slots := make(chan struct{}, maxCallers)
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		select {
		case slots <- struct{}{}:
			go func() {
				defer func() { <-slots }()
				s.talk(c)
			}()
		default:
			_ = c.Close()
		}
	}
}

// talk reads one question and writes what comes back.
func (s *supervisor) talk(c net.Conn) {
	defer func() { _ = c.Close() }()
	_ = c.SetReadDeadline(s.w.Now().Add(askPatience))
	line, err := bufio.NewReaderSize(c, maxAsk).ReadSlice('\n')
	if err != nil {
		return
	}
	r := request{back: make(chan reply, 1), steps: make(chan reply, 8), sent: make(chan struct{})}
	if json.Unmarshal(line, &r.ask) != nil || r.Version < 1 {
		_ = s.reply(c, reply{Version: wireVersion, Done: true, Refused: "This is no question of Offstage's."})
		return
	}
	if r.Do == doStop { // it is heard, though the loop may be waiting for a disk
		_ = s.reply(c, reply{Version: wireVersion, Step: "Stopping"})
	}
	s.requests <- r
	defer close(r.sent)
	for {
		select {
		case a := <-r.back:
			_ = s.reply(c, a)
			return
		case a := <-r.steps:
			if !s.reply(c, a) {
				return // the stop goes on without its caller
			}
		}
	}
}

// reply is false when the caller has gone.
func (s *supervisor) reply(c net.Conn, a reply) bool {
	b, err := json.Marshal(a)
	if err != nil {
		return false
	}
	_ = c.SetWriteDeadline(s.w.Now().Add(askPatience))
	_, err = c.Write(append(b, '\n'))
	return err == nil
}

// serve answers a question; a stop is answered when it is over.
func (s *supervisor) serve(r request) {
	switch r.Do {
	case doStatus:
		s.last(r, reply{State: s.state()})
	case doTurn:
		s.turn()
		_ = s.dir.WriteStarted(s.started) // for the row; the clock is here
		s.last(r, reply{State: s.state()})
	case doStop:
		s.waiters = append(s.waiters, r)
		s.beginStop(taskdir.Cancelled, r.ask)
	case doAnswer:
		s.last(r, reply{Refused: s.answer(r.Text)})
	case doFreeze:
		s.freeze()
		s.last(r, reply{State: s.state(), Refused: s.say(s.dir.WriteGuard(s.watch.state))})
	case doThaw:
		s.last(r, reply{Refused: s.say(s.thaw()), State: s.state()})
	case doTrim:
		s.last(r, reply{Refused: s.say(s.trim()), State: s.state()})
	default:
		s.last(r, reply{Refused: "The task was started by a version of Offstage that cannot do this: end it and start it again."})
	}
}

// say is an error as a sentence, "" for none.
func (s *supervisor) say(err error) string {
	if err == nil {
		return ""
	}
	return "It did not work: " + cause(err) + "."
}

// answer types a line; the answer is why not, or "".
func (s *supervisor) answer(text string) string {
	switch {
	case s.exit != nil:
		return "The task has ended."
	case s.term == nil:
		return "The task has no terminal to be answered on: start it with --tty."
	case len(text) > maxText:
		return fmt.Sprintf("The answer is too long: at most %d bytes fit into a line.", maxText)
	}
	if s.term.answer(text) != nil {
		return "The task does not read what is typed: its terminal takes no more."
	}
	return ""
}

func (s *supervisor) state() *State {
	st := &State{Status: task.Running, PID: s.started.Child.PID, Stopping: s.stop != nil, Frozen: !s.watch.state.FrozenAt.IsZero(),
		TTY: s.term != nil, EndsAt: s.endsAt, Guard: s.watch.state, Scope: s.started.Scope}
	if s.exit != nil {
		st.Status = s.exit.Status()
	}
	st.Bytes, st.OnDisk = s.sizes()
	return st
}
