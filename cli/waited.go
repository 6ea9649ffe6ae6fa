package cli

import (
	"context"
	"errors"
	"io"
)

// untilDone reads until ctx ends. Its reads do not wait: a regular file answers.
type untilDone struct {
	ctx context.Context
	io.Reader
}

func (r untilDone) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return r.Reader.Read(b)
}

// errInterrupted: the person ended the program before its input did.
var errInterrupted = errors.New("interrupted")

// waited reads an input that may keep its reader waiting, so that an interrupt
// is heard meanwhile. One goroutine reads, one piece ahead; it ends with its
// input or with the program.
type waited struct {
	ctx    context.Context
	pieces chan piece
	rest   piece
}

type piece struct {
	b   []byte
	err error
}

func newWaited(ctx context.Context, in io.Reader) *waited {
	w := &waited{ctx: ctx, pieces: make(chan piece)}
	go func() {
		for {
			b := make([]byte, 64<<10)
			n, err := in.Read(b)
			select {
			case w.pieces <- piece{b[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return w
}

func (w *waited) Read(b []byte) (int, error) {
	if len(w.rest.b) == 0 && w.rest.err == nil {
		select {
		case w.rest = <-w.pieces:
		case <-w.ctx.Done():
			return 0, errInterrupted
		}
	}
	n := copy(b, w.rest.b)
	w.rest.b = w.rest.b[n:]
	if len(w.rest.b) == 0 {
		return n, w.rest.err
	}
	return n, nil
}
