package desk

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// limit is how long a helper of the desk may take before it is given up.
const limit = 3 * time.Second

// ErrNoClipboard: no program on this machine takes text; the terminal's own
// way (OSC 52) is what remains.
var ErrNoClipboard = errors.New("no clipboard program was found: install wl-clipboard, xclip or xsel")

// taker is a program that reads the text to copy from its input.
type taker struct {
	// name as a person is told: "copied to the tmux buffer".
	name string
	argv []string
	// env is the variable without which the program cannot work; "" for none.
	env string
}

func takers(goos string) []taker {
	switch goos {
	case "darwin":
		return []taker{{"clipboard", []string{"pbcopy"}, ""}}
	case "windows":
		return []taker{{"clipboard", []string{"clip.exe"}, ""}}
	}
	return []taker{
		{"clipboard", []string{"wl-copy"}, "WAYLAND_DISPLAY"},
		{"clipboard", []string{"xclip", "-selection", "clipboard"}, "DISPLAY"},
		{"clipboard", []string{"xsel", "--clipboard", "--input"}, "DISPLAY"},
		{"clipboard", []string{"clip.exe"}, "WSL_DISTRO_NAME"},
	}
}

// Copy gives text to the native clipboard and, inside tmux, to its buffer. It
// says who took it ("clipboard", "tmux buffer"); ErrNoClipboard if nobody did.
func Copy(ctx context.Context, text string, getenv func(string) string) (string, error) {
	var took []string
	for _, t := range takers(runtime.GOOS) {
		if (t.env == "" || getenv(t.env) != "") && feed(ctx, t.argv, text) == nil {
			took = append(took, t.name)
			break
		}
	}
	if getenv("TMUX") != "" && feed(ctx, []string{"tmux", "load-buffer", "-"}, text) == nil {
		took = append(took, "tmux buffer")
	}
	if len(took) == 0 {
		return "", ErrNoClipboard
	}
	return strings.Join(took, " and "), nil
}

func feed(ctx context.Context, argv []string, text string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, path, argv[1:]...)
	c.Stdin = strings.NewReader(text)
	c.WaitDelay = time.Second
	return c.Run()
}
