package setup

// Simple is a host that is nothing but its parts.
type Simple struct {
	// Word and Label are what Name and Title give.
	Word, Label string
	// Files gives the parts, Then what a person does now.
	Files func(e Env) []Part
	Then  string
}

// Name is the word of the command line.
func (s Simple) Name() string { return s.Word }

// Title is how people call it.
func (s Simple) Title() string { return s.Label }

// Parts are the files to change.
func (s Simple) Parts(e Env) []Part { return s.Files(e) }

// After says what a person does now.
func (s Simple) After(Env) string { return s.Then }
