// Package option declares the options of the command: their names, values and effects.
//
// The parser, the help text, `taskinstr env` and the build cache key all use one table,
// so that an option cannot be missing in one of them. Options are accepted before the tool
// path in `-toolexec='taskinstr …'` and after the sub-command in `taskinstr
// build|test|run …`.
package option
