// Package link connects the command taskinstr with the command taskinstr-farm, which speaks
// with the server. The go command starts taskinstr for each file that it compiles; the client
// and the server of NATS would add milliseconds to each of these starts, so they are linked
// into taskinstr-farm alone (docs/design/dependencies.md has the figures).
//
// taskinstr starts `taskinstr-farm coordinate` as a child ([Start]) and exchanges [Message]s with
// it over the child's standard input and output, one JSON object a line. The child serves the
// other end ([Serve]). For `taskinstr worker` it gives its place to `taskinstr-farm worker`.
// Package sibling finds taskinstr-farm, or builds it.
//
// # Terms
//
// A batch is a piece of work: an identifier, a payload that only its runner reads, and files by
// their digests. An [Outcome] is what became of it. A run is all batches of one command and of
// the commands that resume it. A [File] is a file that batches need, a test binary or a packed
// folder (package folder).
package link
