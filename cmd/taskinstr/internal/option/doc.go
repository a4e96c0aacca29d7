// Package option declares the options of the command: what they are called,
// which values they take and what they do.
//
// One table serves the parser, the help text, `taskinstr env` and the build
// cache key, so that an option cannot exist in one of them only. Options are
// accepted before the tool path in `-toolexec='taskinstr …'` and after the
// sub-command in `taskinstr build|test|run …`.
package option
