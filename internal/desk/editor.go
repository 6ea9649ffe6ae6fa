package desk

import (
	"path/filepath"
	"strconv"
	"strings"
)

// Editor is the argument list that opens a file at a 1-based line (0: where the
// editor likes) in the person's editor: $VISUAL, $EDITOR, else vi. path should be
// absolute, so that it can be taken for no flag.
func Editor(getenv func(string) string, path string, line int64) []string {
	argv := strings.Fields(getenv("VISUAL"))
	if len(argv) == 0 {
		argv = strings.Fields(getenv("EDITOR"))
	}
	if len(argv) == 0 {
		argv = []string{"vi"}
	}
	if line <= 0 {
		return append(argv, path)
	}
	n := strconv.FormatInt(line, 10)
	switch name := strings.TrimSuffix(strings.ToLower(filepath.Base(argv[0])), ".exe"); name {
	case "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf":
		return append(argv, "--goto", path+":"+n)
	case "hx", "helix", "subl", "sublime_text", "zed", "zeditor":
		return append(argv, path+":"+n)
	case "idea", "goland", "pycharm", "webstorm", "rubymine", "clion", "phpstorm":
		return append(argv, "--line", n, path)
	}
	return append(argv, "+"+n, path) // vi and its kin, nano, emacs, micro, kak, joe, less
}
