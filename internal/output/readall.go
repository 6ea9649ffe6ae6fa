package output

import (
	"context"
	"errors"
	"io"
	"math"

	"offstage/internal/tail"
	"offstage/internal/world"
	"offstage/task"
)

// ReadOptions of ReadAll and ReadFrom.
type ReadOptions struct {
	// Width and Height of the terminal that the log was written for, 0 if unknown.
	Width, Height int
	// NoFold leaves equal neighbours as they are.
	NoFold bool
	// Redact masks secrets; without it rows leave as they are in the file.
	Redact bool
	// Decoder turns records into rows; nil for plain output.
	Decoder task.Decoder
	// Within is the folder in which the target of a link must lie.
	Within string
}

func (o ReadOptions) look() look {
	k := look{dec: o.Decoder, width: o.Width, height: o.Height, bare: !o.Redact}
	if o.Redact {
		k.secrets = NewSecrets()
	}
	return k
}

// ReadAll gives every row of the file at path to fn, in order and in bounded
// memory, each with the number of the line where it starts. The file is read to
// the end that it has when it is reached. An error of fn ends it and comes back.
func ReadAll(ctx context.Context, w *world.World, path string, o ReadOptions, fn func(task.Line) error) error {
	f, err := tail.Open(w, path, tail.Options{Within: o.Within})
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	p := newPlayer(newSource(f), o.look(), 0, 1)
	out := folder{fn: fn, keep: o.NoFold}
	for !p.eof {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.step(math.MaxInt64); err != nil {
			return err
		}
		if err := out.rows(p.take()); err != nil {
			return err
		}
	}
	if err := out.rows(p.r.flush(p.pos)); err != nil {
		return err
	}
	return out.flush()
}

// ReadFrom is ReadAll for bytes that come through a pipe.
func ReadFrom(ctx context.Context, in io.Reader, o ReadOptions, fn func(task.Line) error) error {
	buf := make([]byte, chunk)
	n, err := io.ReadAtLeast(in, buf, 4)
	k := o.look()
	var head int64
	k.enc, head = sniff(buf[:n])
	r := newRenderer(k, 1)
	out := folder{fn: fn, keep: o.NoFold}
	b, at := buf[head:n], head
	for {
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		r.write(b, at)
		at += int64(len(b))
		if ferr := out.rows(r.settled()); ferr != nil {
			return ferr
		}
		if err != nil {
			break
		}
		n, err = in.Read(buf)
		b = buf[:n]
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if err := out.rows(r.flush(at)); err != nil {
		return err
	}
	return out.flush()
}

// folder passes rows on, equal neighbours as one.
type folder struct {
	fn   func(task.Line) error
	keep bool
	held []task.Line // at most one
}

func (f *folder) rows(rows []task.Line) error {
	for _, r := range rows {
		if f.keep {
			if err := f.fn(r); err != nil {
				return err
			}
			continue
		}
		if f.held = pushFolded(f.held, r); len(f.held) < 2 {
			continue
		}
		if err := f.fn(f.held[0]); err != nil {
			return err
		}
		f.held = append(f.held[:0], f.held[1])
	}
	return nil
}

func (f *folder) flush() error {
	if len(f.held) == 0 {
		return nil
	}
	last := f.held[0]
	f.held = nil
	return f.fn(last)
}
