package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"offstage/internal/registry"
	"offstage/task"
)

// Exit codes of every verb (spec 5).
const (
	ExitDone       = 0
	ExitFailed     = 1
	ExitUsage      = 2
	ExitNoTask     = 3
	ExitAmbiguous  = 4
	ExitRefused    = 5
	ExitIncomplete = 6
	ExitTimeout    = 124
)

// usageError is a wrong use of the command line.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// args wants at least least and at most most arguments (-1: any number); another
// number is a wrong use, said with the line that would be right.
func args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, argv []string) error {
		switch n := len(argv); {
		case n < least:
			return usage("something is missing: %s", cmd.UseLine())
		case most >= 0 && n > most && cmd.HasParent():
			return usage("%q is too much: %s", argv[most], cmd.UseLine())
		case most >= 0 && n > most:
			return usage("%q is no verb that takes %q: see offstage --help", argv[0], argv[most])
		}
		return nil
	}
}

// wrongFlag is a flag's error without the words of the parser behind it.
func wrongFlag(_ *cobra.Command, err error) error {
	text, _, _ := strings.Cut(err.Error(), ": strconv.")
	return usage("%s", text)
}

// incompleteError: a stop left something alive.
type incompleteError struct{ error }

// codeOf is the exit code for an error.
func codeOf(err error) int {
	var amb *registry.AmbiguousError
	var wrong usageError
	var left incompleteError
	var own exitError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &wrong):
		return ExitUsage
	case errors.As(err, &own):
		return int(own)
	case errors.As(err, &amb):
		return ExitAmbiguous
	case errors.Is(err, registry.ErrNoTask):
		return ExitNoTask
	case errors.Is(err, registry.ErrRefused):
		return ExitRefused
	case errors.As(err, &left):
		return ExitIncomplete
	}
	return ExitFailed
}

// explain turns an error about a reference into what to do.
func explain(err error, ref string) error {
	var amb *registry.AmbiguousError
	switch {
	case errors.As(err, &amb):
		return fmt.Errorf("%w; say which one:\n%s", err, candidates(amb.Candidates))
	case errors.Is(err, registry.ErrNoTask):
		return fmt.Errorf("%q names no task here (%w): `offstage ls --all --everywhere` lists all that are known", ref, err)
	}
	return err
}

func candidates(tasks []task.Task) string {
	var b strings.Builder
	for _, t := range tasks {
		fmt.Fprintf(&b, "  %s  %s  %s\n", t.ID, task.StateWords(t), t.Title)
	}
	return strings.TrimRight(b.String(), "\n")
}
