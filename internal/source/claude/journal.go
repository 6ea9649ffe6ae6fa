package claude

import (
	"bufio"
	"errors"
	"io"
	"path"

	"offstage/internal/fsys"
	"offstage/task"
)

// journal follows the live list of a workflow's agents. Each byte is read once;
// of a line only its head is looked at, for behind it stands an agent's whole
// result.
type journal struct {
	id   fsys.ID
	next int64 // where the first line begins that was not taken
	// tried is the size when it was last read: a half-written last line is not read
	// again before the file grows.
	tried  int64
	agents []*journalAgent
	by     map[string]*journalAgent // by key
	ids    map[string]*journalAgent // by the agent's present id
	// dropped are starts beyond maxJournal.
	dropped int
}

// journalAgent is one call of an agent in the workflow's script.
type journalAgent struct {
	id, label, phase string
	status           task.Status
	// earlier are the ids under which the same call was started before.
	earlier []string
}

const (
	// maxJournal bounds the agents of one journal that are kept.
	maxJournal = 10_000
	// journalHead is how much of a line is looked at: type, key, id, label and
	// phase stand first.
	journalHead = 16 << 10
	// journalBudget is how much of a journal one Scan reads.
	journalBudget = 16 << 20
	// maxJournals bounds the journals that are kept, maxEarlier the ids of one call.
	maxJournals = 1024
	maxEarlier  = 20
)

// journalOf is the journal of a workflow's folder as far as it was read; nil
// where there is none.
func (s *Source) journalOf(folder string) *journal {
	real := s.real(path.Join(folder, "journal.jsonl"))
	if !s.insideConfig(real) {
		return nil
	}
	if len(s.journals) > maxJournals {
		clear(s.journals)
	}
	j := s.journals[real]
	st, err := statFile(real)
	if err != nil || !st.Mode().IsRegular() {
		return j // what was read of it stands
	}
	if j != nil && st.Size() == j.tried {
		return j
	}
	f, err := fsys.Open(real)
	if err != nil {
		return j
	}
	defer func() { _ = f.Close() }()
	id, err := fsys.Identify(f)
	if err != nil {
		return j
	}
	if j == nil || !j.id.Same(id) || st.Size() < j.next {
		j = &journal{id: id, by: map[string]*journalAgent{}, ids: map[string]*journalAgent{}}
		s.journals[real] = j
	}
	if more := j.read(f, st.Size()); more {
		s.unread = true
	}
	return j
}

// read takes the complete lines up to size, as far as the budget of one Scan
// goes, and says whether more is there.
func (j *journal) read(f io.ReaderAt, size int64) (more bool) {
	r := bufio.NewReaderSize(io.NewSectionReader(f, j.next, size-j.next), journalHead)
	for from := j.next; j.next-from < journalBudget; {
		line, err := r.ReadSlice('\n')
		head, n := line, int64(len(line))
		if errors.Is(err, bufio.ErrBufferFull) {
			head = append([]byte(nil), line...)
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.ReadSlice('\n')
			n += int64(len(line))
		}
		if err != nil { // the end, or a line that is still being written
			j.tried = size
			return false
		}
		j.next += n
		j.line(head)
	}
	return true
}

// line takes one record; a head that was cut still tells its first members.
func (j *journal) line(head []byte) {
	var typ, key, id, label, phase string
	walk(head, func(k, value []byte) bool {
		switch string(k) {
		case "type":
			typ = str(value)
		case "key":
			key = str(value)
		case "agentId":
			id = str(value)
		case "label":
			label = str(value)
		case "phase":
			phase = str(value)
		}
		return typ != "result" || id == ""
	})
	if len(id) > 64 || !safeName(id) || len(key) > 200 {
		return
	}
	switch typ {
	case "started":
		j.start(firstOf(key, id), id, clip(label), clip(phase))
	case "result", "failed":
		a := j.ids[id]
		if a == nil || a.id != id {
			return
		}
		a.status = task.Succeeded
		if typ == "failed" {
			a.status = task.Failed
		}
	}
}

func (j *journal) start(key, id, label, phase string) {
	a := j.by[key]
	if a == nil {
		if len(j.agents) >= maxJournal {
			j.dropped++
			return
		}
		a = &journalAgent{}
		j.by[key] = a
		j.agents = append(j.agents, a)
	} else if a.id != id && len(a.earlier) < maxEarlier {
		a.earlier = append(a.earlier, a.id)
	}
	delete(j.ids, a.id)
	a.id, a.label, a.phase, a.status = id, firstOf(label, a.label), firstOf(phase, a.phase), task.Running
	j.ids[id] = a
}
