package registry

import (
	"bytes"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"offstage/internal/fsys"
	"offstage/internal/proc"
	"offstage/task"
)

// placeStamp is how a folder stood: that it was there, and of what is in it the
// names, sizes and times as one number. Records that only grow are kept by
// themselves, for their growth alone need not mean anything.
type placeStamp struct {
	Path  string      `json:"path"`
	There bool        `json:"there"`
	Sum   uint64      `json:"sum,omitempty"`
	Grow  []growStamp `json:"grow,omitempty"`
	// Alone: only whether it is there counts.
	Alone bool `json:"alone,omitempty"`
}

// growStamp is a record that is appended to. Whole is where its last whole line
// ends: no source has read further.
type growStamp struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Time  int64  `json:"time"`
	Whole int64  `json:"whole,omitempty"`
}

// unmoved is a source that can tell from what was appended to a record of its
// agent that no task started, ended or changed by it.
type unmoved interface {
	Unmoved(path string, added []byte) bool
}

// Bounds of a look at places: entries of one folder, bytes read of one record that
// grew, and of all.
const (
	maxEntries   = 5000
	maxGrowth    = 256 << 10
	maxAllGrowth = 1 << 20
	// growsFor is how old a record may be and still be expected to grow.
	growsFor = 36 * time.Hour
)

// stamps are the places of each source as they stand now. Outputs of tasks are
// left out: their growth is no news.
func (r *Registry) stamps(snap task.Snapshot) map[string][]placeStamp {
	outputs := map[string]bool{}
	for _, t := range snap.Tasks {
		if t.Output.Path != "" {
			outputs[t.Output.Path] = true
		}
	}
	out := map[string][]placeStamp{}
	for _, f := range r.feeds {
		for _, d := range f.folders() {
			p := stampOf(d, r.w.Now(), outputs)
			for i := range p.Grow {
				p.Grow[i].Whole = wholeLines(filepath.Join(d, p.Grow[i].Name), p.Grow[i].Size)
			}
			out[f.src.Name] = append(out[f.src.Name], p)
		}
	}
	for _, p := range snap.Looked {
		path := r.w.Path(p.Path)
		_, err := os.Stat(path)
		out[p.Source] = append(out[p.Source], placeStamp{Path: path, There: err == nil, Alone: true})
	}
	return out
}

// stampOf looks at one folder.
func stampOf(dir string, now time.Time, skip map[string]bool) placeStamp {
	p := placeStamp{Path: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return p
	}
	p.There = true
	h := fnv.New64a()
	for i, e := range entries {
		if i == maxEntries {
			break
		}
		if skip[filepath.Join(dir, e.Name())] {
			continue
		}
		st, err := e.Info()
		if err != nil {
			continue
		}
		if grows(st, now) {
			p.Grow = append(p.Grow, growStamp{Name: e.Name(), Size: st.Size(), Time: st.ModTime().UnixNano()})
			continue
		}
		_, _ = io.WriteString(h, e.Name())
		put(h, st.ModTime().UnixNano())
		if !st.IsDir() {
			put(h, st.Size())
		}
	}
	p.Sum = h.Sum64()
	return p
}

func put(h io.Writer, n int64) {
	var b [8]byte
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	_, _ = h.Write(b[:])
}

// grows: a record of lines that was written not long ago.
func grows(st fs.FileInfo, now time.Time) bool {
	return st.Mode().IsRegular() && strings.HasSuffix(st.Name(), ".jsonl") && now.Sub(st.ModTime()) < growsFor
}

// Moved names the sources of which something changed since the glance, so that
// what it says of them may not be true any more.
func (r *Registry) Moved(g Glance) []string {
	var out []string
	left := int64(maxAllGrowth)
	for _, f := range r.feeds {
		i := slices.IndexFunc(g.Sources, func(s sourceGlance) bool { return s.Name == f.src.Name })
		if i < 0 || r.sourceMoved(f, g.Sources[i], &left) {
			out = append(out, f.src.Name)
		}
	}
	return out
}

func (r *Registry) sourceMoved(f *feed, s sourceGlance, left *int64) bool {
	for _, t := range s.Tasks {
		if !t.Status.Ended() && !t.stillThere() {
			return true
		}
	}
	outputs := map[string]bool{}
	for _, t := range s.Tasks {
		if t.Output != "" {
			outputs[t.Output] = true
		}
	}
	for _, p := range s.Places {
		if p.Alone {
			if _, err := os.Stat(p.Path); (err == nil) != p.There {
				return true
			}
			continue
		}
		now := stampOf(p.Path, r.w.Now(), outputs)
		if now.There != p.There || now.Sum != p.Sum || r.grown(f, p, now, left) {
			return true
		}
	}
	return false
}

// stillThere: a process of it lives, and so does its agent, where they are known.
func (t briefTask) stillThere() bool {
	if t.Agent.PID > 0 && !proc.Lives(t.Agent) {
		return false
	}
	return len(t.Alive) == 0 || slices.ContainsFunc(t.Alive, proc.Lives)
}

// grown says whether a record of a folder changed in a way that may matter.
func (r *Registry) grown(f *feed, before, now placeStamp, left *int64) bool {
	if len(before.Grow) != len(now.Grow) {
		return true
	}
	for i, b := range before.Grow {
		n := now.Grow[i]
		if n.Name == b.Name && n.Size == b.Size && n.Time == b.Time {
			continue
		}
		u, can := f.src.Source.(unmoved)
		more := n.Size - b.Whole
		if !can || n.Name != b.Name || n.Size < b.Size || more > maxGrowth || more > *left {
			return true
		}
		*left -= more
		path := filepath.Join(before.Path, b.Name)
		added, err := readStretch(path, b.Whole, n.Size)
		if err != nil || !u.Unmoved(path, added) {
			return true
		}
	}
	return false
}

func readStretch(path string, from, to int64) ([]byte, error) {
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b := make([]byte, to-from)
	if _, err := f.ReadAt(b, from); err != nil {
		return nil, err
	}
	return b, nil
}

// wholeLines is where the last whole line of the first size bytes ends, 0 where
// that is too far back to look.
func wholeLines(path string, size int64) int64 {
	from := max(0, size-maxGrowth)
	end, err := readStretch(path, from, size)
	if err != nil {
		return 0
	}
	return from + int64(bytes.LastIndexByte(end, '\n')+1)
}
