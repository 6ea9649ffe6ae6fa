package cli

import (
	"context"
	"strings"
	"testing"

	"offstage/internal/registry"
)

// TestFault: a panic anywhere in a verb is one masked sentence and the exit code
// of a failure, never the text of the panic (C9).
func TestFault(t *testing.T) {
	secret := strings.ReplaceAll("gh⟂p_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "⟂", "")
	home := t.TempDir()
	var out, words strings.Builder
	a := &app{out: &out, errw: &words, in: strings.NewReader(""), getenv: func(k string) string {
		return map[string]string{"HOME": home, "XDG_CONFIG_HOME": home}[k]
	}, wire: Wiring{Version: "test", Sources: func(SourceOptions) []registry.Named { panic("row: \x1b[31mUsing " + secret + "\nand on") }}}
	code := a.guarded(context.Background(), []string{"ls"})
	got := words.String()
	if code != ExitFailed || strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "offstage: a fault in the program (row: Using [redacted] and on") {
		t.Errorf("code %d, said %q", code, got)
	}
	if strings.Contains(got+out.String(), secret[:12]) || strings.Contains(got, "\x1b") {
		t.Error("the panic's text left as it is")
	}
}
