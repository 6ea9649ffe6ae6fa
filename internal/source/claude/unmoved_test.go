package claude

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnmovedMissesNothing is W4: of every line of every recording that makes an
// event of a task, Unmoved says that something moved (a plan and an agent's words are
// in no pill); and most other lines cost no look.
func TestUnmovedMissesNothing(t *testing.T) {
	s, lines, events, looks := &Source{}, 0, 0, 0
	err := filepath.WalkDir("testdata/recordings", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		id := strings.TrimPrefix(strings.TrimSuffix(e.Name(), ".jsonl"), "agent-")
		x, open := newExtract(id, strings.HasPrefix(e.Name(), "agent-")), calls{}
		in := bufio.NewReaderSize(f, 1<<20)
		for off := int64(0); ; lines++ {
			line, err := in.ReadBytes('\n')
			if len(line) == 0 || err != nil {
				return nil
			}
			before, ended := len(x.events), x.turn.value.over
			x.line(line[:len(line)-1], off, open)
			off += int64(len(line))
			unmoved := s.Unmoved(path, line)
			switch {
			case !strings.HasPrefix(e.Name(), "journal") && strings.Contains(path, "/workflow-"):
				lines-- // most of what these transcripts held and starts nothing was left out
			case !unmoved:
				looks++
			}
			if len(x.events) == before && (!strings.HasPrefix(e.Name(), "agent-") || x.turn.value.over == ended) {
				continue
			}
			events++
			if unmoved && len(x.events) > before && x.events[before].kind != planned && x.events[before].kind != replied {
				t.Errorf("%s: a line with an event of kind %v would be passed over: %.900s", path, x.events[before].kind, line)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if events == 0 || looks*2 > lines {
		t.Errorf("%d events and %d looks of %d lines: it is to be quiet at most lines", events, looks, lines)
	}
}
