// Package cli reads the command's arguments: it distinguishes the go command's tool calls
// from sub-commands, and implements help, version and env.
//
// All help is made from tables: the sub-commands (commands.go), the options (package
// option), the keys of the TASKINSTR variable (package rt) and the help topics (topics.go).
package cli
