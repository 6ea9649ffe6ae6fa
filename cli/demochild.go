package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// demoChildCommand is the hidden verb that the commands of a demo run: small
// programs that behave as the tools of a project do.
func (a *app) demoChildCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "demo-child NAME",
		Hidden: true,
		Args:   args(1, 1),
		// The panel has said what is wrong with the settings: their text is none of
		// a task's output.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, argv []string) error {
			play, ok := demoPlays[argv[0]]
			if !ok {
				return usage("there is no part %q in the demo", argv[0])
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, os.Interrupt)
			defer stop()
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			go orphaned(a.in, cancel)
			code := play(stage{ctx, a.out})
			if code != 0 {
				return exitError(code)
			}
			return nil
		},
	}
}

// exitError ends the program with a code and no words.
type exitError int

func (e exitError) Error() string { return "" }

// orphaned ends a child when the demo that started it is gone: its end of the
// pipe closes.
func orphaned(in io.Reader, cancel func()) {
	if os.Getenv("OFFSTAGE_DEMO_CHILD") == "" {
		return
	}
	_, _ = io.Copy(io.Discard, in)
	cancel()
}

// stage is where a child plays: until its context ends.
type stage struct {
	ctx context.Context
	out io.Writer
}

// say prints a line and pauses; false when the play is over.
func (s stage) say(pause time.Duration, format string, args ...any) bool {
	_, err := fmt.Fprintf(s.out, format, args...)
	return err == nil && s.sleep(pause)
}

func (s stage) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.ctx.Done():
		return false
	}
}

const (
	second = time.Second
	beat   = 120 * time.Millisecond
)

// stopped is the code of a program that ended because it was told to.
const stopped = 143

var demoPlays = map[string]func(stage) int{
	"server": playServer, "tests": playTests, "build": playBuild, "seed": playSeed,
	"migrate": playMigrate, "watch": playWatch, "types": playTypes, "lint": playLint,
}

// playServer listens on a free port of this machine for real, so that there is
// a port to see and to free, and logs a request now and then.
func playServer(s stage) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		_, _ = fmt.Fprintln(s.out, "cannot listen:", err)
		return 1
	}
	srv := &http.Server{ReadHeaderTimeout: second, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "Hello from the demo.\n")
	})}
	go func() { _ = srv.Serve(l) }()
	defer func() { _ = srv.Close() }()
	ok := s.say(beat, "\n  \x1b[32m\x1b[1mVITE\x1b[22m v7.1.0\x1b[39m  ready in \x1b[1m212\x1b[22m ms\n\n") &&
		s.say(beat, "  \x1b[32m➜\x1b[39m  \x1b[1mLocal\x1b[22m:   \x1b[36mhttp://%s/\x1b[39m\n\n", l.Addr())
	for n := 0; ok; n++ {
		ok = s.say(3*second, "\x1b[2m%s\x1b[22m GET /api/cart/%d \x1b[32m200\x1b[39m %d ms  authorization: Bearer %s\n", time.Now().Format("15:04:05"), 40+n, 3+n%9, secret())
	}
	return stopped
}

// secret is a new one each time, so that nothing real stands anywhere.
func secret() string {
	b := make([]byte, 24)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// playTests prints what vitest prints, one failure in it.
func playTests(s stage) int {
	names := []string{"auth", "user", "session", "price", "tax", "cart", "order", "mail", "search", "export"}
	ok := s.say(second, "\n\x1b[7m\x1b[1m\x1b[36m RUN \x1b[39m\x1b[22m\x1b[27m \x1b[36mv3.2.4 \x1b[39m\x1b[90m/srv/shop\x1b[39m\n\n")
	for round := 0; ok && round < 4; round++ {
		for i, n := range names {
			tests := 4 + (i*7+round*3)%11
			if n == "cart" && round == 1 {
				ok = ok && s.say(beat, " \x1b[31m❯\x1b[39m src/%s.%d.test.ts \x1b[2m(\x1b[22m\x1b[2m%d tests\x1b[22m\x1b[2m | \x1b[22m\x1b[31m1 failed\x1b[39m\x1b[2m)\x1b[22m\x1b[32m 31\x1b[2mms\x1b[22m\x1b[39m\n   \x1b[31m×\x1b[31m totals > keeps the cents\x1b[39m\x1b[32m 4\x1b[2mms\x1b[22m\x1b[39m\n", n, round, tests)
				continue
			}
			ok = ok && s.say(700*time.Millisecond, " \x1b[32m✓\x1b[39m src/%s.%d.test.ts \x1b[2m(\x1b[22m\x1b[2m%d tests\x1b[22m\x1b[2m)\x1b[22m\x1b[32m %d\x1b[2mms\x1b[22m\x1b[39m\n", n, round, tests, 5+i*3)
		}
	}
	if !ok {
		return stopped
	}
	_ = s.say(0, "\n\x1b[31m⎯⎯⎯⎯⎯⎯⎯\x1b[39m\x1b[1m\x1b[41m Failed Tests 1 \x1b[49m\x1b[22m\x1b[31m⎯⎯⎯⎯⎯⎯⎯\x1b[39m\n\n\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m src/cart.1.test.ts\x1b[2m > \x1b[22mtotals\x1b[2m > \x1b[22mkeeps the cents\n\x1b[31m\x1b[1mAssertionError\x1b[22m: expected 41 to be 42\x1b[39m\n \x1b[36m❯\x1b[39m src/cart.1.test.ts:\x1b[2m88:21\x1b[22m\x1b[39m\n\n")
	_ = s.say(0, "\x1b[2m Test Files \x1b[22m \x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m\x1b[2m | \x1b[22m\x1b[1m\x1b[32m39 passed\x1b[39m\x1b[22m\x1b[90m (40)\x1b[39m\n\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m\x1b[2m | \x1b[22m\x1b[1m\x1b[32m%d passed\x1b[39m\x1b[22m\x1b[90m (%d)\x1b[39m\n\x1b[2m   Duration \x1b[22m 28.41s\n", demoTests()-1, demoTests())
	return 1
}

func demoTests() int {
	n := 0
	for round := range 4 {
		for i := range 10 {
			n += 4 + (i*7+round*3)%11
		}
	}
	return n
}

// playBuild draws a bar over itself, again and again.
func playBuild(s stage) int {
	for round := 1; ; round++ {
		for p := 0; p <= 100; p += 2 {
			bar := ""
			for i := range 25 {
				if i*4 < p {
					bar += "█"
				} else {
					bar += "░"
				}
			}
			if !s.say(beat, "\rtransforming (%d) %s %d%%", 11*p, bar, p) {
				return stopped
			}
		}
		if !s.say(8*second, "\r\x1b[K\x1b[32m✓\x1b[39m built in 6.%02ds  (build %d, watching)\n", round%100, round) {
			return stopped
		}
	}
}

// playSeed writes steadily, but is run through tail, which holds it all.
func playSeed(s stage) int {
	for n := 1; n <= 2000; n++ {
		if !s.say(300*time.Millisecond, "inserted order %d\n", n) {
			return stopped
		}
	}
	return 0
}

// playMigrate asks a question and waits for an answer that nobody gives.
func playMigrate(s stage) int {
	ok := s.say(second, "Found 14 pending migrations\n") && s.say(second, "Column users.email_old will be dropped\n")
	if !ok || !s.say(24*time.Hour, "Do you want to continue? (y/N) ") {
		return stopped
	}
	return 0
}

// playWatch prints events, most of them the same.
func playWatch(s stage) int {
	for n := 0; ; n++ {
		line := "error.log: connection reset by peer"
		if n%9 == 8 {
			line = "error.log: retry 3 of 5 gave up"
		}
		if !s.say(2*second, "%s\n", line) {
			return stopped
		}
	}
}

func playTypes(s stage) int {
	if !s.say(2*second, "\x1b[96msrc/order.ts\x1b[0m:\x1b[93m12\x1b[0m:\x1b[93m7\x1b[0m - \x1b[91merror\x1b[0m\x1b[90m TS2322: \x1b[0mType 'string' is not assignable to type 'number'.\n\n") {
		return stopped
	}
	_ = s.say(0, "Found 1 error in src/order.ts\x1b[90m:12\x1b[0m\n")
	return 2
}

func playLint(s stage) int {
	if !s.say(3*second, "Checked 214 files in 1.8s.\n") {
		return stopped
	}
	_ = s.say(0, "No problems found.\n")
	return 0
}
