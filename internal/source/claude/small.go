package claude

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"

	"offstage/internal/fsys"
)

// maxMeta bounds the small JSON files beside transcripts; a workflow's run
// record may hold long results.
const maxMeta = 8 << 20

func statFile(path string) (fs.FileInfo, error) { return os.Stat(path) }

// readJSON reads a small file that its writer may be replacing: what does not
// parse is simply not there yet.
func readJSON(path string, into any) (fs.FileInfo, bool) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		return nil, false
	}
	b, err := io.ReadAll(io.LimitReader(f, maxMeta))
	if err != nil || !json.Valid(b) || !lenient(b, into) {
		return nil, false
	}
	return st, true
}

// tell notes a trouble of this scan, each text once.
func (s *Source) tell(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, t := range s.troubles {
		if t == text {
			return
		}
	}
	if len(s.troubles) < 20 {
		s.troubles = append(s.troubles, text)
	}
}
