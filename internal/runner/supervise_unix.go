//go:build unix

package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/internal/taskdir"
	"offstage/internal/world"
)

// SuperviseOptions are what main hands in.
type SuperviseOptions struct {
	// Ended is told how the task ended, after that stands in its folder: for the
	// ledger and for notices. It has endedPatience.
	Ended func(End)
	// Step, in tests, is told before each step of the order of records.
	Step func(name string)
}

// End is what is told of an end.
type End struct {
	Dir    taskdir.Dir
	Record taskdir.Record
	Exit   taskdir.Exit
}

// endedPatience bounds what is done about an end outside of the task's folder.
const endedPatience = 30 * time.Second

// supervisor is one of them; all its state belongs to the loop's goroutine,
// which is also the only one that waits for children.
type supervisor struct {
	w       *world.World
	o       SuperviseOptions
	dir     taskdir.Dir
	rec     taskdir.Record
	started taskdir.Started
	reap    reaper
	term    *terminal
	watch   sizeWatch
	awake   *awake

	listener net.Listener
	requests chan request
	told     chan os.Signal
	timeout  *time.Timer
	endsAt   time.Time

	stop    *stopping
	stopped chan stopDone
	exit    *taskdir.Exit
	settle  *time.Timer
	undo    *undoing
	waiters []request
	steps   chan reply
	// answered is the sent of the last request that was answered.
	answered chan struct{}
	written  bool
	// shutdown: a scheduled run was told to end and has a while left.
	shutdown bool
	over     bool
}

// Supervise is the hidden verb: it runs until the task in the folder at path and
// what it left behind have ended. The answer is an exit code that nobody reads.
func Supervise(w *world.World, path string, o SuperviseOptions) int {
	if o.Step == nil {
		o.Step = func(string) {}
	}
	d := taskdir.Dir(path)
	tell, ahead := os.NewFile(tellFD, "tell"), os.NewFile(goFD, "go")
	if os.Getenv(taskdir.SupervisorVar) != d.ID() || !taskdir.ValidID(d.ID()) || tell == nil || ahead == nil {
		_, _ = fmt.Fprintln(os.Stderr, "offstage: this verb is for the program itself: use `offstage run -- COMMAND`")
		return 2
	}
	syscall.CloseOnExec(tellFD)
	syscall.CloseOnExec(goFD)
	s := &supervisor{w: w, o: o, dir: d, requests: make(chan request), told: make(chan os.Signal, 1), stopped: make(chan stopDone, 1), steps: make(chan reply, 16),
		timeout: idleTimer(), settle: idleTimer()}
	if err := s.begin(tell, ahead); err != nil {
		s.fail(tell, err)
		return 1
	}
	_ = tell.Close()
	s.loop()
	s.flush()
	_ = s.listener.Close()
	return 0
}

// idleTimer is a timer that waits for its Reset.
func idleTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// begin goes through the order of records up to the running command.
func (s *supervisor) begin(tell, ahead *os.File) error {
	_, _ = syscall.Setsid() // fails only where it leads a session already
	s.reap.listen()
	signal.Notify(s.told, syscall.SIGTERM)
	// Heard and dropped. Being heard, they have their usual meaning again in the
	// command: sh starts its background jobs with INT and QUIT ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP)
	if err := adopt(); err != nil {
		return fmt.Errorf("become the parent of what leaves the task: %w", err)
	}
	words := bufio.NewReaderSize(ahead, 512)
	ready := s.ready(ahead, words)
	var err error
	if s.rec, err = taskdir.ReadRecord(s.dir); err != nil {
		return fmt.Errorf("read what is to be started: %w", err)
	}
	if !ready {
		return errors.New("who asked for it ended before it could be started: start it again")
	}
	if err := s.listenFor(); err != nil {
		return err
	}
	s.o.Step("before the supervisor's record")
	if err := s.introduce(); err != nil {
		return err
	}
	say(tell, told{Here: os.Getpid()})
	s.enter(ahead, words)
	s.o.Step("before the command")
	if err := s.startCommand(); err != nil {
		return err
	}
	s.o.Step("before the command's record")
	_ = s.dir.WriteStarted(s.started) // on a disk that has just filled up the mark still finds it
	s.o.Step("before the starter is told")
	say(tell, told{PID: s.started.Child.PID, At: s.started.At})
	go func() {
		_ = s.dir.Settle() // what a power cut takes is said by the reader
		beSmall(s.w)
	}()
	return nil
}

// introduce writes who supervises.
func (s *supervisor) introduce() error {
	me, err := proc.Identify(os.Getpid())
	if err != nil {
		return fmt.Errorf("find our own start time: %w", err)
	}
	m := proc.MachineOf(s.w)
	s.started = taskdir.Started{
		Boot: m.Boot, Namespace: m.Namespace, Supervisor: taskdir.Process{PID: me.PID, Start: me.Start},
		At: s.w.Now().UTC(), Control: s.listener.Addr().String(),
	}
	if err := s.dir.WriteStarted(s.started); err != nil {
		return stateError(string(s.dir), err)
	}
	return nil
}

// ready waits until the ledger was told; false where the starter ended before
// that.
func (s *supervisor) ready(ahead *os.File, words *bufio.Reader) bool {
	_ = ahead.SetReadDeadline(s.w.Now().Add(readyPatience))
	line, err := words.ReadBytes('\n')
	var word goAhead
	return err == nil && json.Unmarshal(line, &word) == nil && word.Ready
}

// readyPatience covers a ledger that others hold locked.
const readyPatience = time.Minute

// goPatience is how long the starter may take to place us; when it dies we go
// ahead at once, for its end of the pipe closes.
const goPatience = time.Second

// enter waits for the word to go, and learns in which scope we are.
func (s *supervisor) enter(ahead *os.File, words *bufio.Reader) {
	defer func() { _ = ahead.Close() }()
	_ = ahead.SetReadDeadline(s.w.Now().Add(goPatience))
	line, err := words.ReadBytes('\n')
	var word goAhead
	if err == nil && json.Unmarshal(line, &word) != nil {
		word = goAhead{}
	}
	for try := 0; word.Scope != "" && try < 20; try++ { // the move is a job of systemd's, done in milliseconds
		if strings.HasSuffix(proc.ControlGroup(s.w, os.Getpid()), "/"+word.Scope) {
			s.started.Scope = word.Scope
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.started.Login = loginScope(proc.ControlGroup(s.w, os.Getpid()))
}

// loginScope is the part of a control group's path that a login owns.
func loginScope(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(part, "session-") && strings.HasSuffix(part, ".scope") {
			return part
		}
	}
	return ""
}

func say(to *os.File, t told) {
	if b, err := json.Marshal(t); err == nil {
		_, _ = to.Write(append(b, '\n')) // a starter that died needs no word
	}
}

// fail tells the starter and the folder that nothing could be started. A folder
// without a record is that of no task: nothing is put into it.
func (s *supervisor) fail(tell *os.File, err error) {
	if s.listener != nil {
		_ = s.listener.Close()
	}
	var werr error
	if s.rec.ID != "" {
		e := taskdir.Exit{Reason: taskdir.FailedToStart, Error: err.Error(), Ended: s.w.Now().UTC()}
		if werr = s.dir.WriteExit(e); werr == nil {
			s.tellEnded(e)
		}
	}
	t := told{Error: err.Error()}
	for kind, is := range kinds {
		if errors.Is(err, is) {
			t.Kind = kind
		}
	}
	if fsys.NoSpace(werr) {
		t.Kind = "full"
	}
	say(tell, t)
}

// tellEnded hands the end on, for a bounded time.
func (s *supervisor) tellEnded(e taskdir.Exit) {
	if s.o.Ended == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.o.Ended(End{Dir: s.dir, Record: s.rec, Exit: e})
	}()
	select {
	case <-done:
	case <-time.After(endedPatience):
	}
}
