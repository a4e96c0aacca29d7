package gocmd

import (
	"fmt"
	"slices"
)

// sanitizers are the go command's flags for other instrumentation, which excludes
// taskinstr's.
var sanitizers = []string{"race", "msan", "asan"}

// Refuse returns an error if the flags request a build that cannot have checks. from says
// in the error where the flags come from.
func Refuse(flags []Flag, from string) error {
	for _, f := range flags {
		switch {
		case slices.Contains(sanitizers, f.Name) && f.On():
			return Conflict(f.Name, from)
		case f.Name == "compiler" && f.Value != "gc":
			return fmt.Errorf("-compiler=%s (%s) cannot be instrumented: taskinstr changes the input of the gc compiler; leave out -compiler", f.Value, from)
		case f.Name == "buildmode" && badModes[f.Value] != "":
			return BadMode(f.Value, from)
		case f.Name == "linkshared" && f.On():
			return fmt.Errorf("-linkshared (%s) cannot be instrumented: %s; leave out -linkshared", from, badModes["shared"])
		}
	}
	return nil
}

// BadMode is the error for a build mode that cannot work; nil for the others.
func BadMode(mode, from string) error {
	if why := badModes[mode]; why != "" {
		return fmt.Errorf("-buildmode=%s (%s) cannot be instrumented: %s; use exe or pie", mode, from, why)
	}
	return nil
}

// Conflict is the error for a sanitizer's flag.
func Conflict(flag, from string) error {
	return fmt.Errorf("-%s (%s) cannot be combined with taskinstr: both would instrument the same memory accesses; leave out -%s", flag, from, flag)
}

// badModes are the build modes that cannot work, with the reason.
var badModes = map[string]string{
	"shared":    "the shared library's runtime would have to be the instrumented one",
	"plugin":    "a plugin and the program that loads it must be built from the same packages, byte for byte",
	"c-shared":  "the detector must start with the program, not when a C program loads a library",
	"c-archive": "the detector must start with the program, not from C code",
}
