// Package trace is what the sources of agents share: an agent's folder that is
// opened so that nothing outside of it is ever read, JSON-lines files that are
// read as they grow and each byte once, lists of many old sessions that cost a
// bounded time, and processes that are known by a record's pid or by marks in
// their environment.
//
// It knows no agent and no format beyond "one JSON value a line", makes no
// tasks, never writes and never signals. The sources of Kimi, Qwen, Gemini,
// Codex and others call it.
package trace
