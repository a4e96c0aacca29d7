// Package cli is the face of the command: it tells a tool call of the go
// command from a sub-command, and holds help, version and env.
//
// What a user reads comes from tables: the sub-commands (commands.go), the
// options (package option), the keys of the TASKINSTR variable (package rt) and
// the help topics (topics.go).
package cli
