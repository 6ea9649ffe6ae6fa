package codex

import (
	"context"
	"errors"
	"io"
	"strings"

	"offstage/internal/source/codex/control"
	"offstage/internal/source/trace"
	"offstage/internal/world"
)

// channel is how the daemon is asked about one running command. It implements
// task.Channel.
type channel struct {
	w        *world.World
	recorded string // the folder of Codex
	thread   string
	rel      string // the thread's rollout, "" where there is none
	output   Output // what it says of the command
}

func (h channel) daemon() control.Daemon { return control.Daemon{Home: h.w.Path(h.recorded)} }

// maxBefore bounds what is given of the time before anybody listened: its end.
const maxBefore = 4 << 20

// Before is what the model was given of the command's output.
func (h channel) Before(ctx context.Context) []byte {
	f, err := trace.OpenFolder(h.w, h.recorded)
	if err != nil || h.rel == "" {
		return nil
	}
	defer f.Close()
	if st, ok := f.Holds(h.rel); !ok || st.Size() > longRollout {
		return nil
	}
	var out strings.Builder
	var lines trace.Lines
	lines.Read(f, h.rel, longRollout, func() {}, func(line []byte, _ int64) {
		if ctx.Err() != nil || out.Len() > maxBefore || !h.output.about(line) {
			return
		}
		var x record
		if trace.Decode(line, &x) {
			out.WriteString(h.output.given(x.Payload))
		}
	})
	return []byte(out.String())
}

// printed is the command's own text in what a call gave.
func printed(text string) string {
	return text[min(len(text), len(preamble(text))+len("\nOutput:\n")):]
}

// Listen writes what the command prints until it ends.
func (h channel) Listen(ctx context.Context, w io.Writer) error {
	err := h.daemon().Listen(ctx, h.thread, h.output.ID, w)
	if errors.Is(err, control.ErrGone) {
		return nil
	}
	return err
}

// End has the daemon kill the command; one that it does not have has ended.
func (h channel) End(ctx context.Context) error {
	err := h.daemon().End(ctx, h.thread, h.output.ID)
	if errors.Is(err, control.ErrGone) {
		return nil
	}
	return err
}
