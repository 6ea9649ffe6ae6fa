package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"offstage/internal/fsys"
)

// record is what is needed to take one file back to how it was.
type record struct {
	Path string `json:"path"`
	// Made: there was no file before.
	Made bool `json:"made,omitempty"`
	// Copy is the name of the copy of the file as it was, in the same folder.
	Copy string `json:"copy,omitempty"`
	// Sum is the SHA-256 of the file as we left it.
	Sum string `json:"sum"`
	// Edits in the order in which they were made.
	Edits []edit `json:"edits"`

	copied []byte
}

// undo takes a text back: to the copy where nothing else was changed, else by
// the edits, last first. done is false where they do not stand there any more.
func (r record) undo(text []byte) (back []byte, done bool) {
	if sum(text) == r.Sum && (r.Made || r.copied != nil) {
		if r.Made {
			return nil, true
		}
		return r.copied, true
	}
	for i := len(r.Edits) - 1; i >= 0; i-- {
		next, ok := r.Edits[i].back(text)
		if !ok {
			return nil, false
		}
		text = next
	}
	return text, len(r.Edits) > 0
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}

func journal(dir, host string) string { return filepath.Join(dir, host+".json") }

// remember keeps a copy of the file and how to take the change back. Where an
// earlier setup is remembered its copy stays: that is how the person left the
// file, and its edits come first.
func remember(dir, host string, c Change) error {
	if err := fsys.MkdirPrivate(dir); err != nil {
		return err
	}
	past, err := recall(dir, host)
	if err != nil {
		return err
	}
	r := record{Path: c.File.Path, Made: !c.File.Exists(), Sum: sum(c.After), Edits: c.edits}
	if old, ok := past[c.File.Path]; ok && sum(c.File.Text) == old.Sum {
		r.Made, r.Copy = old.Made, old.Copy
		r.Edits = append(old.Edits, c.edits...)
	} else if c.File.Exists() {
		if r.Copy, err = keepCopy(dir, host, c.File); err != nil {
			return err
		}
	}
	past[c.File.Path] = r
	return save(dir, host, past)
}

// maxCopies bounds the copies of one file.
const maxCopies = 1000

// keepCopy writes the file as it is under a name that is free.
func keepCopy(dir, host string, f File) (string, error) {
	for n := 1; n <= maxCopies; n++ {
		name := host + "-" + filepath.Base(f.Path) + "." + strconv.Itoa(n)
		path := filepath.Join(dir, name)
		if have, err := os.ReadFile(path); err == nil {
			if bytes.Equal(have, f.Text) {
				return name, nil
			}
			continue
		}
		return name, fsys.WriteAtomic(path, f.Text)
	}
	return "", fmt.Errorf("there are %d copies of %s in %s: remove old ones", maxCopies, f.Path, dir)
}

// recall reads what is remembered of a host. A journal that cannot be read is an
// error: a removal by guess could take out what is not ours.
func recall(dir, host string) (map[string]record, error) {
	out := map[string]record{}
	b, err := os.ReadFile(journal(dir, host))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was set up: %w", err)
	}
	var list []record
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("%s is damaged: remove it, and take the lines of offstage out by hand", journal(dir, host))
	}
	for _, r := range list {
		if r.Copy != "" {
			r.copied, _ = os.ReadFile(filepath.Join(dir, filepath.Base(r.Copy)))
			if r.copied == nil {
				r.Sum = "" // the copy is gone: by the edits then
			}
		}
		out[r.Path] = r
	}
	return out, nil
}

func save(dir, host string, past map[string]record) error {
	list := make([]record, 0, len(past))
	for _, r := range past {
		list = append(list, r)
	}
	b, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return fsys.WriteAtomic(journal(dir, host), append(b, '\n'))
}

func forget(dir, host string) error {
	if err := os.Remove(journal(dir, host)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget the setup: %w", err)
	}
	return nil
}
