package toolexec

import (
	"bytes"
	"fmt"
	"strings"

	"taskinstr/cmd/taskinstr/internal/option"
)

// defaults returns the settings that the build options imply for the running program, as
// words of the TASKINSTR variable. "" means that the program's own defaults hold.
func defaults(o option.Set) string {
	var words []string
	if o.Locks != option.LocksAll {
		words = append(words, "locks="+o.Locks)
	}
	if o.Detector != "" {
		words = append(words, "schedule=serial") // all others than the parallel one are serial
	}
	return strings.Join(words, " ")
}

// optionsFile is the file, added to the runtime by package rt, in which the program reads
// its options. The call readsFirst is there; the build's words are read before it, so that
// the environment wins.
const (
	optionsFile = "taskinstr_options.go"
	readsFirst  = `tr_parseOptions("GORACE", gogetenv("GORACE"))`
)

// bakeDefaults makes the program read words before its environment, by a call added to the
// runtime's sources.
func bakeDefaults(sources []source, words string) error {
	if words == "" {
		return nil
	}
	for i := range sources {
		s := &sources[i]
		if s.name != optionsFile {
			continue
		}
		if n := bytes.Count(s.data, []byte(readsFirst)); n != 1 {
			return fmt.Errorf("%s reads options in %d places, not in one; this is a defect of taskinstr, please report it", optionsFile, n)
		}
		first := fmt.Sprintf("tr_parseOptions(%q, %q); ", "the options of taskinstr", words)
		s.data = bytes.Replace(s.data, []byte(readsFirst), []byte(first+readsFirst), 1)
		return nil
	}
	return fmt.Errorf("the runtime has no file %s; this is a defect of taskinstr, please report it", optionsFile)
}
