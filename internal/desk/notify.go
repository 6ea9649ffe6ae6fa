package desk

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ErrNoNotices is returned where the machine has no program that shows notices.
var ErrNoNotices = errors.New("no program that shows notices was found: install notify-send or terminal-notifier")

// notifier is a program that shows a notice; argv makes its argument list.
type notifier struct {
	argv func(title, text string) []string
	// env are variables of which one has to be set; none for a program that needs
	// none.
	env []string
}

// notifiers are those of a system, best first. Each gets the text as an argument
// of its own, and none of them can take it for a flag or for code.
func notifiers(goos string) []notifier {
	if goos == "darwin" {
		return []notifier{
			{argv: func(title, text string) []string {
				return []string{"terminal-notifier", "-title", title, "-message", text}
			}},
			{argv: func(title, text string) []string {
				return []string{"osascript", "-e", "on run argv", "-e", "display notification (item 1 of argv) with title (item 2 of argv)", "-e", "end run", text, title}
			}},
		}
	}
	return []notifier{
		// The text is the summary: a body may be read as markup.
		{argv: func(title, text string) []string { return []string{"notify-send", "--app-name=" + title, "--", text} },
			env: []string{"DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"}},
		{argv: func(title, text string) []string { return []string{"wsl-notify-send.exe", "--appId", title, text} }, env: []string{"WSL_DISTRO_NAME"}},
	}
}

// noticeLimit bounds a program that shows a notice: it hands it on and ends.
const noticeLimit = 5 * time.Second

// ShowNotice shows one line on the person's desktop. ErrNoNotices says that there
// is no way to.
func ShowNotice(ctx context.Context, title, text string, getenv func(string) string) error {
	title, text = NoticeText(title), NoticeText(text)
	for _, n := range notifiers(runtime.GOOS) {
		if !anySet(n.env, getenv) {
			continue
		}
		argv := n.argv(title, text)
		path, err := exec.LookPath(argv[0])
		if err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, noticeLimit)
		defer cancel()
		c := exec.CommandContext(ctx, path, argv[1:]...)
		c.WaitDelay = time.Second
		if err := c.Run(); err != nil {
			return fmt.Errorf("show a notice by %s: %w", argv[0], err)
		}
		return nil
	}
	return ErrNoNotices
}

func anySet(names []string, getenv func(string) string) bool {
	for _, name := range names {
		if getenv(name) != "" {
			return true
		}
	}
	return len(names) == 0
}

// maxNotice bounds the text of a notice, in characters.
const maxNotice = 200

// NoticeText is a text as a notice may carry it: one line of printable characters,
// nothing that a terminal or a desktop acts on, nothing that turns the direction
// of writing.
func NoticeText(s string) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(strings.Map(printable, s)) {
		if n > 0 {
			b.WriteByte(' ')
			n++
		}
		for _, c := range word {
			if n++; n > maxNotice {
				return b.String() + "…"
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}
