package claude

import (
	"bytes"
	"path"
	"strings"
)

// moving are the words of which one stands in every line that can start, end or
// change a background task: launches (run_in_background, and what a foreground
// command that is moved says of itself), the tools that start or end one by name,
// notices of ends, and queued ones. A word of a person's text that is among them
// only costs a look. A character may stand as its number, so those count too.
var moving = [][]byte{
	[]byte("ackground"), []byte("-notification"), []byte("task_id"), []byte("taskId"), []byte("shell_id"), []byte("bash_id"), []byte("gentId"),
	[]byte(`"Task`), []byte(`"Agent`), []byte(`"Monitor`), []byte(`"Kill`), []byte(`"Workflow`), []byte(`"Remote`), []byte(`"Dream`), []byte(`"Team`),
	[]byte("SendMessage"), []byte("queue-operation"), []byte("agents_killed"), []byte("stopped by the user"), []byte("compact"), []byte("/clear"), []byte("continued-in"), []byte("<bash-"), []byte(`\u00`),
}

// Unmoved says that what was appended to a transcript started, ended and changed
// no task. It looks for words, not for records, so that it is quick and never says
// so wrongly. added begins where a line begins.
func (s *Source) Unmoved(file string, added []byte) bool {
	for _, w := range moving {
		if bytes.Contains(added, w) {
			return false
		}
	}
	// A sub-agent ends with its last message.
	return !strings.HasPrefix(path.Base(file), "agent-") || !bytes.Contains(added, []byte("end_turn")) && !bytes.Contains(added, []byte("stop_sequence"))
}
