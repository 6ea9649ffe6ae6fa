package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"offstage/internal/world"
	"offstage/task"
)

// childEnv makes this test binary, started again, do one job alone, so that its
// processor time can be told from the test's own.
const childEnv = "OUTPUT_TEST_CHILD"

func TestMain(m *testing.M) {
	job := os.Getenv(childEnv)
	if job == "" {
		os.Exit(m.Run())
	}
	if err := childJob(job, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is a running job; it ends when its input does.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out bytes.Buffer
}

func startChild(b *testing.B, job, path string) *child {
	b.Helper()
	c := &child{cmd: exec.Command(os.Args[0], path)}
	c.cmd.Env = append(os.Environ(), childEnv+"="+job)
	c.cmd.Stdout, c.cmd.Stderr = &c.out, os.Stderr
	var err error
	c.in, err = c.cmd.StdinPipe()
	must(b, err)
	must(b, c.cmd.Start())
	return c
}

// end gives the processor time that the job took and what it printed.
func (c *child) end(b *testing.B) (time.Duration, string) {
	b.Helper()
	must(b, c.in.Close())
	must(b, c.cmd.Wait())
	st := c.cmd.ProcessState
	return st.UserTime() + st.SystemTime(), c.out.String()
}

func childJob(job, path string) error {
	w, err := world.New(world.Options{})
	if err != nil {
		return err
	}
	n := 1
	if job == "idle" {
		n = 20
	}
	var ls []*Log
	for range n {
		l, err := Open(w, task.OutputRef{Path: path}, Options{Running: true})
		if err != nil {
			return err
		}
		ls = append(ls, l)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	if job == "follow" {
		go func() { done <- readOn(ctx, ls[0], path) }()
	} else {
		done <- nil
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	cancel()
	for _, l := range ls {
		err = errors.Join(err, l.Close())
	}
	return errors.Join(err, <-done)
}

// readOn asks for the newest rows at each news, as a console does.
func readOn(ctx context.Context, l *Log, path string) error {
	pages, lag := 0, int64(0)
	for {
		p, err := l.Page(ctx, task.PageRequest{Tail: true, Before: 2000})
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		pages++
		if st, err := os.Stat(path); err == nil {
			lag = max(lag, st.Size()-p.End)
		}
		if l.Changed(ctx, p.Facts.Rev) != nil {
			break
		}
	}
	fmt.Println(pages, float64(lag)/1e6)
	return nil
}
