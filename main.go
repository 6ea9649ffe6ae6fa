// Command offstage shows what coding agents left running in the background,
// follows its output, counts its tests, and stops it for real.
package main

import (
	"os"
	"runtime/debug"

	"offstage/cli"
	"offstage/internal/registry"
	"offstage/internal/runner"
	"offstage/internal/source/claude"
	"offstage/internal/source/codex"
	"offstage/internal/source/copilot"
	"offstage/internal/source/crush"
	"offstage/internal/source/cursor"
	"offstage/internal/source/demo"
	"offstage/internal/source/files"
	"offstage/internal/source/gemini"
	"offstage/internal/source/kimi"
	"offstage/internal/source/left"
	"offstage/internal/source/opencode"
	"offstage/internal/source/own"
	"offstage/internal/source/qwen"
)

// version is set by a release build.
var version = ""

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Wiring{Sources: sources, Version: versionText(), SuperviseVerb: runner.Verb, Supervise: supervise}))
}

// sources are the agents that this build knows.
func sources(o cli.SourceOptions) []registry.Named {
	switch {
	case o.Files != "":
		return []registry.Named{{Name: "files", Source: files.New(o.World, o.Files, files.Options{Procs: o.Procs.Table})}}
	case o.Demo != "":
		return []registry.Named{{Name: "demo", Source: demo.New(o.World, o.Demo, o.Procs.Table)}}
	}
	return []registry.Named{
		{Name: claude.Name, Sees: claude.Sees, Source: claude.New(o.World, claude.Options{Procs: o.Procs.Table})},
		{Name: kimi.Name, Sees: kimi.Sees, Source: kimi.New(o.World, o.Procs.Table)},
		{Name: qwen.Name, Sees: qwen.Sees, Source: qwen.New(o.World, o.Procs.Table)},
		{Name: gemini.Name, Sees: gemini.Sees, Source: gemini.New(o.World, o.Procs.Table)},
		{Name: codex.Name, Sees: codex.Sees, Source: codex.New(o.World, o.Procs.Table)},
		{Name: copilot.Name, Sees: copilot.Sees, Source: copilot.New(o.World, o.Procs.Table)},
		{Name: cursor.Name, Sees: cursor.Sees, Source: cursor.New(o.World, o.Procs.Table)},
		{Name: opencode.Name, Sees: opencode.Sees, Source: opencode.New(o.World, o.Procs.Table)},
		{Name: crush.Name, Sees: crush.Sees, Source: crush.New(o.World, o.Procs.Table)},
		{Name: own.Name, Sees: own.Sees, Source: own.New(o.World, o.State, o.Procs.Table)},
		{Name: left.Name, Sees: left.Sees, Source: left.New(o.World, o.Procs.Table)},
	}
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
