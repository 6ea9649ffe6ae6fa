// Package mcpserver serves the verbs of the command line to agents, as plain
// tools over MCP (spec 6 A). It owns what the tools are called and take, how a
// result reads, who a caller is and what it may do; what a task is, what ends it
// and what is hidden is the registry's.
//
// Tasks that it starts do not depend on it: they outlive the server and its
// client. It keeps nothing but the connection, so any number of servers run at
// once. The command line starts it; nothing else knows it.
package mcpserver
