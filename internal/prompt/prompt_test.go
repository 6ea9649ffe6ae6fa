package prompt

import (
	"strings"
	"testing"
)

// TestPrompts: last lines that wait for a person (D4, S2), as programs leave
// them: without a newline behind.
func TestPrompts(t *testing.T) {
	for _, line := range []string{
		"Continue? (y/n) ",
		"Do you want to continue? [Y/n] ",
		"Proceed (yes/no)? ",
		"Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
		"Overwrite? ",
		"Continue?",
		"Ok to proceed? (y) ",
		"Is this OK? (yes) ",
		"Press any key to continue . . . ",
		"Press any key",
		"Press Enter to continue",
		"Press ENTER to continue or Ctrl+C to abort.",
		"Done. Press RETURN to exit",
		"Please press enter when ready",
		"[sudo] password for alice: ",
		"Password: ",
		"Password for 'https://alice@example.com': ",
		"Username for 'https://example.com': ",
		"Enter passphrase for key '/home/dev/.ssh/id_ed25519': ",
		"alice@build's password: ",
		"Enter PEM pass phrase:",
		"Verification code: ",
		"New password: ",
		"Retype new password: ",
		"Vault password: ",
		"Enter password: ",
		"  Enter a value: ",
		"Enter your choice: ",
		"Please select a number [1-4]: ",
		"package name: (app) ",
		"rm: remove regular file 'x'? ",
		"cp: overwrite 'b'? ",
		"mv: replace 'x', overriding mode 0444 (r--r--r--)? ",
		"Terminate batch job (Y/N)? ",
		"*** app.conf (Y/I/N/O/D/Z) [default=N] ? ",
		"replace a.txt? [y]es, [n]o, [A]ll, [N]one, [r]ename: ",
		"? Select a framework: › - Use arrow-keys. Return to submit.",
		"? Project name: › my-app",
		"? Would you like to use TypeScript? › No / Yes",
		"Would you like to install the missing browsers?",
		"Shall I apply this plan?",
		"Do you want to create a new file?",
		"Target directory is not empty. Are you sure you want to go on?",
		"build login: ",
		"Where would you like to create the app?",
		"Delete 14 files? [y/N]: ",
		":: Proceed with installation? [Y/n] ",
		"The lockfile would change. Continue? [y/N] ",
	} {
		if !Question(line, true) {
			t.Errorf("a prompt, not seen: %q", line)
		}
	}
}

// TestNoPrompts: last lines of logs that look like questions and are none.
func TestNoPrompts(t *testing.T) {
	for _, line := range []string{
		"", "   ", "done",
		"Continue? no",
		"Continue? (y/n) y",
		"Do you want to continue? [Y/n] Y",
		"Password: ********",
		"what went wrong?",
		"2026-11-30 12:00:01 INFO retry upload?",
		"12:00:01 overwrite? (y/n)",
		"[12:00:01] Are you sure?",
		"[info] Do you want to continue?",
		"INFO Press any key handler registered",
		"warn: do you need to run `npm install`?",
		"error: cannot open display. Are you sure it is set?",
		"error: wrong password:",
		"Invalid password:",
		"  password:",
		"# Are you sure?",
		"## Why would you use this?",
		"> Do you want to continue? [Y/n]",
		"- Do you want to continue?",
		"* Shall I merge it?",
		"// Overwrite? (y/n)",
		"`Continue? (y/n)`",
		"\"Overwrite? (y/n)\"",
		"  it('asks Overwrite? (y/n)', () => {",
		"  ✓ asks Overwrite? (y/n)",
		"✘ asks for a password:",
		"expected prompt to be: Continue? (y/n)",
		"Did you mean 'install'?",
		"Did you mean this?",
		"What's new in version 2?",
		"Why is my build slow?",
		"  ➜  press h + enter to show help",
		" › Press w to show more.",
		"Watch Usage: Press w to show more.",
		"Press Ctrl-C to stop the server",
		"Press q to quit",
		"press h to show help, q to exit",
		"Waiting for file changes...",
		"Local:   http://localhost:5173/",
		"GET /search?q=are+you+sure?",
		"https://example.com/do-you-want?",
		"{\"q\":\"Do you want to continue?\"}",
		"<p>Do you want to continue?</p>",
		"at Question (prompt.js:12:3)?",
		"Tests: 2 failed, 40 passed (y/n)/total",
		"Time: 1.2 s",
		"Building:",
		"Files changed:",
		"Usage: app [y/n]",
		"Do you need help? See https://example.com/docs",
		"Need more? run with --verbose",
		"compiled (client/server)",
		"ratio (1/2)",
		"Either yes or no (see below)",
		"FAIL src/prompt.test.ts > Continue? (y/n)",
		"PASS asks a question?",
		"User alice entered password: ok",
		"Generated password:",
		"Enter the dragon",
		"The default is (yes/no)-style questions",
		"hint: Would you like to rebase?",
		"Which is better?",
		"Is it done?",
		"TODO: should we keep this?",
		"Downloading (2/14)",
		"npm notice New major version of npm available! 9 -> 10",
		"Do you know why?",
		"+ Overwrite? (y/n)",
		"$ rm -i x?",
		"Error: Do you want to continue? is not a function",
		strings.Repeat("Are you sure that this is not far too long to be a prompt ", 10) + "?",
	} {
		if Question(line, true) {
			t.Errorf("no prompt, but taken for one: %q", line)
		}
	}
}

// TestClosedLines: behind a newline only plain questions count.
func TestClosedLines(t *testing.T) {
	for line, want := range map[string]bool{
		"Continue? (y/n)":           true,
		"Press any key to continue": true,
		"password:":                 false,
		"Password:":                 true,
		"Username:":                 false,
		"? Select a framework:":     false,
	} {
		if got := Question(line, false); got != want {
			t.Errorf("%q closed: got %v, want %v", line, got, want)
		}
	}
}

// FuzzQuestion: no line makes it panic.
func FuzzQuestion(f *testing.F) {
	f.Add("Continue? (y/n) ", true)
	f.Fuzz(func(t *testing.T, line string, open bool) { Question(line, open) })
}
