// Package tasklist knows the rules of the list that an agent keeps for itself
// (spec 4): what its calls do to a list, and how a list is got back by playing
// the calls of a transcript again.
//
// It owns no list of its own: the values are task.Plan and task.Entry. It never
// decides whose list is shown and never writes. Sources replay with it, the
// registry and the MCP server apply its rules.
package tasklist
