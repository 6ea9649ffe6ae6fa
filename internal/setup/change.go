package setup

import (
	"bytes"
	"errors"
	"fmt"
)

// Change is what a setup, or its removal, would do to one file.
type Change struct {
	File File
	// After is the new text; nil where the file is to go.
	After []byte
	// What are the parts, for people.
	What []string
	// ByHand is set where the file is left alone: the lines to add, and Why.
	ByHand, Why string
	edits       []edit
}

// None says that there is nothing to do.
func (c Change) None() bool {
	return c.ByHand == "" && c.File.Exists() == (c.After != nil) && bytes.Equal(c.File.Text, c.After)
}

// Add is what a setup of h would change, file by file. An error of a part that
// can only be done by hand stands in its change.
func Add(h Host, e Env) ([]Change, error) {
	var out []Change
	for _, p := range h.Parts(e) {
		c, err := changeOf(&out, p.Path)
		if err != nil {
			return nil, err
		}
		next, err := p.Add(c.After)
		if err != nil {
			if !errors.Is(err, ErrCannotParse) && !errors.Is(err, ErrYours) {
				return nil, err
			}
			c.ByHand += p.ByHand
			c.Why = p.Path + " " + err.Error()
			continue
		}
		if c.After != nil && bytes.Equal(next, c.After) {
			continue
		}
		c.edits = append(c.edits, diff(c.After, next))
		c.After, c.What = next, append(c.What, p.What)
	}
	return out, nil
}

// changeOf is the change of the file at path, read where it is the first.
func changeOf(list *[]Change, path string) (*Change, error) {
	for i := range *list {
		if (*list)[i].File.Path == path {
			return &(*list)[i], nil
		}
	}
	f, err := Read(path)
	if err != nil {
		return nil, err
	}
	*list = append(*list, Change{File: f, After: f.Text})
	return &(*list)[len(*list)-1], nil
}

// Apply writes the changes and what is needed to take them back into dir, the
// program's own folder for h. Copies of the files are made first.
func Apply(h Host, dir string, changes []Change) error {
	for _, c := range changes {
		if c.None() || c.ByHand != "" && len(c.edits) == 0 {
			continue
		}
		if c.File.ReadOnly {
			return fmt.Errorf("%s may not be written: make it writable, or add this by hand (offstage setup %s --print)", c.File.Path, h.Name())
		}
		if err := remember(dir, h.Name(), c); err != nil {
			return err
		}
		if err := c.File.write(c.After); err != nil {
			return err
		}
	}
	return nil
}

// Remove is what would take our parts out of the files of h: byte for byte where
// the file is as we left it, or where what we put in still stands in it as it
// was; else by the rules of the host.
func Remove(h Host, e Env, dir string) ([]Change, error) {
	past, err := recall(dir, h.Name())
	if err != nil {
		return nil, err
	}
	undone := map[string]bool{}
	var out []Change
	for _, p := range h.Parts(e) {
		c, err := changeOf(&out, p.Path)
		if err != nil {
			return nil, err
		}
		if undone[p.Path] {
			c.What = append(c.What, p.What) // all parts of the file went at once
			continue
		}
		if r, ok := past[p.Path]; ok && c.After != nil {
			delete(past, p.Path)
			if back, done := r.undo(c.After); done {
				c.After, c.What = back, append(c.What, p.What)
				undone[p.Path] = true
				continue
			}
		}
		if c.After == nil {
			continue
		}
		next, err := p.Remove(c.After)
		if err != nil {
			c.ByHand, c.Why = p.ByHand, fmt.Sprintf("%s %v: take these lines out by hand", p.Path, ErrCannotParse)
			continue
		}
		if !bytes.Equal(next, c.After) {
			c.After, c.What = next, append(c.What, p.What)
		}
	}
	return out, nil
}

// Forget drops what was remembered of the setup of h, after its removal; the
// copies stay.
func Forget(dir, host string) error { return forget(dir, host) }
