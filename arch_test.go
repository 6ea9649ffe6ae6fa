package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is the import table of the house: a room, and the rooms that it may
// know. A room that is not here may not exist.
var mayImport = map[string][]string{
	"redact": {}, "testparse": {},
	"internal/command": {}, "internal/prompt": {}, "internal/config": {"redact"}, "internal/world": {}, "internal/fsys": {}, "internal/desk": {},
	"internal/watch":                  {"internal/fsys", "internal/world"},
	"internal/proc":                   {"internal/fsys", "internal/world"},
	"internal/tail":                   {"internal/world", "internal/fsys", "internal/watch"},
	"task":                            {"testparse"},
	"internal/screen":                 {"task"},
	"panel":                           {"task"},
	"console":                         {"task", "testparse"},
	"internal/tasklist":               {"task"},
	"internal/output":                 {"internal/tail", "internal/screen", "redact", "testparse", "task", "internal/world", "internal/watch", "internal/fsys"},
	"internal/source/claude":          {"task", "internal/tasklist", "internal/proc", "internal/tail", "internal/watch", "internal/world", "internal/fsys"},
	"internal/source/files":           {"task", "internal/proc", "internal/tail", "internal/watch", "internal/world", "internal/fsys"},
	"internal/source/demo":            {"task", "internal/proc", "internal/world"},
	"internal/taskdir":                {"task", "internal/fsys"},
	"internal/runner":                 {"task", "internal/proc", "internal/taskdir", "internal/fsys", "internal/world"},
	"internal/source/own":             {"task", "internal/proc", "internal/taskdir", "internal/world"},
	"internal/source/left":            {"task", "internal/proc", "internal/world"},
	"internal/source/qwen":            {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/source/gemini":          {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/source/codex":           {"task", "internal/proc", "internal/source/codex/control", "internal/source/trace", "internal/world"},
	"internal/source/codex/control":   {"internal/proc", "internal/fsys"},
	"internal/source/crush":           {"task", "internal/proc", "internal/source/trace", "internal/sqlread", "internal/world"},
	"internal/source/cursor":          {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/source/opencode":        {"task", "internal/proc", "internal/source/trace", "internal/sqlread", "internal/world"},
	"internal/source/copilot":         {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/source/kimi":            {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/source/trace":           {"task", "internal/tasklist", "internal/proc", "internal/fsys", "internal/world"},
	"internal/source/trace/tracetest": {"task", "internal/proc", "internal/source/trace", "internal/world"},
	"internal/setup":                  {"internal/fsys"},
	"internal/setup/claude":           {"internal/setup"},
	"internal/setup/codex":            {"internal/setup"},
	"internal/setup/copilot":          {"internal/setup"},
	"internal/setup/cursor":           {"internal/setup"},
	"internal/setup/gemini":           {"internal/setup"},
	"internal/setup/kimi":             {"internal/setup"},
	"internal/setup/kitty":            {"internal/setup"},
	"internal/setup/opencode":         {"internal/setup"},
	"internal/setup/qwen":             {"internal/setup"},
	"internal/setup/tmux":             {"internal/setup"},
	"internal/setup/wezterm":          {"internal/setup"},
	"internal/setup/zellij":           {"internal/setup"},
	"internal/setup/hosts":            {"internal/setup", "internal/setup/claude", "internal/setup/codex", "internal/setup/copilot", "internal/setup/cursor", "internal/setup/gemini", "internal/setup/kimi", "internal/setup/kitty", "internal/setup/opencode", "internal/setup/qwen", "internal/setup/tmux", "internal/setup/wezterm", "internal/setup/zellij"},
	"internal/sqlread":                {"internal/fsys"},
	"internal/store":                  {"task", "internal/fsys"},
	"internal/ledger":                 {"task", "internal/store"},
	"internal/registry":               {"task", "internal/tasklist", "redact", "internal/output", "internal/proc", "internal/runner", "internal/taskdir", "internal/store", "internal/ledger", "internal/command", "internal/prompt", "internal/watch", "internal/world", "internal/fsys"},
	"ui":                              {"panel", "console", "task", "internal/registry", "internal/config", "internal/desk"},
	"cli":                             {"ui", "mcpserver", "internal/hook", "internal/setup", "internal/setup/hosts", "panel", "console", "task", "internal/registry", "internal/config", "internal/desk", "internal/world", "redact", "testparse", "internal/output", "internal/source/demo"},
	"internal/hook":                   {"task"},
	"mcpserver":                       {"task", "internal/registry", "internal/tasklist"},
	"":                                {"cli", "internal/registry", "internal/source/claude", "internal/source/demo", "internal/source/files", "internal/source/kimi", "internal/source/left", "internal/source/qwen", "internal/source/gemini", "internal/source/codex", "internal/source/copilot", "internal/source/crush", "internal/source/cursor", "internal/source/opencode", "internal/source/own", "internal/runner", "internal/world"},
}

// pkg is what the go tool says of a package.
type pkg struct {
	ImportPath, Dir      string
	Imports, TestImports []string
	XTestImports         []string
	GoFiles              []string
	IgnoredGoFiles       []string
	TestGoFiles          []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,GoFiles,IgnoredGoFiles", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ask the go tool: %v", err)
	}
	var list []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func room(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, "offstage"), "/") }

// servesDocuments: programs that only serve tests, pictures and releases; no room of the
// product knows them.
func servesDocuments(room string) bool {
	return room == "bench" || room == "internal/source/trace/tracetest" || room == "internal/source/codex/control/controltest" || strings.HasPrefix(room, "ui/") || strings.HasPrefix(room, "docs/") || strings.HasPrefix(room, "packaging/")
}

// TestImportTable: arrows point down only.
func TestImportTable(t *testing.T) {
	for _, p := range packages(t) {
		from := room(p.ImportPath)
		allowed, known := mayImport[from]
		if !known {
			if servesDocuments(from) {
				continue
			}
			t.Errorf("room %q stands in no import table: add it here and to ARCHITECTURE.md", from)
			continue
		}
		for _, imp := range p.Imports {
			if to := room(imp); strings.HasPrefix(imp, "offstage/") && !slices.Contains(allowed, to) {
				t.Errorf("%s may not import %s", from, to)
			}
			if strings.HasPrefix(imp, "charm.land/bubbletea") && !slices.Contains([]string{"ui", "panel", "console"}, from) {
				t.Errorf("%s may not import Bubble Tea", from)
			}
		}
	}
}

// banned are words that only some rooms may use, outside tests.
var banned = []struct {
	what  string
	word  *regexp.Regexp
	rooms []string
}{
	{"the process folder's name", regexp.MustCompile(`"/proc["/]`), []string{"internal/world"}},
	{"the home variable's name", regexp.MustCompile(`"HOME"`), []string{"internal/world"}},
	{"a signal", regexp.MustCompile(`\b(syscall|unix)\.Kill\(|PidfdSendSignal|\.Signal\(syscall|\.Process\.Kill\(|TerminateProcess`), []string{"internal/proc"}},
	{"an operating system's build tag", regexp.MustCompile(`(?m)^//go:build .*\b(linux|darwin|windows|unix)\b`), []string{"internal/proc", "internal/fsys", "internal/desk", "internal/watch", "internal/runner"}},
	{"the wall clock", regexp.MustCompile(`\btime\.Now\(\)`), []string{
		"internal/world", "internal/watch", "internal/proc", "internal/tail", "internal/output", "internal/registry", "internal/store", "cli", "ui", "ui/uitest",
	}},
	{"an mmap", regexp.MustCompile(`\bMmap\(`), nil},
}

// TestBannedWords: the words that belong to one room stay in it. The wall clock
// is allowed where it paces or stamps; ages come from world everywhere.
func TestBannedWords(t *testing.T) {
	for _, p := range packages(t) {
		from := room(p.ImportPath)
		if servesDocuments(from) {
			continue
		}
		for _, name := range append(p.GoFiles, p.IgnoredGoFiles...) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, ban := range banned {
				if hit := ban.word.Find(b); hit != nil && !slices.Contains(ban.rooms, from) {
					t.Errorf("%s/%s names %s (%s): that belongs to %v", from, name, ban.what, hit, ban.rooms)
				}
			}
		}
	}
}

// TestPackageComments: every room says what it owns.
func TestPackageComments(t *testing.T) {
	for _, p := range packages(t) {
		documented := false
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || f.Doc != nil
		}
		if !documented && len(p.GoFiles) > 0 {
			t.Errorf("%s has no package comment", room(p.ImportPath))
		}
	}
}
