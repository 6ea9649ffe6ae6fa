package registry

import "testing"

// S1: what is looked at first of a quiet output lets no question of a real tool
// pass, and leaves servers and builds alone; a line with codes is read as rows.
func TestMayAsk(t *testing.T) {
	for end, want := range map[string]bool{
		"built\nOverwrite? (y/n) ":                                             true,
		"\x1b[1mContinue?\x1b[22m \x1b[2m(Y/n)\x1b[22m \x1b[?25h":              true,
		"loading\r? Package name: (app) ":                                      true,
		"[sudo] password for dev: ":                                            true,
		"Need to install the following packages:\ncowsay\nOk to proceed? (y) ": true,
		"Press any key to continue . . .\r\n":                                  true,
		"\x1b[32mready\x1b[0m\n":                                               true,
		"\x1b[32mready\x1b[0m\n  Local:   http://localhost:5173/\n\n":          false,
		"[hmr] update 7 /src/main.ts\n":                                        false,
		"Listening on port 5173":                                               false,
		"":                                                                     false,
		"\n\n":                                                                 false,
	} {
		if got := mayAsk([]byte(end)); got != want {
			t.Errorf("%q: %v", end, got)
		}
	}
}
