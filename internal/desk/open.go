package desk

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// OpenURL shows an address in the person's browser. Only http and https are
// opened: a task's output must not be able to start anything else.
func OpenURL(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return errors.New("only http and https addresses are opened")
	}
	argv := opener(runtime.GOOS, u.String())
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fmt.Errorf("open a browser: %s was not found", argv[0])
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, path, argv[1:]...)
	c.WaitDelay = time.Second
	if err := c.Run(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	return nil
}

func opener(goos, address string) []string {
	switch goos {
	case "darwin":
		return []string{"open", address}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", address}
	}
	return []string{"xdg-open", address}
}

// Pager is the argument list of the person's pager, from the environment, else
// less: `PAGER="less -R"` is split at blanks, as most programs do.
func Pager(getenv func(string) string) []string {
	if p := strings.Fields(getenv("PAGER")); len(p) > 0 {
		return p
	}
	return []string{"less", "-R"}
}
