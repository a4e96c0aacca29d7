// Package typecheck reads Go files and type-checks them as the compiler does: same files,
// same order, same language version, same imports. The types of imports come from the
// archives that the go command has compiled.
package typecheck
