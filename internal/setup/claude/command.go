package claude

import (
	"bytes"

	"offstage/internal/setup"
)

// mark tells our command file from one of the person's.
const mark = "<!-- offstage: written by offstage setup claude -->"

// commandPart is the file of /offstage, which opens the panel beside the client.
func commandPart(e setup.Env, path string) setup.Part {
	program := setup.Quote(e.Program)
	want := []byte("---\ndescription: Open the panel of background tasks beside this session\nallowed-tools: Bash(" + program + " open:*)\ndisable-model-invocation: true\n---\n" +
		mark + "\n!`" + program + " open`\n\nSay in one short sentence whether the panel was opened, by the words above. Do nothing else.\n")
	return setup.Part{
		Path: path, What: "command /offstage", ByHand: string(want),
		Add: func(text []byte) ([]byte, error) {
			if len(bytes.TrimSpace(text)) > 0 && !bytes.Contains(text, []byte(mark)) {
				return nil, setup.ErrYours
			}
			if bytes.Equal(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), want) {
				return text, nil
			}
			return want, nil
		},
		Remove: func(text []byte) ([]byte, error) {
			if !bytes.Contains(text, []byte(mark)) {
				return text, nil
			}
			return nil, nil
		},
	}
}
