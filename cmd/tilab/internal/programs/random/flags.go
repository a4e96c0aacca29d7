package random

import (
	"flag"
	"strings"
)

// Flags are the flags of a test of random programs.
type Flags struct {
	Tool, Passes, Keep string
	Seed               uint64
	Programs, Cases    int
}

// Define defines the flags, with the default values of -passes and -cases. unit is the help text of -cases.
func Define(passes string, cases int, unit string) *Flags {
	f := new(Flags)
	flag.StringVar(&f.Tool, "tool", "", "the taskinstr command; built from the tree by default")
	flag.Uint64Var(&f.Seed, "seed", 1, "of the first program")
	flag.IntVar(&f.Programs, "programs", 1, "how many, with seeds that follow each other")
	flag.IntVar(&f.Cases, "cases", cases, unit)
	flag.StringVar(&f.Passes, "passes", passes, "choices of static optimizations, separated by ;")
	flag.StringVar(&f.Keep, "keep", "", "folder to keep the last program in")
	return f
}

// Folder returns the folder for the files of a program: that of -keep, or else dir.
func (f *Flags) Folder(dir string) string {
	if f.Keep != "" {
		return f.Keep
	}
	return dir
}

// Each calls visit with the seed of each program and each choice of static optimizations.
func (f *Flags) Each(visit func(seed uint64, passes string)) {
	for k := range f.Programs {
		for set := range strings.SplitSeq(f.Passes, ";") {
			visit(f.Seed+uint64(k), set)
		}
	}
}
