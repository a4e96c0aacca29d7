// Package nearest finds the known word that a mistyped word was probably meant to be.
package nearest

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

// Word returns the known word with the smallest edit distance from word, "" if none is near: a
// third of the word, and at least one letter, may be wrong. Of equally near words the first
// one counts. A known word is not mistyped.
func Word(word string, known []string) string {
	nearest, limit := "", max(1, len(word)/3)
	for _, k := range known {
		if k == word {
			return ""
		}
		if d := distance(word, k); d <= limit && d < len(word) {
			nearest, limit = k, d-1
		}
	}
	return nearest
}

// Hint returns " (did you mean WORD?)", or "" if no known word is near.
func Hint(word string, known []string) string {
	if k := Word(word, known); k != "" {
		return " (did you mean " + k + "?)"
	}
	return ""
}

// FlagHint is Hint for a flag as it was written (--name=value), and names without dash.
func FlagHint(written string, names []string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(written, "-"), "=")
	name, _, _ = strings.Cut(name, " ")
	if k := Word(name, names); k != "" {
		return " (did you mean -" + k + "?)"
	}
	return ""
}

// FlagError adds a hint to the error of f.Parse if that error is about an unknown flag.
func FlagError(f *flag.FlagSet, err error) error {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return err
	}
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !ok {
		return err
	}
	var names []string
	f.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("unknown flag -%s%s", name, FlagHint(name, names))
}

// distance returns the number of letters that are inserted, deleted, replaced or exchanged
// with their neighbour to make b of a.
func distance(a, b string) int {
	var before, last []int // rows of the table: distances of a[:i-2] and a[:i-1] from each b[:j]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(replaced, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
