// Package tooltest builds the taskinstr command for tests, once for all packages whose
// tests need it.
//
// The tests of several packages run at the same time, and each needs the command and
// instrumented packages of the standard library. The first one builds both, under a lock;
// the others find the command in a shared folder and the packages in the go command's build
// cache. Without the lock, each would compile the same packages: go commands that run at the
// same time share outputs only once they are in the cache.
//
// The standard library is compiled in many ways: for each set of options, and again after
// each change of the command. Most of these compilations have equal inputs, so their outputs
// are stored and used again (toolexec/reuse.go).
package tooltest
