// Package recipes tests the files for continuous integration and editors below examples: their
// form, by the rules of the services that read them. The scripts in them are run in
// cmd/taskinstr/testdata/script/ci.txtar.
//
// It also reads the output of commands as an editor does, by the problem matchers in
// examples/editor/vscode/tasks.json.
package recipes
