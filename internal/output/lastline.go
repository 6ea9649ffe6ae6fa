package output

import (
	"context"
	"strings"

	"offstage/internal/tail"
	"offstage/task"
)

// lastSpan is how much of the end of a file is played for its last line.
const lastSpan = 8 << 10

// lastText is the last row that says something, masked; the agent's end mark
// does not count. "" where the end of the file says nothing.
func (l *Log) lastText(ctx context.Context, f *tail.File) (string, error) {
	s, k := newSource(f), look{dec: l.o.Decoder, secrets: l.secrets}
	k.enc = s.enc
	size := f.Size()
	if k.dec == nil {
		s.mark = endOf(f, size).at
	}
	span := int64(lastSpan)
	if k.dec != nil {
		span = 256 << 10 // records of a transcript are long
	}
	from := max(size-span, 0)
	start, inside, err := s.begin(ctx, from)
	if err != nil {
		return "", err
	}
	if inside {
		if start, err = s.resume(ctx, start, from, size); err != nil {
			return "", err
		}
	}
	p := newPlayer(s, k, start, 0)
	if err := p.to(ctx, size); err != nil {
		return "", err
	}
	rows := append(p.take(), p.r.live(!l.running.Load())...)
	for i := len(rows) - 1; i >= 0; i-- {
		if text := says(&rows[i]); text != "" && endMark(text) == "" {
			return text, nil
		}
	}
	return "", nil
}

// says is a row's text if it is output and not blank.
func says(r *task.Line) string {
	if r.Mark != task.NoMark {
		return ""
	}
	return strings.TrimSpace(r.Text)
}

// maskText hides what is secret in a name that leaves outside of a row.
func maskText(s string) string { return Mask(s) }
