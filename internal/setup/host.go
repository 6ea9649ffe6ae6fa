package setup

import "errors"

// Host is a program whose configuration we can change.
type Host interface {
	// Name is the word of the command line: "tmux", "claude".
	Name() string
	// Title is how people call it: "Claude Code".
	Title() string
	// Parts are the files to change, in order, for the machine of e.
	Parts(e Env) []Part
	// After says what a person does now, in one or two sentences; it may be "".
	After(e Env) string
}

// Part is what goes into one file.
type Part struct {
	// Path of the file as the host names it.
	Path string
	// What it is for, in a few words: "status line", "MCP server".
	What string
	// Add gives the text with our part in it; called again on its own result it
	// changes nothing. Text is nil where there is no file.
	Add func(text []byte) ([]byte, error)
	// Remove gives the text without our part: where the file was changed since, so
	// that what we put in cannot be cut out as it was. Text without our part comes
	// back as it is.
	Remove func(text []byte) ([]byte, error)
	// ByHand are the lines to add where Add cannot.
	ByHand string
}

// Env is what a host needs to know of the machine.
type Env struct {
	// Home is the person's home folder, Getenv the environment.
	Home   string
	Getenv func(string) string
	// Program is the path of the binary that is written into configurations. It
	// has to stay: a build that go run makes does not.
	Program string
	// Key is the key that the person wants; "" is the host's first choice.
	Key string
	// Ask runs a program and gives what it prints; nil where nobody may be asked.
	Ask func(name string, args ...string) (string, error)
}

// Live is a host that may be running, and then can take the change up at once.
type Live interface {
	Host
	// Running says that there is one to tell.
	Running(e Env) bool
	// Tell lets it take the setup up, and Untell its removal.
	Tell(e Env) error
	Untell(e Env) error
}

// ErrCannotParse: the file is left alone; the lines to add by hand are shown.
var ErrCannotParse = errors.New("cannot be read by the host's own rules")

// ErrYours: what stands there was not written by us, and is left alone.
var ErrYours = errors.New("holds something of your own")

// TakenError: what we would set is set to something of the person's own.
type TakenError struct {
	// What is taken ("prefix b"), By whom ("break-pane"), and what can be done.
	What, By, Do string
}

func (e *TakenError) Error() string {
	return e.What + " is taken already by " + e.By + ": " + e.Do
}
