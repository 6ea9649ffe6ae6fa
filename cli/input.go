package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// openInput opens the file that a filter reads; "-" and "" are standard input.
// Only a regular file is opened: one sentence says what else was found.
// Reading ends with ctx, also where it waits for somebody to write.
func (a *app) openInput(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "" || name == "-" {
		return io.NopCloser(newWaited(ctx, a.in)), nil
	}
	path := a.w.Path(name)
	if a.root == "" {
		path = name
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s does not exist: give a log file, or - for standard input", name)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, errors.Unwrap(err))
	case st.IsDir():
		return nil, fmt.Errorf("%s is a folder: give a log file (offstage --files %s shows a whole folder)", name, name)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: give a log file, or pipe it in with -", name)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, errors.Unwrap(err))
	}
	return struct {
		io.Reader
		io.Closer
	}{untilDone{ctx, f}, f}, nil
}
