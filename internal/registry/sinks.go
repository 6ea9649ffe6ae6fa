package registry

import "offstage/internal/command"

// sinks remembers what command lines say: a list is folded many times a minute,
// and a command is parsed once.
type sinks struct{ known map[string]command.Sinks }

// Bounds of what is parsed and remembered. A longer line is a script with data
// in it; what its last pipe holds back is not said.
const (
	maxSinks    = 4096
	maxSinkLine = 64 << 10
)

func (s *sinks) of(line string) command.Sinks {
	if line == "" || len(line) > maxSinkLine {
		return command.Sinks{}
	}
	got, ok := s.known[line]
	if !ok {
		got = command.FindSinks(line)
		if s.known == nil || len(s.known) >= maxSinks {
			s.known = map[string]command.Sinks{}
		}
		s.known[line] = got
	}
	return got
}
