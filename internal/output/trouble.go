package output

import (
	"errors"
	"io/fs"
	"strings"

	"offstage/internal/tail"
)

// sentence says for people why a file cannot be read and what to do.
func sentence(path string, err error) string {
	path = maskText(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "The output file is not there (yet): " + path + ". It is looked for every second."
	case errors.Is(err, fs.ErrPermission):
		return "The output file may not be read: " + path + ". Ask its owner for the right to read it."
	case errors.Is(err, tail.ErrSymlink):
		return "A symbolic link stands in the place of the output file, so it was not opened: " + path + ". Open its target by its own path."
	case errors.Is(err, tail.ErrOutside):
		return "The link to the output points outside its agent's folder, so it was not opened: " + path + ". Open its target by its own path."
	case errors.Is(err, tail.ErrNotRegular):
		return "This is " + what(err) + ", not a file: " + path + ". Give the path of an output file."
	}
	return "The output file cannot be read (" + maskText(err.Error()) + "). It is tried again every second."
}

// what stands at the path, in the words of package fsys.
func what(err error) string {
	text := err.Error()
	if _, rest, ok := strings.Cut(text, ": it is "); ok {
		if word, _, ok := strings.Cut(rest, " and is"); ok {
			return word
		}
	}
	return "something special"
}
