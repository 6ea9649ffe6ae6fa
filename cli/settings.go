package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"offstage/internal/config"
	"offstage/internal/registry"
	"offstage/ui"
)

// load reads the settings as they count now: files, then variables, of which those
// for keys and agents are known here alone.
func (a *app) load() (config.Settings, []string) {
	s, wrong := config.Load(a.layers(), a.getenv)
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		value := a.getenv(name)
		if agent, ok := strings.CutPrefix(name, "OFFSTAGE_AGENTS_"); ok && value != "" {
			on, err := strconv.ParseBool(value)
			if err != nil {
				wrong = append(wrong, name+"="+value+": true or false is wanted; it is left out")
				continue
			}
			s.SetAgent(strings.ReplaceAll(strings.ToLower(agent), "_", "-"), on, name)
		}
		if key, ok := strings.CutPrefix(name, "OFFSTAGE_KEYS_"); ok && value != "" {
			s.SetKey(keyOfVariable(key), strings.Split(value, ","), name)
		}
	}
	return s, wrong
}

// keyOfVariable is the name of the key table for LIST_STOP_ALL: "list.stop_all". One
// that no key has comes back as a name that will be said to be unknown.
func keyOfVariable(name string) string {
	for _, k := range ui.KeyTable() {
		if strings.ToUpper(strings.ReplaceAll(k.ID, ".", "_")) == name {
			return k.ID
		}
	}
	return strings.ToLower(name)
}

// layers are the settings files that count here: the person's, those of the project
// from its top down to the folder that is looked at, and one that was named.
func (a *app) layers() []config.Layer {
	dir := a.dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	layers := config.Layers(a.w.Home(), "", a.getenv)
	for _, d := range registry.ProjectFolders(dir) {
		layers = append(layers, config.ProjectLayer(d))
	}
	if a.configFile != "" {
		layers = append(layers, config.Layer{Path: a.configFile})
	}
	return layers
}

// lookedAt is the folder that a panel or a list was asked for, whose settings count;
// "" for the one it was started in.
func lookedAt(cmd *cobra.Command, argv []string) string {
	if len(argv) != 1 || cmd.Name() != "offstage" && cmd.Name() != "ls" {
		return ""
	}
	dir, err := filepath.Abs(argv[0])
	if err != nil {
		return ""
	}
	return dir
}
