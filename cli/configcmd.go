package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"offstage/internal/config"
	"offstage/internal/registry"
	"offstage/ui"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings, check them, or begin a settings file",
		Args:  args(0, 0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var origin, asJSON bool
	show := &cobra.Command{
		Use: "show", Short: "Print every setting as it counts now", Args: args(0, 0),
		RunE: func(*cobra.Command, []string) error { return a.showConfig(origin, asJSON) },
	}
	show.Flags().BoolVar(&origin, "origin", false, "say where each comes from")
	show.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(show,
		&cobra.Command{
			Use: "check", Short: "Say what is wrong in the settings; 1 when anything is", Args: args(0, 0),
			RunE: func(*cobra.Command, []string) error { return a.checkConfig() },
		},
		&cobra.Command{
			Use: "init", Short: "Begin a settings file with every setting as a comment", Args: args(0, 0),
			RunE: func(*cobra.Command, []string) error { return a.initConfig() },
		})
	return cmd
}

// settingWire is one line of `config show --json`.
type settingWire struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

func (a *app) showConfig(origin, asJSON bool) error {
	list := []settingWire{}
	for _, v := range a.settings.Values() {
		list = append(list, settingWire{maskText(v.Name), maskText(v.Text), maskText(v.Origin)})
	}
	if asJSON {
		return a.printJSON(list)
	}
	for _, v := range list {
		line := v.Name + " = " + v.Value
		if origin {
			line = fmt.Sprintf("%-44s # %s", line, v.Origin)
		}
		if _, err := fmt.Fprintln(a.out, line); err != nil {
			return err
		}
	}
	return nil
}

// checkConfig reads the settings once more: what is wrong with their form was said
// on stderr when the program began, here it is the answer; and whether names exist
// is known here alone.
func (a *app) checkConfig() error {
	s, wrong := a.load()
	known := map[string]bool{}
	for _, k := range ui.KeyTable() {
		known[k.ID] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if !known[name] {
			wrong = append(wrong, from(s.Origin("keys."+name))+"keys."+name+": there is no key of that name: docs/keys.md lists the names; it is left out")
		}
	}
	agents := map[string]bool{}
	for _, n := range a.wire.Sources(SourceOptions{World: a.w, Procs: registry.NewProcs(a.w), State: a.stateDir()}) {
		agents[n.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.Agents)) {
		if !agents[name] {
			wrong = append(wrong, from(s.Origin("agents."+name))+"agents."+name+": there is no agent of that name: give one of "+strings.Join(slices.Sorted(maps.Keys(agents)), ", ")+"; it is left out")
		}
	}
	for _, text := range wrong {
		_, _ = fmt.Fprintln(a.out, maskText(text))
	}
	if len(wrong) > 0 {
		return exitError(ExitFailed)
	}
	_, err := fmt.Fprintln(a.out, "The settings are in order.")
	return err
}

// initConfig begins the person's own file; one that is there is left alone.
func (a *app) initConfig() error {
	path := a.configFile
	if path == "" {
		path = config.Layers(a.w.Home(), "", a.getenv)[0].Path
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the settings: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already and was left as it is: offstage config show lists what can be set", path)
	}
	if err != nil {
		return fmt.Errorf("begin the settings: %w", err)
	}
	_, err = f.WriteString(config.Commented())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = fmt.Fprintln(a.out, maskText(path))
	return err
}

// from puts the place of a setting before what is said of it.
func from(origin string) string {
	if origin == "" {
		return ""
	}
	return origin + ": "
}
