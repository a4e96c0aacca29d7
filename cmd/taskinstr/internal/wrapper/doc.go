// Package wrapper carries out `taskinstr build|install|run|test`: it starts the go command
// with -toolexec set to this program. Other arguments and the exit code pass through.
//
// The wrapper does more than bare mode (package toolexec) can: it sets the build tag race,
// and it makes the choice of packages (-pkgs) and each package's plan (-passes) a part of
// that package's compiler flags, so that a change recompiles only the packages that it
// concerns.
package wrapper
