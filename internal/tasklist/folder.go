package tasklist

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"offstage/task"
)

// maxFile bounds one entry's file; the real ones are a few hundred bytes.
const maxFile = 1 << 20

// ReadFolder reads the list as Claude Code keeps it on disk, one N.json an
// entry. The folder shows only what is open now (deleted entries and finished
// lists are removed), so a replay is preferred wherever there is one. A file
// that cannot be read is counted as skipped; a missing folder is an empty list.
func ReadFolder(dir string) task.Plan {
	var p task.Plan
	names, err := os.ReadDir(dir)
	if err != nil {
		return p
	}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".json") || !n.Type().IsRegular() || len(p.Entries) >= maxEntries {
			continue
		}
		e, ok := readEntry(filepath.Join(dir, n.Name()))
		if !ok {
			p.Skipped++
			continue
		}
		p.Entries = append(p.Entries, e)
		p.Native = true
	}
	sortEntries(p.Entries)
	return p
}

func readEntry(path string) (task.Entry, bool) {
	f, err := os.Open(path)
	if err != nil {
		return task.Entry{}, false
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return task.Entry{}, false
	}
	var v struct {
		ID          ident    `json:"id"`
		Subject     string   `json:"subject"`
		Description string   `json:"description"`
		ActiveForm  string   `json:"activeForm"`
		Owner       string   `json:"owner"`
		Status      string   `json:"status"`
		Blocks      []string `json:"blocks"`
		BlockedBy   []string `json:"blockedBy"`
	}
	if json.Unmarshal(b, &v) != nil || v.ID == "" {
		return task.Entry{}, false
	}
	st, ok := Status(v.Status)
	return task.Entry{ID: string(v.ID), Subject: v.Subject, Description: v.Description, ActiveForm: v.ActiveForm,
		Owner: v.Owner, Status: st, Blocks: v.Blocks, BlockedBy: v.BlockedBy}, ok
}
