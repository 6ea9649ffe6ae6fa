package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// maxAnswer bounds what a command that refuses may say.
const maxAnswer = 2000

// Ask runs a command of the person's with input on its standard input. Its failure
// is an error with what it said; its output otherwise goes nowhere. No shell
// stands between.
func Ask(ctx context.Context, argv []string, input []byte) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &said, &said
	err := cmd.Run()
	if err == nil {
		return nil
	}
	text := strings.TrimSpace(said.String())
	if len(text) > maxAnswer {
		text = strings.ToValidUTF8(text[:maxAnswer], "") + "…"
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not answer in time", argv[0])
	case text != "":
		return errors.New(text)
	}
	return fmt.Errorf("%s refused it (%w)", argv[0], err)
}
